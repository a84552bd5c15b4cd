import { TableClient } from '@azure/data-tables';
import { describe, expect, test, vi } from 'vitest';
import type { LogOptions, LogSettings } from '../../functions/calendar/log/log.ts';
import { CodedError } from '../../shared/errors.ts';
import {
  caught,
  contents,
  create,
  increment,
  newCalendar,
  openTestLog,
  put,
  remove,
  snapshotsOf,
} from '../support/calendar-log.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';

const fresh = { history: expect.any(String), stale: false, age: 0 };

function twoProcesses(after = 0) {
  const settings = newCalendar(connectionStringOfTables());
  const open = () => openTestLog(settings, keepingSnapshots(settings, after));
  return { a: open(), b: open(), open };
}

/** Returns the options of a log that writes a snapshot after some versions; of one without snapshots for 0. */
function keepingSnapshots(settings: LogSettings, after: number): Partial<LogOptions> {
  return after === 0 ? {} : { snapshots: snapshotsOf(settings, localBlobs(), after) };
}

describe.each([
  ['without snapshots', 0],
  ['with a snapshot after two changes', 2],
])('a log %s', (_name, after) => {
  describe('read()', () => {
    test('finds an empty calendar in a table that does not exist yet', async () => {
      const settings = { ...newCalendar(connectionStringOfTables()), tableName: `t${Date.now()}` };
      const log = openTestLog(settings, keepingSnapshots(settings, after));
      expect(await log.read()).toEqual({ version: 0, ...fresh });
      expect(contents(log.replica)).toEqual({});
    });

    test('holds what another process has written, once its write is acknowledged', async () => {
      const { a, b } = twoProcesses(after);
      for (const number of [1, 2, 3]) {
        await put(a, 'event/1', { number });
        await b.read();
        expect(contents(b.replica)).toEqual({ 'event/1': { number } });
      }
    });

    test('learns of deletions', async () => {
      const { a, b } = twoProcesses(after);
      await put(a, 'event/1', 'one');
      await put(a, 'event/2', 'two');
      await b.read();
      await remove(a, 'event/1');
      expect(await b.read()).toEqual({ version: 3, ...fresh });
      expect(contents(b.replica)).toEqual({ 'event/2': 'two' });
    });

    test('loads a calendar anew: every live record once, in ascending order of version', async () => {
      const { a, open } = twoProcesses(after);
      await a.write(() => ({
        puts: [1, 2, 3].map((id) => ({ key: `event/${id}`, json: `${id}` })),
        deletes: [],
        result: 0,
      }));
      await put(a, 'event/2', 'changed');
      await remove(a, 'event/1');
      const cold = open();
      expect(await cold.read()).toEqual({ version: 5, ...fresh });
      const { versions } = cold.replica;
      expect(contents(cold.replica)).toEqual({ 'event/2': 'changed', 'event/3': 3 });
      // A snapshot may have rows that were replaced since it was written.
      expect(versions).toEqual(after === 0 ? [3, 4, 5] : versions.toSorted((a, b) => a - b));
    });

    test('keeps calendars of one table apart', async () => {
      const { a } = twoProcesses(after);
      const { a: other } = twoProcesses(after);
      await put(a, 'event/1', 'one');
      expect(await other.read()).toEqual({ version: 0, ...fresh });
    });
  });

  describe('write()', () => {
    test('gives the ids 1, 2, 3 of each space, and none of them twice, whichever process asks', async () => {
      const { a, b } = twoProcesses(after);
      expect([await create(a, 'x'), await create(b, 'y'), await create(a, 'z')]).toEqual([1, 2, 3]);
      await remove(b, 'event/3');
      expect(await create(a, 'again')).toBe(4);
      expect(
        await b.write((takeId) => ({
          puts: [{ key: 't', json: '0' }],
          deletes: [],
          result: [takeId('term'), takeId('user'), takeId('term')],
        })),
      ).toEqual([1, 1, 2]);
    });

    test('draws ids above those that a write has put without drawing them', async () => {
      const { a, b } = twoProcesses(after);
      const imported = { puts: [{ key: 'event/7', json: '"imported"' }], deletes: [], result: 0 };
      await a.write(() => ({ ...imported, usedIds: { post: 7, term: 3 } }));
      expect(await create(b, 'new')).toBe(8);
      const drawn = await a.write((takeId) => ({
        puts: [{ key: 't', json: '0' }],
        deletes: [],
        result: [takeId('term'), takeId('user')],
      }));
      expect(drawn).toEqual([4, 1]);
      await b.read();
      expect(contents(b.replica)).toMatchObject({ 'event/7': 'imported', 'event/8': 'new' });
    });

    test('gives an id again that no write has used', async () => {
      const { a } = twoProcesses(after);
      const refused = a.write((takeId) => {
        throw new RangeError(`refused ${takeId('post')}`);
      });
      await expect(refused).rejects.toThrow(new RangeError('refused 1'));
      expect(await create(a, 'x')).toBe(1);
    });

    test('commits all that a decision does, or nothing', async () => {
      const { a, b } = twoProcesses(after);
      await put(a, 'event/1', 'old');
      await a.write(() => ({
        puts: [
          { key: 'event/1', json: '"new"' },
          { key: 'venue/2', json: '{}' },
        ],
        deletes: [],
        result: 0,
      }));
      await a.write(() => ({
        puts: [{ key: 'venue/3', json: '3' }],
        deletes: ['event/1', 'venue/2'],
        result: 0,
      }));
      expect(await b.read()).toEqual({ version: 6, ...fresh });
      expect(contents(b.replica)).toEqual({ 'venue/3': 3 });
    });

    test('decides again on what another process has written meanwhile', async () => {
      const { a, b } = twoProcesses(after);
      await Promise.all([a.read(), b.read()]);
      expect(await increment(a, 'n')).toBe(1);
      expect(await increment(b, 'n')).toBe(2);
      expect(await increment(a, 'n')).toBe(3);
    });

    test('refuses only on an up-to-date replica', async () => {
      const { a, b } = twoProcesses(after);
      await put(a, 'slug', 'taken');
      await b.read();
      await remove(a, 'slug');
      const decide = () => {
        if (b.replica.records.has('slug')) throw new CodedError('duplicate_term_slug', 'Cannot save: taken');
        return { puts: [{ key: 'slug', json: '"mine"' }], deletes: [], result: 'saved' };
      };
      expect(await b.write(decide)).toBe('saved');
      await expect(b.write(decide)).rejects.toMatchObject({ code: 'duplicate_term_slug' });
    });

    test('answers a decision without changes from an up-to-date replica, and writes nothing', async () => {
      const { a, b } = twoProcesses(after);
      await b.read();
      await put(a, 'event/1', 'one');
      const seen = await b.write(() => ({ puts: [], deletes: [], result: [...b.replica.records.keys()] }));
      expect(seen).toEqual(['event/1']);
      expect(await a.read()).toEqual({ version: 1, ...fresh });
    });

    test('holds its own write by the time it is acknowledged', async () => {
      const { a } = twoProcesses(after);
      await put(a, 'event/1', 'one');
      expect(contents(a.replica)).toEqual({ 'event/1': 'one' });
    });

    const texts: [name: string, text: string][] = [
      ['quotes, line feeds and NUL', '"\\\n\r\u0000\u2028'],
      ['characters of one byte', 'Smørrebrød på ön'],
      ['a few wide characters', `${'Jazz – '.repeat(10)}😀`],
      ['mostly wide characters', '日本語のイベント😀'.repeat(20)],
      ['a text of several properties, with wide characters at every place', '😀'.repeat(100_001)],
      ['half a character, as JSON spells it', '\ud83d'],
    ];
    test.each(texts)('keeps %s', async (_name, text) => {
      const { a, b } = twoProcesses(after);
      await put(a, 'event/1', { text });
      await b.read();
      const expected = { 'event/1': { text } };
      expect({ a: contents(a.replica), b: contents(b.replica) }).toEqual({ a: expected, b: expected });
    });
  });
});

