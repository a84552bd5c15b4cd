/** Fake timers, for tests of what happens after a time. */

import { syncBuiltinESMExports } from 'node:module';
import timersPromises, { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Replaces the timers, with `clock` the monotonic clock too, and leaves everything else that is asynchronous, such as the network, until the test ends. */
export function useFakeTimeouts({ clock = false } = {}): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', ...(clock ? (['performance'] as const) : [])] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Waits until somebody has set a timer. The time stands still, other than with `vi.waitUntil`. */
export async function timerIsSet(): Promise<void> {
  while (vi.getTimerCount() === 0) await nextTurn();
}

/** Sets the clock (`Date`) to a moment until the test ends. Returns what moves it on, by so many milliseconds. */
export function useFakeClock(now = Date.now()): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return (milliseconds) => {
    vi.setSystemTime(Date.now() + milliseconds);
  };
}

/**
 * Has waits of `node:timers/promises` take no time until the test ends, and random numbers be this one. Returns the milliseconds of
 * each wait, as they come; of random waits the longest, unless told.
 */
export function useInstantWaits(random = 1): number[] {
  const waits: number[] = [];
  const numbers = vi.spyOn(Math, 'random').mockReturnValue(random);
  const timers = vi
    .spyOn(timersPromises, 'setTimeout')
    .mockImplementation(async (milliseconds = 0, value) => {
      waits.push(milliseconds);
      await nextTurn();
      return value as never;
    });
  syncBuiltinESMExports();
  onTestFinished(() => {
    timers.mockRestore();
    numbers.mockRestore();
    syncBuiltinESMExports();
  });
  return waits;
}
