/** The time that a reader waits for tables that do not answer, and the metrics meanwhile. */

import { expect, test, vi } from 'vitest';
import { LocalLog } from '../../../../../functions/calendar/log/local-log.ts';
import { Refresher } from '../../../../../functions/calendar/log/refresher.ts';
import { noHead } from '../../../../../functions/calendar/log/rows.ts';
import type { Table } from '../../../../../functions/calendar/log/table.ts';
import { readGauge } from '../../../../../shared/telemetry/gauges.ts';
import { mapReplica } from '../../../../support/calendar-log.ts';
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
