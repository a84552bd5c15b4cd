/** Shares: of something that there is only so much of, such as requests in flight or bytes of their bodies, no caller takes more than a part. */

import { CodedError } from '../errors.ts';
import { offerGauge } from '../telemetry/gauges.ts';

/** Seconds after which a caller who is refused may try again. */
const retryAfter = 1;

/** Runs work that takes an amount on a caller's account, or throws `overloaded` (503, retry in a second). */
export type RunWithin = <T>(caller: string, amount: number, work: () => Promise<T>) => Promise<T>;

/** Creates the function that runs work within `max` for all callers together and `maxOfOne` for each. `what` there is too much of stands in the message; `budget` is the name of all this in the metrics. With `insists`, who has gone beyond their own share is refused until the time after which they were told to try again is over, so that those who do not wait cost no more than the refusal. */
export function createShares(
  max: number,
  maxOfOne: number,
  {
    what = 'too much is',
    budget,
    insists = false,
  }: { readonly what?: string; readonly budget?: string; readonly insists?: boolean } = {},
): RunWithin {
  const taken = new Map<string, number>();
  /** By caller, those told last at the end. */
  const mayRetry = new Map<string, number>();
  let total = 0;

  function add(caller: string, amount: number): void {
    const own = (taken.get(caller) ?? 0) + amount;
    total += amount;
    if (own === 0) taken.delete(caller);
    else taken.set(caller, own);
  }

  function isBeyondShare(caller: string, amount: number): boolean {
    const now = performance.now();
    for (const [one, time] of mayRetry) {
      if (time > now) break;
      mayRetry.delete(one);
    }
    if (mayRetry.has(caller)) return true;
    const isBeyond = (taken.get(caller) ?? 0) + amount > maxOfOne;
    if (isBeyond && insists) mayRetry.set(caller, now + retryAfter * 1000);
    return isBeyond;
  }

  if (budget !== undefined) {
    const labels = { 'app.budget': budget };
    offerGauge('budgetUsed', budget, () => [[total, labels]]);
    offerGauge('budgetLimit', budget, () => [[max, labels]]);
  }

  return async (caller, amount, work) => {
    if (amount > 0 && (isBeyondShare(caller, amount) || total + amount > max))
      throw new CodedError('overloaded', `Cannot answer now: ${what} in flight.`, { retryAfter });
    add(caller, amount);
    try {
      return await work();
    } finally {
      add(caller, -amount);
    }
  };
}
