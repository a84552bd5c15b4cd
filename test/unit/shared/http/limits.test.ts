import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import type { CodedError } from '../../../../shared/errors.ts';
import { createLimits, type RequestTurns } from '../../../../shared/http/limits.ts';
import { Rests } from '../../../../shared/rests.ts';
import { useFakeTimeouts } from '../../../support/timers.ts';

function createTurns(): RequestTurns {
  const { turns } = createLimits(readConfig({}), 500, 250);
  if (turns === undefined) throw new Error('There are no turns');
  return turns;
}

/** Turns at the time 1,000 of a clock that stands still, where two callers have asked. */
async function turnsOfTwo(): Promise<RequestTurns> {
  useFakeTimeouts({ clock: true });
  vi.advanceTimersByTime(1_000);
  const turns = createTurns();
  for (const caller of ['many', 'other', 'many']) await turns.runInTurn(caller, async () => {});
  return turns;
}

/** Lets so many milliseconds pass, and what is due in each happen. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed++) {
    vi.advanceTimersByTime(1);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }
}

/** Replies to so many requests of a caller. Returns the list of what is sent, which grows. */
function reply(
  turns: RequestTurns,
  count: number,
  { caller = 'many', started = globalThis.performance.now() } = {},
): string[] {
  const sent: string[] = [];
  for (let number = 1; number <= count; number++)
    void turns.awaitPace(caller, started).then(() => sent.push(`${caller} ${number}`));
  return sent;
}

test('while others ask, one reply without a turn is sent a millisecond, those of ten milliseconds together and in their order', async () => {
  const turns = await turnsOfTwo();
  const sent = reply(turns, 35);
  const counts: number[] = [];
  for (const milliseconds of [9, 10, 10, 10]) {
    await pass(milliseconds);
    counts.push(sent.length);
  }
  expect(counts).toEqual([10, 20, 30, 35]);
  expect(sent).toEqual(Array.from({ length: 35 }, (_, index) => `many ${index + 1}`));
});

test('who asks for the first time does not wait for all the replies to another', async () => {
  const turns = await turnsOfTwo();
  const many = reply(turns, 100);
  await pass(9);
  const one = reply(turns, 1, { caller: 'other' });
  await pass(10);
  expect([many.length, one.length]).toEqual([19, 1]);
});

test('who is alone does not wait', async () => {
  const turns = createTurns();
  await turns.runInTurn('many', async () => {});
  const sent = reply(turns, 100);
  await nextTurn();
  expect(sent).toHaveLength(100);
});

test('a reply waits until 750 milliseconds after the start of its request, and then keeps no other back', async () => {
  const turns = await turnsOfTwo();
  const sent = reply(turns, 10);
  const late = reply(turns, 20, { started: 255 });
  await pass(4);
  expect([sent.length, late.length]).toEqual([10, 0]);
  await pass(2);
  expect(late).toHaveLength(20);
  const more = reply(turns, 10);
  await pass(6);
  expect(more).toHaveLength(10);
});

test('a request that waits behind eight others of its caller can be refused meanwhile', async () => {
  const turns = createTurns();
  let refusable = 0;
  const refused = () => {
    refusable += 1;
    return undefined;
  };
  await Promise.all(
    Array.from({ length: 20 }, () =>
      turns.runInTurn('a', ({ awaitStart }) => awaitStart(), { refusable: { refused } }),
    ),
  );
  expect(refusable).toBe(12);
});

/** Has the thread's clock stand still; returns what sets it. */
function useStillThread(): (now: number) => void {
  const [now, active] = [vi.spyOn(performance, 'now'), vi.spyOn(performance, 'eventLoopUtilization')];
  onTestFinished(() => {
    for (const mock of [now, active]) mock.mockRestore();
  });
  now.mockReturnValue(10_000);
  active.mockReturnValue({ active: 0, idle: 0, utilization: 0 });
  return (time) => now.mockReturnValue(time);
}

test.each([
  [64 * 1024, 0],
  [64 * 1024 + 1, 0.75],
  [1024 * 1024, 12],
])('after a reply of %i bytes its caller rests for %d milliseconds while others ask', async (bytes, rest) => {
  const setClock = useStillThread();
  const turns = createTurns();
  await turns.runInTurn('other', async () => {});
  await turns.runInTurn('one', async ({ addReply }) => addReply(bytes));
  let hasBegun = false;
  const next = turns.runInTurn('one', async ({ awaitStart }) => {
    await awaitStart();
    hasBegun = true;
  });
  setClock(10_000 + rest - 0.01);
  await turns.runInTurn('other', ({ awaitStart }) => awaitStart());
  expect(hasBegun).toBe(rest === 0);
  setClock(10_000 + rest + 0.01);
  await next;
});

test('a question that was asked before has a turn before new ones that wait', async () => {
  const turns = createTurns();
  const begun: string[] = [];
  const ask = (question: string) =>
    turns.runInTurn(
      '',
      async ({ awaitStart }) => {
        await awaitStart();
        begun.push(question);
      },
      { question },
    );
  await ask('/known');
  const waiting = Array.from({ length: 100 }, (_, index) => ask(`/new/${index}`));
  await ask('/known');
  expect(begun.lastIndexOf('/known')).toBeLessThan(10);
  await Promise.all(waiting);
});

test('a request that waits for others than the thread keeps none of its caller back', async () => {
  useStillThread();
  const turns = createTurns();
  await turns.runInTurn('other', async () => {});
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: Promise<void>[] = [];
  const ended = Array.from({ length: 20 }, () => {
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    begun.push(promise);
    return turns.runInTurn('many', async ({ awaitStart, offThread }) => {
      await awaitStart();
      begin();
      await offThread(() => end);
    });
  });
  // While the clock stands still no rest would be over.
  await Promise.all(begun);
  await turns.runInTurn('many', ({ awaitStart }) => awaitStart());
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
      .runInTurn('a', ({ awaitStart }) => awaitStart())
      .then(
        () => 'served',
        ({ code, retryAfter }: CodedError) => [code, retryAfter],
      );
  };
  expect(await outcomeAfter(4_000)).toBe('served');
  expect(await outcomeAfter(4_001)).toEqual(['overloaded', 1]);
});
