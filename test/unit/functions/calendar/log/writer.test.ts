/** When a writer waits for others and looks again before it writes: over tables that take everything. */

import { describe, expect, test, vi } from 'vitest';
import { TableFailure } from '../../../../../functions/calendar/log/failure.ts';
import { LocalLog } from '../../../../../functions/calendar/log/local-log.ts';
import { noHead } from '../../../../../functions/calendar/log/rows.ts';
import type { Table } from '../../../../../functions/calendar/log/table.ts';
import { LogWriter } from '../../../../../functions/calendar/log/writer.ts';
import { mapReplica, put } from '../../../../support/calendar-log.ts';
import { useInstantWaits, useStillClock } from '../../../../support/timers.ts';

/** A writer whose clock stands still unless it is moved, and its calls. Commits fail the given number of times, always by default. */
function writer(budget = 8_000, failure?: TableFailure, failures = Number.POSITIVE_INFINITY) {
  let failed = 0;
  useStillClock();
  const waits = useInstantWaits();
  const replica = mapReplica();
  const local = new LocalLog(replica);
  let duringCommit = () => {};
  local.setHead({ ...noHead, log: 'l' });
  const done: string[] = [];
  const table = {
    commit: async (_: unknown, timeout: number) => {
      done.push(`commit within ${timeout} ms`);
      duringCommit();
      if (failure !== undefined && failed++ < failures) throw failure;
      return 'etag';
    },
  } as Partial<Table> as Table;
  const refresher = {
    read: () => Promise.reject(new Error('Nobody reads here.')),
    async refresh(milliseconds: number) {
      done.push(`refresh within ${milliseconds} ms`);
      // After a failure the tables answer again when it is too late.
      if (failure !== undefined && failures > 9) vi.advanceTimersByTime(budget);
    },
  };
  const { write } = new LogWriter({ table, local, refresher, calendar: 'c', budget });
  const log = { write, read: refresher.read, progress: () => local.progress, close() {} };
  /** Returns what a write does, and how long it waits at most. */
  const doneBy = async (key: string) => {
    done.length = 0;
    waits.length = 0;
    const outcome = await put(log, key, 1).then(
      () => [],
      ({ code, message }: { code: string; message: string }) => [code, message],
    );
    return [...waits.map((wait) => `wait ${wait} ms`), ...done, ...outcome];
  };
  return {
    local,
    replica,
    doneBy,
    pass: (milliseconds: number) => vi.advanceTimersByTime(milliseconds),
    /** A read finds another table, as new as the present one, while a commit is under way. */
    replaceDuringCommit() {
      duringCommit = () => {
        const { version } = local;
        local.clear();
        local.apply([{ key: 'event/9', json: '"new table"', version }]);
        local.setHead({ ...noHead, log: 'another', version, etag: 'new' });
      };
    },
    /** Another process writes, and this one has read of it. */
    othersWrite() {
      const version = local.version + 1;
      local.apply([{ key: `other/${version}`, json: '{}', version }]);
      local.setHead({ ...local.head, version, etag: 'other' });
    },
  };
}

describe('a writer', () => {
  test('that is alone sends at once', async () => {
    const { doneBy } = writer();
    expect([await doneBy('a'), await doneBy('b')]).toEqual(Array(2).fill(['commit within 8000 ms']));
  });

  test('waits up to 100 ms and looks again for half a second after others wrote', async () => {
    const { doneBy, pass, othersWrite } = writer();
    await doneBy('a');
    othersWrite();
    const contended = ['wait 100 ms', 'refresh within 8000 ms', 'commit within 8000 ms'];
    expect(await doneBy('b')).toEqual(contended);
    pass(499);
    expect(await doneBy('c')).toEqual(contended);
    pass(1);
    expect(await doneBy('d')).toEqual(['commit within 8000 ms']);
  });

  test('puts nothing beside the records of a table that replaced its own meanwhile', async () => {
    const { doneBy, replaceDuringCommit, replica, local } = writer();
    await doneBy('event/1');
    replaceDuringCommit();
    await doneBy('event/2');
    expect([[...replica.records.keys()], local.head.log]).toEqual([['event/9'], 'another']);
  });

  test('looks first where the tables were not reachable', async () => {
    const { local, doneBy } = writer();
    local.isReachable = false;
    expect(await doneBy('a')).toEqual(['refresh within 8000 ms', 'commit within 8000 ms']);
  });

  test.each([
    [true, 'calendar-outcome-unknown'],
    [false, 'calendar-unavailable'],
  ])('whose time is over after a failure that may have written (%s) says %s', async (maybe, code) => {
    const { doneBy } = writer(8_000, new TableFailure('unreachable', maybe, new Error('away')));
    expect(await doneBy('a')).toEqual([
      'commit within 8000 ms',
      'refresh within 8000 ms',
      code,
      expect.any(String),
    ]);
  });

  test('that fails sends the same again after up to 20 ms, and twice as long each time', async () => {
    const { doneBy } = writer(8_000, new TableFailure('unreachable', true, new Error('away')), 3);
    const once = ['commit within 8000 ms', 'refresh within 8000 ms'];
    expect(await doneBy('a')).toEqual([
      'wait 20 ms',
      'wait 40 ms',
      'wait 80 ms',
      ...[once, once, once].flat(),
      'commit within 8000 ms',
    ]);
  });

  test.each([
    [50, ['commit within 50 ms']],
    [49, ['calendar-unavailable', 'Cannot save to the calendar: the writes before it took too long.']],
  ])('that has %i ms left', async (budget, done) => {
    expect(await writer(budget).doneBy('a')).toEqual(done);
  });
});
