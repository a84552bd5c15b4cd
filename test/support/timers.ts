/** Fake timers, for tests of what happens after a time. */

import { syncBuiltinESMExports } from 'node:module';
import timersPromises, { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

type Fakes = NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake'];

/** Replaces the timers and clocks that are named until the test ends; they stand still unless they are moved on. `Date` begins at `now`. */
export function useFakes(toFake: NonNullable<Fakes>, now = Date.now()): void {
  vi.useFakeTimers({ toFake, now });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Replaces the timers, with `clock` the monotonic clock too, and leaves everything else that is asynchronous, such as the network, until the test ends. */
export function useFakeTimeouts({ clock = false } = {}): void {
  useFakes(['setTimeout', 'clearTimeout', ...(clock ? (['performance'] as const) : [])]);
}

/** Has the monotonic clock (`performance`) stand still until the test ends, unless `vi.advanceTimersByTime` moves it on. */
export function useStillClock(): void {
  useFakes(['performance']);
}

/** Waits until a timer is set, or some of them. The time stands still, other than with `vi.waitUntil`. */
export async function timerIsSet(count = 1): Promise<void> {
  while (vi.getTimerCount() < count) await nextTurn();
}

/** Sets the clock (`Date`) to a moment until the test ends. Returns the function that advances it by milliseconds. */
export function useFakeClock(now = Date.now()): (milliseconds: number) => void {
  useFakes(['Date'], now);
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
