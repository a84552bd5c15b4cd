/** When calls count as stalled, on a clock that stands still unless it is moved on. */

import { expect, test, vi } from 'vitest';
import { StallDetector } from '../../../../shared/limits/stall-detector.ts';
import { useFakeTimeouts } from '../../../support/timers.ts';

const silence = new Error('No answer');

function detectorWithClock() {
  const clock = { now: 10_000 };
  const stall = new StallDetector(
    (error) => error !== silence,
    () => clock.now,
  );
  return { clock, stall };
}

/** Has a call take three seconds, and then fail with an error. */
async function failLate({ clock, stall }: ReturnType<typeof detectorWithClock>, error: Error) {
  const end = Promise.withResolvers<void>();
  const call = stall.watch(() => end.promise);
  clock.now += 3_000;
  end.reject(error);
  await expect(call).rejects.toBe(error);
}

test('calls are stalled three seconds after the first of them began, while none has been answered', async () => {
  const { clock, stall } = detectorWithClock();
  expect([stall.isStalled, stall.inFlight]).toEqual([false, 0]);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const calls = [stall.watch(() => first.promise)];
  clock.now += 2_000;
  calls.push(stall.watch(() => second.promise));
  clock.now += 999;
  expect([stall.isStalled, stall.inFlight]).toEqual([false, 2]);
  clock.now += 1;
  expect(stall.isStalled).toBe(true);
  first.resolve('answer');
  expect(await calls[0]).toBe('answer');
  expect([stall.isStalled, stall.inFlight]).toEqual([false, 1]);
  clock.now += 3_000;
  expect(stall.isStalled).toBe(true);
  second.resolve('answer');
  await calls[1];
  expect([stall.isStalled, stall.inFlight]).toEqual([false, 0]);
});

test.each([
  ['that is an answer', new Error('Divide by zero'), false],
  ['of no answer', silence, true],
])('an error %s ends a stall: %#', async (_, error, isSilent) => {
  const detector = detectorWithClock();
  const { stall } = detector;
  await failLate(detector, error);
  expect([stall.isSilent, stall.isStalled]).toEqual([isSilent, false]);
});

test('calls behind others that were given up are stalled at once, until one is answered', async () => {
  const detector = detectorWithClock();
  const { clock, stall } = detector;
  await failLate(detector, silence);
  const next = Promise.withResolvers<void>();
  const nextCall = stall.watch(() => next.promise);
  expect([stall.isStalled, stall.inFlight]).toEqual([true, 1]);
  next.resolve();
  await nextCall;
  clock.now += 3_000;
  void stall.watch(() => new Promise(() => {}));
  expect([stall.isStalled, stall.inFlight]).toEqual([false, 1]);
});

test('those who ask at once share one question', async () => {
  const { stall } = detectorWithClock();
  const question = vi.fn(async () => {});
  expect(await Promise.all([stall.answers(question), stall.answers(question)])).toEqual([true, true]);
  expect(question).toHaveBeenCalledTimes(1);
  expect(await stall.answers(() => Promise.reject(new Error('Divide by zero')))).toBe(true);
  expect(await stall.answers(() => Promise.reject(silence))).toBe(false);
});

test('a question that is not answered within a second has no answer', async () => {
  const { stall } = detectorWithClock();
  useFakeTimeouts();
  const answers = stall.answers(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answers).toBe(false);
});
