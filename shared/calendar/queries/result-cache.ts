/** Answers to lists, kept until the calendar changes. */

import { RecentMap } from '../recent-map.ts';

/** Lists kept at the most. */
const keptLists = 40;

export class ResultCache {
  readonly #results = new RecentMap<string, object>(keptLists);
  #revision = -1;

  /** Gives the answer to a question, found now or since the replica's present revision. `question` says all that they depend on. What `isKept` denies is found anew each time. */
  of<T extends object>(
    revision: number,
    question: unknown,
    find: () => T,
    isKept?: (found: T) => boolean,
  ): T {
    if (revision !== this.#revision) {
      this.#results.clear();
      this.#revision = revision;
    }
    const key = JSON.stringify(question);
    const known = this.#results.get(key) as T | undefined;
    if (known !== undefined) return known;
    const found = find();
    if (isKept?.(found) ?? true) this.#results.set(key, found);
    return found;
  }
}