describe('the limits of Azure Tables', () => {
  const puts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `event/${index}`, json: '{}' }));
  const text = (length: number) => ({ key: 'event/1', json: JSON.stringify('x'.repeat(length)) });
  type Puts = { key: string; json: string }[];
  const tooMuch: [name: string, puts: Puts, kind: string, code: string, found: string][] = [
    ['a record of more than 1 MiB', [text(525_000)], 'too-large', 'record-too-large', 'takes 1050536 bytes'],
    ['more than 100 rows', puts(100), 'too-large', 'change-too-large', 'touches 101 rows'],
    [
      'more than 4 MiB',
      puts(5)
        .map(({ key }) => ({ ...text(500_000), key }))
        .map((record, id) => ({ ...record, json: record.json.replaceAll('x', id % 2 ? 'é' : 'ø') })),
      'too-large',
      'change-too-large',
      'sends 5013907 bytes, and one change may send 4194304',
    ],
    [
      'half a character',
      [{ key: 'event/1', json: '"\ud83d"' }],
      ...(['invalid', 'record-not-text', 'holds a lone surrogate'] as const),
    ],
  ];
  test.each(tooMuch)('refuse %s, and nothing is written', async (_name, puts, kind, code, found) => {
    const { a, b } = twoProcesses();
    const message = expect.stringContaining(` it ${found}`);
    const error = await caught(a.write(() => ({ puts, deletes: [], result: 0 })));
    expect(error).toMatchObject({ kind, code, message });
    expect(await b.read()).toEqual({ version: 0, ...fresh });
  });

  const fits: [name: string, puts: { key: string; json: string }[]][] = [
    ['a record of nearly 1 MiB', [text(523_000)]],
    ['99 new records', puts(99)],
  ];
  test.each(fits)('allow %s', async (_name, puts) => {
    const { a, b } = twoProcesses();
    await a.write(() => ({ puts, deletes: [], result: 0 }));
    expect(await b.read()).toEqual({ version: puts.length, ...fresh });
    expect(Object.fromEntries(b.replica.records)).toEqual(
      Object.fromEntries(puts.map(({ key, json }) => [key, json])),
    );
  });
});

