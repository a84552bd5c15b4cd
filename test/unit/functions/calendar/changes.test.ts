/** The change feed where time passes or tables are replaced, and its index. */

import { describe, expect, test, vi } from 'vitest';
import { ChangeIndex } from '../../../../functions/calendar/replica/change-index.ts';
import { calendarInMemory, changesOf, editor } from '../../../support/calendar-in-memory.ts';
import { fc } from '../../../support/properties.ts';
import { timerIsSet, useFakeTimeouts } from '../../../support/timers.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

describe('a scheduled event', () => {
  test('is removed for readers, and comes once more when its time has come, without a write', async () => {
    const calendar = calendarInMemory('2030-05-01 12:00:00');
    const { id } = await calendar.create('events', { title: 'Later', date: '2030-05-01 13:00:00', ...times });
    const first = await calendar.changes();
    expect(first.changes).toEqual([{ kind: 'event', id, version: first.version, removed: true }]);

    calendar.now = '2030-05-01 12:59:59';
    expect((await calendar.changes({ since: first.version })).changes).toEqual([]);
    calendar.now = '2030-05-01 13:00:00';
    const second = await calendar.changes({ since: first.version });
    expect(second.changes).toEqual([{ kind: 'event', id, version: second.version, removed: false }]);
    expect((await calendar.changes({ since: second.version })).changes).toEqual([]);
    expect(await calendar.read('events', id)).toMatchObject({
      status: 'publish',
      date: '2030-05-01 13:00:00',
    });
  });

  test('wakes a follower who waits when its time comes, and nobody else asks', async () => {
    useFakeTimeouts({ clock: true });
    const calendar = calendarInMemory('2030-05-01 12:59:59');
    const { id } = await calendar.create('events', { title: 'Later', date: '2030-05-01 13:00:00', ...times });
    const { version } = await calendar.changes();
    const waiting = calendar.changes({ since: version }, undefined, 8_000);
    // One timer ends the wait, the other one is that of the next look.
    await timerIsSet(2);
    calendar.now = '2030-05-01 13:00:00';
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await waiting).changes).toMatchObject([{ kind: 'event', id, removed: false }]);
  });

  test('comes once, however many are due together', async () => {
    const calendar = calendarInMemory('2030-05-01 12:00:00');
    for (let index = 0; index < 90; index++)
      await calendar.create('events', { title: `Later ${index}`, date: '2030-05-01 13:00:00', ...times });
    let { version } = await calendar.changes({ per_page: 1000 });
    calendar.now = '2030-05-01 13:00:00';
    const seen: number[] = [];
    for (;;) {
      const page = await calendar.changes({ since: version });
      if (page.changes.length === 0) break;
      seen.push(...page.changes.map(({ id }: { id: number }) => id));
      version = page.version;
    }
    expect(seen).toHaveLength(90);
    expect(new Set(seen).size).toBe(90);
  });
});

