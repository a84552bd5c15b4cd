import { expect, test, vi } from 'vitest';
import { createWriteTurns, maxWait } from '../../../../../shared/calendar/write/write-turns.ts';

test('one write has its turn, 200 wait, and the next is refused at once', async () => {
  const { run } = createWriteTurns();
  const { promise: slow, resolve: end } = Promise.withResolvers<void>();
  let running = 0;
  const write = (caller: number) =>
    run([`caller ${caller}`], 60_000, async () => {
      running += 1;
      await slow;
      return 'written';
    });
  const writes = Array.from({ length: 201 }, (_, caller) => write(caller));
  expect(running).toBe(1);
  await expect(write(999)).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'overloaded',
    message: 'Cannot save to the calendar now: too many writes wait.',
    retryAfter: 1,
  });
  end();
  expect(new Set(await Promise.all(writes))).toEqual(new Set(['written']));
  expect(running).toBe(201);
});

test('a write waits six seconds for its turn', async () => {
  vi.useFakeTimers();
  try {
    const { run } = createWriteTurns();
    void run(['ann'], maxWait, () => new Promise(() => {}));
    const outcome = run(['bob'], maxWait, async () => 'written').catch(({ code }) => code);
    let found: unknown;
    void outcome.then((value) => {
      found = value;
    });
    await vi.advanceTimersByTimeAsync(5_999);
    expect(found).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(found).toBe('overloaded');
  } finally {
    vi.useRealTimers();
  }
});
