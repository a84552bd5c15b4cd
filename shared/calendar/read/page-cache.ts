/** Pages of lists and feeds, cached until the calendar changes. A page is cached when it is asked for the second time: most questions come once, and their pages would only be garbage that has grown old. */

import { type Cache, createCache } from '../../cache.ts';
import { budget } from './budget.ts';

/** Pages, at most: more of them than have room in the budget. */
const maxPages = 2000;
/** Keys of pages that were asked for once, at most. */
const maxAskedOnce = 1000;
/** A page that takes more than this part of the budget is not cached. */
const largestPart = 4;

export interface PageOptions<Page> {
  /** The replica's present revision. */
  readonly revision: number;
  /** Names all that the page depends on. */
  readonly cacheKey: unknown;
  readonly make: () => Page;
  readonly bytesOf: (page: Page) => number;
}

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
  readonly #askedOnce = createCache<string, true>({ maxEntries: maxAskedOnce });
  #revision = -1;

  /** Returns the page under a key, made now or since the present revision. */
  of<Page extends object>({ revision, cacheKey, make, bytesOf }: PageOptions<Page>): Page {
    if (revision !== this.#revision) this.#forget(revision);
    const key = JSON.stringify(cacheKey);
    const cached = this.#pages.get(key)?.page as Page | undefined;
    if (cached !== undefined) return cached;
    const page = make();
    if (this.#askedOnce.get(key) === undefined) {
      this.#askedOnce.set(key, true);
      return page;
    }
    const bytes = bytesOf(page);
    if (bytes * largestPart <= budget.pages) this.#pages.set(key, { page, bytes });
    return page;
  }

  #forget(revision: number): void {
    this.#pages.clear();
    this.#askedOnce.clear();
    this.#revision = revision;
  }
}

const twoBytes = /[\u0100-\uffff]/;

/** Returns the bytes that a text takes in memory: V8 spends two on each character where one of them is beyond U+00FF. */
export function sizeOf(text: string): number {
  return twoBytes.test(text) ? 2 * text.length : text.length;
}