test('a follower misses nothing and sees nothing twice while time passes and events are scheduled, published and hidden', async () => {
  const step = fc.oneof(
    fc.record({ schedule: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ wait: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ at: fc.nat(), status: fc.constantFrom('publish', 'draft', 'private') }),
    fc.record({ perPage: fc.integer({ min: 1, max: 4 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const calendar = calendarInMemory('2030-05-01 12:00:00');
      const after = (minutes: number) =>
        new Date(Date.parse(`${calendar.now.replace(' ', 'T')}Z`) + minutes * 60_000)
          .toISOString()
          .replace('T', ' ')
          .slice(0, 19);
      const ids: number[] = [];
      const copy = new Set<number>();
      let since = 0;
      const catchUp = async (perPage: number) => {
        for (;;) {
          const { changes, version, latest } = await calendar.changes({ since, per_page: perPage });
          for (const { id, version: changed, removed } of changes) {
            expect(changed).toBeGreaterThan(since);
            since = changed;
            if (removed) copy.delete(id);
            else copy.add(id);
          }
          since = version;
          if (version === latest && changes.length === 0) return;
        }
      };
      for (const item of [...steps, { perPage: 3 }]) {
        if ('schedule' in item) {
          const fields = { title: 'Later', date: after(item.schedule), ...times };
          ids.push((await calendar.create('events', fields)).id);
        } else if ('wait' in item) calendar.now = after(item.wait);
        else if ('perPage' in item) await catchUp(item.perPage);
        else {
          const id = ids[item.at % Math.max(1, ids.length)];
          if (id !== undefined) await calendar.update('events', id, { status: item.status });
        }
      }
      for (const id of ids) {
        const isShown = (await calendar.read('events', id)).id === id;
        expect([id, copy.has(id)]).toEqual([id, isShown]);
      }
    }),
  );
});

test('ten thousand changes are each seen once, page by page', async () => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const titles = Array.from({ length: 10_000 }, (_, index) => `Event ${index}`);
  await calendar.put(changesOf('event', titles));
  expect((await calendar.changes({ per_page: 10_000 })).changes).toHaveLength(1_000);
  const seen: number[] = [];
  for (let since = 0; ; ) {
    const page = await calendar.changes({ since, per_page: 999 });
    if (page.changes.length === 0) break;
    seen.push(...page.changes.map(({ id }: { id: number }) => id));
    since = page.version;
  }
  expect(seen).toEqual(titles.map((_, index) => index + 1));
});

describe('a follower of a table that was replaced', () => {
  test('starts over, also once the new table has as many changes', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    await calendar.put(changesOf('event', ['One', 'Two']));
    const { version, history } = await calendar.changes();
    calendar.replaceTable();
    expect(await calendar.changes({ since: version })).toBe('changes-gone');
    await calendar.put(changesOf('venue', ['One', 'Two', 'Three']));
    expect(await calendar.changes({ since: version, history })).toBe('changes-gone');
    const { changes } = await calendar.changes({}, editor);
    expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual(['venue', 'venue', 'venue']);
  });

  test('learns nothing of what the clock had published in the old one', async () => {
    const calendar = calendarInMemory('2030-05-01 12:00:00');
    await calendar.create('events', { title: 'Later', date: '2030-05-01 13:00:00', ...times });
    calendar.now = '2030-05-01 13:00:00';
    expect((await calendar.list('events')).total).toBe(1);
    calendar.replaceTable();
    await calendar.put(changesOf('venue', ['One']));
    expect((await calendar.changes()).changes).toEqual([
      { kind: 'venue', id: 1, version: 1, removed: false },
    ]);
  });
});

test('a follower gets what is known while the tables do not answer, and does not start over', async () => {
  const calendar = calendarInMemory('2030-05-01 12:00:00');
  const { id } = await calendar.create('events', { title: 'Later', date: '2030-05-01 13:00:00', ...times });
  const { version } = await calendar.changes();
  calendar.isDown = true;
  calendar.now = '2030-05-01 13:00:00';
  expect(await calendar.changes({ since: version })).toMatchObject({ changes: [], version });
  // Another process may have seen more.
  expect(await calendar.changes({ since: version + 1 })).toBe('calendar-unavailable');
  calendar.isDown = false;
  expect((await calendar.changes({ since: version })).changes).toMatchObject([{ id, removed: false }]);
});

describe('ChangeIndex', () => {
  test('has each record once, with its last change, after any number of changes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 3_000 }), fc.nat(3_100), (ids, since) => {
        const index = new ChangeIndex();
        const last = new Map<string, number>();
        ids.forEach((id, at) => {
          index.add(`event/${id}`, at + 1);
          last.set(`event/${id}`, at + 1);
        });
        const expected = [...last]
          .map(([key, version]) => ({ key, version }))
          .filter(({ version }) => version > since)
          .toSorted((a, b) => a.version - b.version);
        expect([...index.since(since)]).toEqual(expected);
        expect(index.version).toBe(ids.length);
      }),
    );
  });
});
