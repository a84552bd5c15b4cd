/** Backups of calendars, restored and pruned. */

import { randomUUID } from 'node:crypto';
import { TableServiceClient } from '@azure/data-tables';
import { describe, expect, test } from 'vitest';
import { backup } from '../../scripts/calendar/backup.ts';
import { prune, recordBackup } from '../../scripts/calendar/catalogue.ts';
import { openPlace, type Place, type Row } from '../../scripts/calendar/place.ts';
import { restore } from '../../scripts/calendar/restore.ts';
import { contents, newCalendar, openTestLog, put, remove, snapshotsOf } from '../support/calendar-log.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';

/** Creates a calendar. Returns its settings and its place. */
async function createCalendar() {
  const settings = newCalendar(connectionStringOfTables());
  return { settings, place: await placeFor(settings.tableName, settings.calendar) };
}

const placeFor = (table: string, name: string) => openPlace(`${connectionStringOfTables()}#${table}/${name}`);
const backupPlace = () => placeFor('backups', randomUUID());

/** Returns the records that a new process reads. */
async function readRecords(settings: ReturnType<typeof newCalendar>) {
  const log = openTestLog(settings);
  await log.read();
  return contents(log.replica);
}

describe('a backup of a calendar', () => {
  test('can be restored, to the version, and written to again', async () => {
    const { settings, place } = await createCalendar();
    const log = openTestLog(settings);
    for (let id = 0; id < 130; id += 1) await put(log, `post/${id}`, { id, text: 'ö\u2028"' });
    await put(log, 'post/3', { id: 3, text: 'x'.repeat(100_000) });
    await remove(log, 'post/4');
    const original = await readRecords(settings);

    const saved = await backupPlace();
    const copied = await backup(place, saved);
    expect(copied).toEqual({ rows: 130, version: 132 });
    await put(log, 'post/5', { id: 5, text: 'after the backup' });

    const copy = await createCalendar();
    expect(await restore(saved, copy.place)).toEqual({ rows: 130, version: 132 });
    expect(await readRecords(copy.settings)).toEqual(original);
    const copyLog = openTestLog(copy.settings);
    await put(copyLog, 'post/1', { id: 1 });
    expect((await readRecords(copy.settings))['post/1']).toEqual({ id: 1 });
  });

  test('during writes is the state at its version', async () => {
    const { settings, place } = await createCalendar();
    const log = openTestLog(settings);
    for (let id = 0; id < 20; id += 1) await put(log, `post/${id}`, { id, turn: 0 });
    // Each change writes two records together and adds a third while the scan runs.
    const states: unknown[] = [];
    const change = async (turn: number) => {
      const json = JSON.stringify({ turn });
      const puts = ['post/1', 'post/2', `post/new-${turn}`].map((key) => ({ key, json }));
      await log.write(() => ({ puts, deletes: [], result: undefined }));
      states.push(await readRecords(settings));
    };
    const placeWithWrites: Place = {
      ...place,
      async *rows(after, upTo) {
        // Pages of three rows.
        let last = after;
        let count = 0;
        while (last !== '') {
          const page: Row[] = [];
          for await (const row of place.rows(last, upTo)) if (page.push(row) === 3) break;
          yield* page;
          last = page.at(-1)?.rowKey ?? '';
          count += 1;
          if (count === 1 || count === 3) await change(count);
        }
      },
    };
    states.push(await readRecords(settings));
    const saved = await backupPlace();
    const { rows } = await backup(placeWithWrites, saved);
    // A record that the scan has found twice leaves one row.
    const keys: string[] = [];
    for await (const { key } of saved.rows('v|', 'v|~')) keys.push(String(key));
    expect([keys.length, new Set(keys).size]).toEqual([rows, rows]);
    await change(99);
    const copy = await createCalendar();
    await restore(saved, copy.place);
    expect(states).toContainEqual(await readRecords(copy.settings));
  });

  test('names no snapshot, which may be newer than it, and neither does what is restored from it', async () => {
    const { settings, place } = await createCalendar();
    const snapshots = snapshotsOf(settings, localBlobs(), 3);
    const log = openTestLog(settings, { snapshots });
    for (const id of [1, 2, 3]) await put(log, `post/${id}`, { id });
    const saved = await backupPlace();
    await log.read();
    await expect.poll(async () => (await place.head())?.['snapshot']).toEqual(expect.stringMatching(/^3 /));
    await backup(place, saved);
    // An operator brings it back under the name of the calendar, beside the snapshots of what was lost.
    const restored = { ...settings, tableName: `t${randomUUID().replaceAll('-', '')}` };
    const to = await placeFor(restored.tableName, restored.calendar);
    await restore(saved, to);
    expect([await saved.head(), await to.head()].map((head) => head?.['snapshot'])).toEqual([
      undefined,
      undefined,
    ]);
    const copyLog = openTestLog(restored, { snapshots });
    for (const id of [4, 5, 6]) await put(copyLog, `post/${id}`, { id });
    await copyLog.read();
    await expect.poll(async () => (await to.head())?.['snapshot']).toEqual(expect.stringMatching(/^[4-6] /));
    const cold = openTestLog(restored, { snapshots });
    await cold.read();
    expect(contents(cold.replica)).toEqual(await readRecords(restored));
  });

  test('replaces an older backup completely', async () => {
    const { settings, place } = await createCalendar();
    const log = openTestLog(settings);
    await put(log, 'post/1', { id: 1 });
    await put(log, 'post/2', { id: 2 });
    const saved = await backupPlace();
    await backup(place, saved);
    await put(log, 'post/1', { id: 1, changed: true });
    expect(await backup(place, saved)).toEqual({ rows: 2, version: 3 });
    const copy = await createCalendar();
    await restore(saved, copy.place);
    expect(await readRecords(copy.settings)).toEqual(await readRecords(settings));
  });

  test('that is replaced meanwhile, or interrupted, is rejected, and leaves no complete backup', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    let heads = 0;
    const replaced = async () => {
      heads += 1;
      return { ...(await place.head()), log: `history ${heads}` } as Awaited<ReturnType<Place['head']>>;
    };
    const interrupted: Place['rows'] = () => {
      throw new Error('interrupted');
    };
    for (const change of [{ head: replaced }, { rows: interrupted }]) {
      const saved = await backupPlace();
      await backup(place, saved);
      await expect(backup({ ...place, ...change }, saved)).rejects.toThrow(/replaced meanwhile|interrupted/);
      expect(await saved.head()).toBeUndefined();
    }
  });
});

