/** What a process asks of the tables to get up to date: over tables that note what they are asked. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TableFailure } from '../../../../../functions/calendar/log/failure.ts';
import { LocalLog, synchronise } from '../../../../../functions/calendar/log/local-log.ts';
import { noHead } from '../../../../../functions/calendar/log/rows.ts';
import type { Table } from '../../../../../functions/calendar/log/table.ts';
import { mapReplica } from '../../../../support/calendar-log.ts';
import { useInstantWaits } from '../../../../support/timers.ts';

const end = Number.MAX_SAFE_INTEGER;

/** A log of a number of versions, each of another record, and a process that has those up to `known`. */
async function logOf(versions: number, known = 0) {
  const state = { version: versions, log: 'first' };
  const asked: [after: number, upTo: number][] = [];
  let inFlight = 0;
  let most = 0;
  let failures: unknown[] = [];
  let successesBefore = 0;
  const table: Table = {
    head: async () => ({ ...noHead, ...state, etag: 'e' }),
    async page(after, upTo) {
      asked.push([after, upTo]);
      inFlight += 1;
      most = Math.max(most, inFlight);
      await nextTurn();
      inFlight -= 1;
      if (successesBefore > 0) successesBefore -= 1;
      else if (failures.length > 0) throw failures.shift();
      const last = Math.min(upTo, state.version);
      // A long log has lost all but the last record of each page.
      const first = versions > 10_000 ? Math.max(after, last - 1) : after;
      const changes = Array.from({ length: Math.max(0, last - first) }, (_, index) => ({
        key: `event/${first + 1 + index}`,
        json: '{}',
        version: first + 1 + index,
      }));
      return { changes, next: undefined };
    },
    commit: () => Promise.reject(new Error('Nobody writes.')),
    past: async () => ({ rows: [], next: undefined }),
    remove: async () => {},
    noteSweep: async () => false,
    draft: async () => undefined,
    putDraft: async () => {},
    create: async () => {},
    close() {},
  };
  const replica = mapReplica();
  const applied: number[] = [];
  const local = new LocalLog({
    apply(changes) {
      applied.push(changes.length);
      replica.apply(changes);
    },
    clear: () => replica.clear(),
  });
  if (known > 0) {
    state.version = known;
    await synchronise(table, local);
    state.version = versions;
    for (const list of [asked, applied]) list.length = 0;
  }
  return {
    state,
    asked,
    applied,
    local,
    replica,
    mostAtOnce: () => most,
    failWith: (...errors: unknown[]) => {
      failures = errors;
    },
    /** Has calls fail after a number of successful ones. */
    failAfter(successes: number, ...errors: unknown[]) {
      successesBefore = successes;
      failures = errors;
    },
    synchronise: () => synchronise(table, local),
  };
}

describe('synchronise()', () => {
  test.each<[versions: number, known: number, asked: [number, number][]]>([
    [1_000, 0, [[0, end]]],
    [
      1_001,
      0,
      [
        [0, 500],
        [500, 1_001],
        [1_001, end],
      ],
    ],
    [1_007, 7, [[7, end]]],
    [
      2_008,
      7,
      [
        [7, 674],
        [674, 1_341],
        [1_341, 2_008],
        [2_008, end],
      ],
    ],
  ])('reads %i versions, of which %i are known, in ranges of up to 1,000', async (versions, known, asked) => {
    const log = await logOf(versions, known);
    await log.synchronise();
    expect(log.asked).toEqual(asked);
    expect([log.local.version, log.local.records]).toEqual([versions, versions]);
  });

  test('reads a long log in 256 ranges, four of them at once', async () => {
    const log = await logOf(257_000);
    await log.synchronise();
    expect([log.asked.length, log.asked[1], log.asked.at(-2), log.mostAtOnce()]).toEqual([
      257,
      [1_003, 2_007],
      [255_996, 257_000],
      4,
    ]);
  });

  test('applies a first load range by range, and what comes later all at once', async () => {
    const first = await logOf(1_500);
    await first.synchronise();
    expect(first.applied).toEqual([750, 750]);
    const later = await logOf(1_600, 100);
    await later.synchronise();
    expect(later.applied).toEqual([1_500]);
  });

  test('asks for no rows while the head stands', async () => {
    const log = await logOf(5, 5);
    await log.synchronise();
    expect(log.asked).toEqual([]);
  });

  test('loads a log anew that is another one, or shorter', async () => {
    const another = await logOf(5, 5);
    another.state.log = 'second';
    await another.synchronise();
    const shorter = await logOf(4, 5);
    await shorter.synchronise();
    expect([another.asked, shorter.asked, shorter.local.records]).toEqual([[[0, end]], [[0, end]], 4]);
  });

  describe('while the tables do not answer', () => {
    const unreachable = () => new TableFailure('unreachable', false, new Error('away'));

    test('asks four times, after 100, 200 and 400 ms at most, and then says so', async () => {
      const waits = useInstantWaits();
      const log = await logOf(3);
      log.failWith(unreachable(), unreachable(), unreachable());
      await log.synchronise();
      expect([log.asked.length, log.local.version, waits]).toEqual([4, 3, [100, 200, 400]]);
      const given = await logOf(3);
      given.failWith(...Array.from({ length: 4 }, unreachable));
      await expect(given.synchronise()).rejects.toMatchObject({ reason: 'unreachable' });
      expect(given.asked).toHaveLength(4);
    });

    const busy = (retryAfterMs = 0) =>
      new TableFailure('unreachable', true, new Error('busy'), { retryAfterMs });

    test('asks for rows until it gets them, while they answer that they are too busy', async () => {
      const waits = useInstantWaits();
      const log = await logOf(3);
      log.failWith(busy(), busy(7_000), busy(), busy(), busy(), busy(), busy(), busy());
      await log.synchronise();
      expect([log.local.version, waits]).toEqual([3, [100, 7_200, 400, 800, 1_600, 3_200, 5_000, 5_000]]);
    });

    test('keeps what a load has applied before it failed, shows it to nobody, and goes on after it', async () => {
      useInstantWaits();
      const log = await logOf(3_000);
      log.failAfter(1, ...Array.from({ length: 12 }, unreachable));
      await expect(log.synchronise()).rejects.toMatchObject({ reason: 'unreachable' });
      log.failWith();
      expect(log.local.progress).toEqual({ version: 1_000, wanted: 3_000, records: 1_000, isWhole: false });
      log.asked.length = 0;
      log.state.version = 3_100;
      await log.synchronise();
      expect(log.asked.map(([after]) => after)).toEqual([1_000, 1_700, 2_400, 3_100]);
      expect(log.local.progress).toEqual({ version: 3_100, wanted: 3_100, records: 3_100, isWhole: true });
    });

    test.each([
      ['another one', { log: 'second' }],
      ['shorter than that', { version: 900 }],
    ])('begins anew where the log is %s meanwhile', async (_what, change) => {
      useInstantWaits();
      const log = await logOf(3_000);
      log.failAfter(1, ...Array.from({ length: 12 }, unreachable));
      await expect(log.synchronise()).rejects.toMatchObject({ reason: 'unreachable' });
      log.failWith();
      log.asked.length = 0;
      Object.assign(log.state, change);
      await log.synchronise();
      expect(log.asked[0]?.[0]).toBe(0);
      expect(log.local.records).toBe(log.state.version);
    });

    test('does not ask again for any other reason', async () => {
      const log = await logOf(3);
      log.failWith(new TableFailure('conflict', false, new Error('no')));
      await expect(log.synchronise()).rejects.toMatchObject({ reason: 'conflict' });
      expect(log.asked).toHaveLength(1);
    });
  });
});
