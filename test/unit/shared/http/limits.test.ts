import { performance } from 'node:perf_hooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { CodedError } from '../../../../shared/errors.ts';
import { createLimits, type RequestTurns } from '../../../../shared/http/limits.ts';
import { Rests } from '../../../../shared/rests.ts';
import { useInstantWaits, useStillClock } from '../../../support/timers.ts';

const refusal = new CodedError('overloaded', 'Cannot answer now.', { retryAfter: 1 });

function createTurns(): RequestTurns {
  const { turns } = createLimits(readConfig({}), 500, 250);
  if (turns === undefined) throw new Error('There are no turns');
  return turns;
}

/** Refuses so many requests of one caller. Returns in which turn of the event loop each refusal was sent. */
async function refuse(turns: RequestTurns, count: number, error: unknown): Promise<number[]> {
  let turn = 0;
  const next = () => {
    turn += 1;
    running = setImmediate(next);
  };
  let running = setImmediate(next);
  const one = async () => {
    await turns.awaitRefusal('many', error);
    return turn;
  };
  const sent = await Promise.all(Array.from({ length: count }, one));
  clearImmediate(running);
  return sent;
}

test('while others ask, two refusals are sent in three milliseconds, in batches and in their order', async () => {
  // A machine that does other things would be late, and so owe none of them a wait.
  useStillClock();
  const turns = createTurns();
  for (const caller of ['many', 'other', 'many']) await turns.runInTurn(caller, async () => {});
  const start = Date.now();
  const sent = await refuse(turns, 80, refusal);
  expect(Date.now() - start).toBeGreaterThan(100);
  expect(sent.toSorted((a, b) => a - b)).toEqual(sent);
  const batches = new Set(sent).size;
  expect([batches > 1, batches < 20]).toEqual([true, true]);
});

test('who is alone is refused at once, and other errors do not wait', async () => {
  const turns = createTurns();
  await turns.runInTurn('many', async () => {});
  expect(await refuse(turns, 100, refusal)).toEqual(Array(100).fill(0));
  await turns.runInTurn('other', async () => {});
  const error = new CodedError('object-not-found', 'Cannot find it.');
  expect(await refuse(turns, 100, error)).toEqual(Array(100).fill(0));
});

test.each(['token-invalid', 'too-many-sign-ins', 'overloaded', 'database-busy'] as const)(
  'refusals by %s wait for the next ten milliseconds, and for 130 at most, unless it is two or less until then',
  async (code) => {
    useStillClock();
    vi.advanceTimersByTime(1_000);
    const waits = useInstantWaits();
    const turns = createTurns();
    const batches: number[] = [];
    for (let number = 0; number < 315; number++) {
      await turns.runInTurn('other', async () => {});
      await turns.awaitRefusal('many', new CodedError(code, 'No.', { retryAfter: 1, facts: {} as never }));
      batches.push(waits.length);
    }
    expect(batches.slice(0, 23)).toEqual([
      ...Array(2).fill(0),
      ...Array(5).fill(1),
      ...Array(7).fill(2),
      ...Array(7).fill(3),
      4,
      4,
    ]);
    expect(waits).toEqual(Array.from({ length: 13 }, (_, index) => 10 * (index + 1)));
  },
);

test('a refusal of a request that has waited already does not wait for longer than the others', async () => {
  useStillClock();
  vi.advanceTimersByTime(1_000);
  const waits = useInstantWaits();
  const turns = createTurns();
  const refuseAfter = async (milliseconds: number) => {
    await turns.runInTurn('other', async () => {});
    await turns.awaitRefusal('many', refusal, 1_000 - milliseconds);
  };
  for (let number = 0; number < 100; number++) await refuseAfter(0);
  const before = waits.length;
  for (const milliseconds of [0, 60, 128, 5_000]) await refuseAfter(milliseconds);
  expect(waits.slice(before)).toEqual([70]);
});

test('what has failed for a reason is no refusal', async () => {
  const waits = useInstantWaits();
  const turns = createTurns();
  const failure = new CodedError('database-unavailable', 'No.', { cause: new Error('It is down.') });
  for (let number = 0; number < 10; number++) {
    await turns.runInTurn('other', async () => {});
    await turns.awaitRefusal('many', failure);
  }
  expect(waits).toEqual([]);
});

test('a request that waits behind eight others of its caller can be refused meanwhile', async () => {
  const turns = createTurns();
  let refusable = 0;
  const refused = () => {
    refusable += 1;
    return undefined;
  };
  await Promise.all(
    Array.from({ length: 20 }, () => turns.runInTurn('a', (awaitStart) => awaitStart(), { refused })),
  );
  expect(refusable).toBe(12);
});

test('a request that waits for others than the thread keeps none of its caller back', async () => {
  const [now, active] = [vi.spyOn(performance, 'now'), vi.spyOn(performance, 'eventLoopUtilization')];
  onTestFinished(() => {
    for (const mock of [now, active]) mock.mockRestore();
  });
  now.mockReturnValue(10_000);
  active.mockReturnValue({ active: 0, idle: 0, utilization: 0 });
  const turns = createTurns();
  await turns.runInTurn('other', async () => {});
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: Promise<void>[] = [];
  const ended = Array.from({ length: 20 }, () => {
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    begun.push(promise);
    return turns.runInTurn('many', async (awaitStart, offThread) => {
      await awaitStart();
      begin();
      await offThread?.(() => end);
    });
  });
  // While the clock stands still no rest would be over.
  await Promise.all(begun);
  await turns.runInTurn('many', (awaitStart) => awaitStart());
  resolve();
  await Promise.all(ended);
});

test('a request that would wait for more than four seconds is refused at once', async () => {
  const waitOf = vi.spyOn(Rests.prototype, 'waitOf');
  onTestFinished(() => waitOf.mockRestore());
  const turns = createTurns();
  const outcomeAfter = (milliseconds: number) => {
    waitOf.mockReturnValue(milliseconds);
    return turns
      .runInTurn('a', (awaitStart) => awaitStart())
      .then(
        () => 'served',
        ({ code, retryAfter }: CodedError) => [code, retryAfter],
      );
  };
  expect(await outcomeAfter(4_000)).toBe('served');
  expect(await outcomeAfter(4_001)).toEqual(['overloaded', 1]);
});
