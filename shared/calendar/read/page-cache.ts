/** Pages of lists and feeds, cached until the calendar changes. */

import { type Cache, createCache } from '../../cache.ts';
import { budget } from './budget.ts';

/** Pages, at most: more of them than have room in the budget. */
const maxPages = 2000;
/** A page that takes more than this part of the budget is not cached. */
const largestPart = 4;

interface CachedPage {
  readonly page: object;
  readonly bytes: number;
}

export class PageCache {
  readonly #pages: Cache<string, CachedPage> = createCache({
    maxEntries: maxPages,
    name: 'pages of the calendar',
    bytes: { max: budget.pages, of: ({ bytes }, key) => bytes + sizeOf(key) },
  });
  #revision = -1;

  /** Returns the page under a key, made now or since the replica's present revision. `cacheKey` names all that the page depends on. */
  of<Page extends object>(
    revision: number,
    cacheKey: unknown,
    make: () => Page,
    bytesOf: (page: Page) => number,
  ): Page {
    if (revision !== this.#revision) {
      this.#pages.clear();
      this.#revision = revision;
    }
    const key = JSON.stringify(cacheKey);
    const cached = this.#pages.get(key)?.page as Page | undefined;
    if (cached !== undefined) return cached;
    const page = make();
    const bytes = bytesOf(page);
    if (bytes * largestPart <= budget.pages) this.#pages.set(key, { page, bytes });
    return page;
  }
}

/** Returns the bytes that a text takes in memory, at most: V8 spends two on each character where one of them is beyond U+00FF. */
export function sizeOf(text: string): number {
  return 2 * text.length;
}
