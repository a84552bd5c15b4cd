/** The time that a reader waits for tables that do not answer, and the metrics meanwhile. */

import { describe, expect, test, vi } from 'vitest';
import { LocalLog } from '../../../../../functions/calendar/log/local-log.ts';
import { Refresher } from '../../../../../functions/calendar/log/refresher.ts';
import { noHead } from '../../../../../functions/calendar/log/rows.ts';
import type { Table } from '../../../../../functions/calendar/log/table.ts';
import { readGauge } from '../../../../../shared/telemetry/gauges.ts';
import { mapReplica } from '../../../../support/calendar-log.ts';
import { fc, numRuns } from '../../../../support/properties.ts';
import { timerIsSet, useFakeTimeouts } from '../../../../support/timers.ts';

/** A process with a replica, or none yet, over tables that answer after `duration` milliseconds until they are silenced. */
async function reader({ loaded = true, duration = 0 } = {}) {
  useFakeTimeouts();
  let isSilent = false;
  let now = 1_000;
  const never = () => new Promise<never>(() => {});
  const table = {
    async head() {
      if (isSilent) return never();
      now += duration;
      return { ...noHead, log: 'l', etag: 'e' };
    },
  } as Partial<Table> as Table;
  const local = new LocalLog(mapReplica());
  const times = { budget: 8_000, waitTimeout: 3_000, staleFor: 60_000 };
  const { read } = new Refresher({ table, local, ...times, now: () => now });
  if (loaded) await read();
  isSilent = true;
  return {
    local,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Returns the milliseconds after which a read gives up, and with what. */
    async giveUp() {
      let outcome: unknown;
      const reading = read().then(
        (found) => {
          outcome = found;
        },
        ({ code, message }: { code: string; message: string }) => {
          outcome = [code, message];
        },
      );
      await timerIsSet();
      let waited = 0;
      for (; outcome === undefined; waited += 50) await vi.advanceTimersByTimeAsync(50);
      await reading;
      return [waited, outcome];
    },
  };
}

test('a read waits three seconds, and a quarter of one while the tables are known not to answer', async () => {
  const { giveUp, pass, local } = await reader();
  pass(10_000);
  expect(await giveUp()).toEqual([3_000, { version: 0, history: 'l', stale: true, age: 10 }]);
  expect(local.isReachable).toBe(false);
  pass(1);
  expect(await giveUp()).toEqual([250, { version: 0, history: 'l', stale: true, age: 11 }]);
  pass(49_999);
  expect(await giveUp()).toEqual([250, { version: 0, history: 'l', stale: true, age: 60 }]);
  pass(1);
  expect(await giveUp()).toEqual([
    250,
    ['calendar-unavailable', 'Cannot read the calendar: its storage has not answered for too long.'],
  ]);
});

test('the age of a stale answer counts from the start of the last read that succeeded', async () => {
  const { giveUp } = await reader({ duration: 5_000 });
  expect(await giveUp()).toEqual([3_000, { version: 0, history: 'l', stale: true, age: 5 }]);
});

test('the first read waits as long as a request has', async () => {
  const { giveUp } = await reader({ loaded: false });
  expect(await giveUp()).toEqual([
    8_000,
    ['calendar-unavailable', 'Cannot read the calendar: its storage does not answer.'],
  ]);
});

test('metrics are told the version, the records, and the seconds since it was up to date', async () => {
  const { local, pass } = await reader();
  local.apply([
    { key: 'event/1', json: '{}', version: 1 },
    { key: 'event/2', json: '{}', version: 2 },
    { key: 'event/1', json: null, version: 3 },
  ]);
  pass(2_500);
  // Other tests of this process may have offered other numbers, with labels.
  const told = () =>
    (['calendarVersion', 'calendarRecords', 'calendarAge'] as const).map((name) =>
      readGauge(name).filter(([, labels]) => labels === undefined),
    );
  expect(told()).toEqual([[[3]], [[1]], [[2.5]]]);
  await reader({ loaded: false });
  expect(told()).toEqual([[[0]], [[0]], []]);
});

describe('a read that may share a state', () => {
  /** A process over a log of which others write versions; point reads end when they are released, or at once. */
  function sharing() {
    const clock = { now: 1_000 };
    const log = { version: 1, pointReads: 0 };
    let held: Promise<void> | undefined;
    const table = {
      async head() {
        log.pointReads += 1;
        const head = { ...noHead, log: 'l', version: log.version, etag: 'e' };
        await held;
        return head;
      },
      async page(after: number) {
        const versions = Array.from({ length: log.version - after }, (_, index) => after + 1 + index);
        const changes = versions.map((version) => ({ key: `event/${version}`, json: '{}', version }));
        return { changes, next: undefined };
      },
    } as Partial<Table> as Table;
    const local = new LocalLog(mapReplica());
    const times = { budget: 8_000, waitTimeout: 3_000, staleFor: 60_000 };
    const { read } = new Refresher({ table, local, ...times, now: () => clock.now });
    return {
      clock,
      log,
      read: async (maxAgeMs?: number) => (await read(maxAgeMs)).version,
      hold() {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        return () => {
          held = undefined;
          resolve();
        };
      },
    };
  }

  test('asks only when the last state found is as old as it may be', async () => {
    const { clock, log, read } = sharing();
    expect(await read(100)).toBe(1);
    log.version = 2;
    clock.now += 99;
    expect([await read(100), log.pointReads]).toEqual([1, 1]);
    clock.now += 1;
    expect([await read(100), log.pointReads]).toEqual([2, 2]);
    log.version = 3;
    expect([await read(0), await read(), log.pointReads]).toEqual([3, 3, 4]);
    // What one read has found, all may be answered from.
    expect([await read(100), log.pointReads]).toEqual([3, 4]);
  });

  test('shares a point read in flight that began within that time, and else the next one', async () => {
    const { clock, log, read, hold } = sharing();
    await read();
    clock.now += 1_000;
    const release = hold();
    const first = read(100);
    await expect.poll(() => log.pointReads).toBe(2);
    log.version = 2;
    clock.now += 99;
    const together = read(100);
    const strict = read();
    clock.now += 1;
    const late = read(100);
    release();
    expect(await Promise.all([first, together, strict, late])).toEqual([1, 1, 2, 2]);
    expect(log.pointReads).toBe(3);
  });

  type Event = { readonly wait: number } | { readonly read: number } | { readonly write: true };
  const events = fc.array(
    fc.oneof<[fc.Arbitrary<Event>, fc.Arbitrary<Event>, fc.Arbitrary<Event>]>(
      fc.record({ wait: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ read: fc.constantFrom(0, 50, 100) }),
      fc.constant({ write: true }),
    ),
    { maxLength: 60 },
  );

  test('never shows a state older than it may be, and never an older one than before', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const { clock, log, read } = sharing();
        const writtenAt = [Number.NEGATIVE_INFINITY, 0];
        let last = 0;
        for (const event of list) {
          if ('wait' in event) clock.now += event.wait;
          else if ('write' in event) writtenAt[++log.version] = clock.now;
          else {
            const version = await read(event.read);
            const required = writtenAt.findLastIndex((time) => time <= clock.now - event.read);
            expect(version).toBeGreaterThanOrEqual(Math.max(required, last));
            last = version;
          }
        }
      }),
      numRuns(100),
    );
  });
});
