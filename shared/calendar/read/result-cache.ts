/** Results of lists, cached until the calendar changes. */

import { type Cache, createCache } from '../../cache.ts';

/** Lists that are cached, at most. */
const maxLists = 40;

export class ResultCache {
  readonly #results: Cache<string, object> = createCache({ maxEntries: maxLists });
  #revision = -1;

  /** Returns the result under a key, found now or since the replica's present revision. `cacheKey` names all that the result depends on. What `isCacheable` denies is found anew each time. */
  of<T extends object>(
    revision: number,
    cacheKey: unknown,
    find: () => T,
    isCacheable?: (found: T) => boolean,
  ): T {
    if (revision !== this.#revision) {
      this.#results.clear();
      this.#revision = revision;
    }
    const key = JSON.stringify(cacheKey);
    const cached = this.#results.get(key) as T | undefined;
    if (cached !== undefined) return cached;
    const found = find();
    if (isCacheable?.(found) ?? true) this.#results.set(key, found);
    return found;
  }
}
