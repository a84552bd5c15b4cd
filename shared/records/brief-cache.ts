/** Answers that stay good for a few seconds, so that a busy service does not ask the same again for every request. */

import { ExpiringMap } from '../expiring-map.ts';

export interface BriefCache<Value> {
  /** Gives what is known under the key, or loads it; callers that come meanwhile share the load. Failures are not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
}

/** Makes a cache of at most `limit` entries, each kept for `lifetime` milliseconds. */
export function createBriefCache<Value>({
  limit,
  lifetime,
  now = Date.now,
}: {
  readonly limit: number;
  readonly lifetime: number;
  readonly now?: () => number;
}): BriefCache<Value> {
  const loads = new ExpiringMap<string, Promise<Value>>(limit, now);

  return {
    get(key, load) {
      const known = loads.get(key);
      if (known !== undefined) return known;
      const value = load();
      loads.set(key, value, now() + lifetime);
      // A failure expires at once; whoever waits for it gets it from the promise itself.
      value.catch(() => loads.get(key) === value && loads.set(key, value, now()));
      return value;
    },
  };
}
