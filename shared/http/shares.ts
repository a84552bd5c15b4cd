/** Shares: of something that there is only so much of, such as requests in flight or bytes of their bodies, no caller takes more than a part. */

import { CodedError } from '../errors.ts';
import { offerGauge } from '../telemetry/gauges.ts';

/** Runs work that takes an amount on a caller's account, or throws `overloaded` (503, retry in a second). */
export type RunWithin = <T>(caller: string, amount: number, work: () => Promise<T>) => Promise<T>;

/** Creates the function that runs work within `max` for all callers together and `maxOfOne` for each. `what` there is too much of stands in the message; `budget` is the name of all this in the metrics. */
export function createShares(
  max: number,
  maxOfOne: number,
  { what = 'too much is', budget }: { readonly what?: string; readonly budget?: string } = {},
): RunWithin {
  const taken = new Map<string, number>();
  let total = 0;

  function add(caller: string, amount: number): void {
    const own = (taken.get(caller) ?? 0) + amount;
    total += amount;
    if (own === 0) taken.delete(caller);
    else taken.set(caller, own);
  }

  if (budget !== undefined) {
    const labels = { 'app.budget': budget };
    offerGauge('budgetUsed', budget, () => [[total, labels]]);
    offerGauge('budgetLimit', budget, () => [[max, labels]]);
  }

  return async (caller, amount, work) => {
    if (amount > 0 && (total + amount > max || (taken.get(caller) ?? 0) + amount > maxOfOne))
      throw new CodedError('overloaded', `Cannot answer now: ${what} in flight.`, { retryAfter: 1 });
    add(caller, amount);
    try {
      return await work();
    } finally {
      add(caller, -amount);
    }
  };
}