describe('decisions that contradict themselves', () => {
  test.each([
    [
      'put a record twice',
      [
        { key: 'a', json: '1' },
        { key: 'a', json: '2' },
      ],
      [],
    ],
    ['put and delete a record', [{ key: 'a', json: '1' }], ['a']],
    ['delete what is not there', [], ['b']],
  ])('are a TypeError: %s', async (_name, puts, deletes) => {
    const { a } = twoProcesses();
    await expect(a.write(() => ({ puts, deletes, result: 0 }))).rejects.toThrow(TypeError);
  });
});

describe('a log whose newest row is gone', () => {
  test('is not shown as if it was whole', async () => {
    const settings = newCalendar(connectionStringOfTables());
    const log = openTestLog(settings);
    for (const key of ['event/1', 'event/2']) await put(log, key, 1);
    const { connectionString, tableName, calendar } = settings;
    const options = { allowInsecureConnection: true };
    const client = TableClient.fromConnectionString(connectionString, tableName, options);
    await client.deleteEntity(calendar, 'v|0000000000000002');
    await expect(openTestLog(settings).read()).rejects.toThrow('its head has version 2, its newest row 1');
  });
});

describe('openLog()', () => {
  test.each([
    ['nothing that says where the tables are', ''],
    ['an endpoint that a token must not be sent to', 'http://tables.example.org'],
  ])('makes reads and writes misconfigured: %s', async (_name, endpoint) => {
    const credential = () => ({
      getToken: async () => ({ token: 'x', expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
    });
    const log = openTestLog({ ...newCalendar(''), connectionString: '', endpoint }, { credential });
    const expected = { code: 'configuration', facts: { setting: 'CALENDAR_TABLE_ENDPOINT' } };
    expect([await caught(log.read()), await caught(put(log, 'a', 1))]).toMatchObject([expected, expected]);
  });

  test('tells when the storage refuses the key', async () => {
    const connectionString = connectionStringOfTables().replace(/AccountKey=.../, 'AccountKey=AAA');
    const log = openTestLog(newCalendar(connectionString));
    expect(await caught(log.read())).toMatchObject({ kind: 'misconfigured', code: 'calendar-access' });
  });
});

describe('close()', () => {
  test('ends what waits, and what comes later', async () => {
    const { a } = twoProcesses();
    const waiting = [a.read(), put(a, 'event/1', 1)];
    a.close();
    const later = a.read();
    const errors = await Promise.all([...waiting, later].map(caught));
    expect(errors).toMatchObject(Array(3).fill({ kind: 'unavailable' }));
  });

  test('has only calls to end that are under way', async () => {
    const { a } = twoProcesses();
    await put(a, 'event/1', 1);
    await a.read();
    const abort = vi.spyOn(AbortController.prototype, 'abort');
    a.close();
    const { length } = abort.mock.calls;
    abort.mockRestore();
    expect(length).toBe(0);
  });
});
