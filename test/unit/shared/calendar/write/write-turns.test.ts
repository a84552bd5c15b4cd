import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('who has more than eight writes at once, while others write,', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Turns, and writes that take so many milliseconds, with what came of each. */
  function setUp() {
    const { run } = createWriteTurns();
    const outcomes: string[] = [];
    return {
      outcomes,
      write: (caller: string, milliseconds: number) =>
        void run([caller], maxWait, () => new Promise<void>((done) => setTimeout(done, milliseconds))).then(
          () => outcomes.push(caller),
          ({ code }) => outcomes.push(`${caller} ${code}`),
        ),
    };
  }

  test('rests between them, and others go at once meanwhile', async () => {
    const { outcomes, write } = setUp();
    write('other', 10);
    for (let count = 0; count < 40; count++) write('many', 10);
    await vi.advanceTimersByTimeAsync(200);
    // Eight are few, and five more begin together, as long as nobody knows how long they take.
    expect(outcomes).toEqual(['other', ...Array(13).fill('many')]);
    write('other', 10);
    await vi.advanceTimersByTimeAsync(10);
    expect(outcomes.slice(14)).toEqual(['other']);
    await vi.advanceTimersByTimeAsync(200);
    const before = outcomes.length;
    await vi.advanceTimersByTimeAsync(300);
    const written = outcomes.length - before;
    expect([written > 6, written <= 10]).toEqual([true, true]);
  });

  test('is refused at once where the rests would take too long, and when they have', async () => {
    const { outcomes, write } = setUp();
    write('other', 1);
    for (let count = 0; count < 60; count++) write('many', 100);
    for (let second = 0; second < 3; second++) {
      await vi.advanceTimersByTimeAsync(900);
      write('other', 1);
    }
    expect(outcomes).not.toContain('many overloaded');
    write('many', 100);
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes.filter((one) => one === 'many overloaded')).toHaveLength(1);
    for (let second = 0; second < 4; second++) {
      write('other', 1);
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(outcomes.filter((one) => one === 'many overloaded').length).toBeGreaterThan(20);
  });
});
