import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createFairStart } from '../../../shared/waiting.ts';
import { useFakeTimeouts } from '../../support/timers.ts';

/** Does nothing else for some milliseconds, as work that computes. */
function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('who comes later begins before most of the requests of one who has many', async () => {
  const { awaitTurn } = createFairStart();
  const begun: string[] = [];
  const request = async (caller: string) => {
    await awaitTurn(caller);
    begun.push(caller);
    compute(10);
  };
  const many = Array.from({ length: 40 }, () => request('many'));
  await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(0);
  const before = begun.length;
  await request('one');
  expect(begun.indexOf('one') - before).toBeLessThan(10);
  await Promise.all(many);
  expect(begun).toHaveLength(41);
});

test('callers take turns, and those of one caller keep their order', async () => {
  const { awaitTurn } = createFairStart();
  const begun: string[] = [];
  const callers = ['a', 'a', 'a', 'b', 'b', 'c'];
  await Promise.all(
    callers.map(async (caller, index) => {
      await awaitTurn(caller);
      begun.push(`${caller}${index}`);
    }),
  );
  expect(begun).toEqual(['a0', 'b3', 'c5', 'a1', 'b4', 'a2']);
});

test('who may not begin yet keeps nobody behind, and begins once it may', async () => {
  const { awaitTurn, waiting } = createFairStart();
  const begun: string[] = [];
  let mayBegin = false;
  const resting = awaitTurn('resting', () => mayBegin).then(() => begun.push('resting'));
  await awaitTurn('other');
  begun.push('other');
  expect([waiting('resting'), waiting('other')]).toEqual([1, 0]);
  mayBegin = true;
  await resting;
  expect(begun).toEqual(['other', 'resting']);
});

test('a signal refuses who waits, and lets those behind begin', async () => {
  const { awaitTurn, waiting } = createFairStart();
  const abort = new AbortController();
  let mayBegin = false;
  const refused = awaitTurn('a', () => false, abort.signal);
  const next = awaitTurn('a', () => mayBegin);
  abort.abort(new Error('too much'));
  await expect(refused).rejects.toThrow('too much');
  await expect(awaitTurn('a', undefined, abort.signal)).rejects.toThrow('too much');
  mayBegin = true;
  await next;
  expect(waiting('a')).toBe(0);
});

test('more begin in each round of the event loop, up to eight, and one after a round of more than five milliseconds', async () => {
  useFakeTimeouts({ clock: true });
  const { awaitTurn } = createFairStart();
  let begun = 0;
  for (let number = 0; number < 100; number++) void awaitTurn(`caller ${number}`).then(() => begun++);
  const rounds: number[] = [];
  for (const milliseconds of [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 0, 5]) {
    vi.advanceTimersByTime(milliseconds);
    const before = begun;
    await nextTurn();
    rounds.push(begun - before);
  }
  expect(rounds).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 1, 2, 3]);
});

test('who may not begin yet is asked again after two milliseconds', async () => {
  useFakeTimeouts({ clock: true });
  const { awaitTurn } = createFairStart();
  let asked = 0;
  void awaitTurn('resting', () => ++asked === 3);
  await nextTurn();
  const found = [asked];
  for (const milliseconds of [1, 1, 1, 1]) {
    vi.advanceTimersByTime(milliseconds);
    await nextTurn();
    found.push(asked);
  }
  expect(found).toEqual([1, 1, 2, 2, 3]);
});