describe('a restore', () => {
  test('into an existing calendar is rejected', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = await backupPlace();
    await backup(place, saved);
    await expect(restore(saved, place)).rejects.toThrow('There is a calendar in');
  });

  test('is invisible before its head is written, and can be repeated', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = await backupPlace();
    await backup(place, saved);
    const copy = await createCalendar();
    const interruptedPlace: Place = {
      ...copy.place,
      async write(rows) {
        if (rows.some(({ rowKey }) => rowKey === 'head')) throw new Error('interrupted');
        await copy.place.write(rows);
      },
    };
    await expect(restore(saved, interruptedPlace)).rejects.toThrow('interrupted');
    expect(await copy.place.head()).toBeUndefined();
    expect(await restore(saved, copy.place)).toEqual({ rows: 1, version: 1 });
  });

  test('begins a new history, so that nobody mistakes its versions for those of the calendar that was lost', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = await backupPlace();
    await backup(place, saved);
    const copy = await createCalendar();
    await restore(saved, copy.place);
    const before = await place.head();
    const after = await copy.place.head();
    expect(after).toMatchObject({ version: before?.['version'], log: expect.stringMatching(/./) });
    expect(after?.['log']).not.toBe(before?.['log']);
  });

  test('of a backup that is replaced meanwhile is rejected, and leaves nothing visible', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = await backupPlace();
    await backup(place, saved);
    const replacedBackup: Place = {
      ...saved,
      async *rows(after, upTo) {
        yield* saved.rows(after, upTo);
        await backup(place, saved);
      },
    };
    const copy = await createCalendar();
    await expect(restore(replacedBackup, copy.place)).rejects.toThrow('was replaced meanwhile');
    expect(await copy.place.head()).toBeUndefined();
  });

  test('of an incomplete backup is rejected', async () => {
    const { place } = await createCalendar();
    await expect(restore(await backupPlace(), place)).rejects.toThrow(/no complete backup|TableNotFound/);
  });
});

test.each(['', 'calendar', 'https://x.table.core.windows.net/', 'https://x.table.core.windows.net/calendar'])(
  'openPlace() rejects "%s"',
  async (text) => {
    await expect(openPlace(text)).rejects.toThrow('is no place');
  },
);

describe('old backups', () => {
  const service = () =>
    TableServiceClient.fromConnectionString(connectionStringOfTables(), { allowInsecureConnection: true });
  /** Returns the days of a year with a backup. */
  async function days(year: number): Promise<string[]> {
    const found: string[] = [];
    for await (const { name = '' } of service().listTables())
      if (name.startsWith(`backup${year}`)) found.push(name.slice(-4));
    return found.sort();
  }
  const year = 1900 + (process.pid % 99);
  const name = randomUUID();
  const placeOf = (day: string) => `${connectionStringOfTables()}#backup${year}${day}/${name}`;

  test('are removed before the newest complete backups', async () => {
    const complete = ['0101', '0102', '0104', '0105'];
    for (const day of complete) await recordBackup(placeOf(day), { rows: 1, version: 1 });
    await recordBackup(`${connectionStringOfTables()}#backup${year}0107/another`, { rows: 1, version: 1 });
    for (const day of [...complete, '0103', '0106', '0101copy'])
      await service().createTable(`backup${year}${day}`);
    expect(await prune(placeOf('0106'), 5)).toEqual([]);
    expect(await prune(placeOf('0106'), 2)).toEqual([
      `backup${year}0101`,
      `backup${year}0102`,
      `backup${year}0103`,
    ]);
    expect(await days(year)).toEqual(['0104', '0105', '0106', 'copy']);
    expect(await prune(placeOf('0106'), 2)).toEqual([]);
  });
});
