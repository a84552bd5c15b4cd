/** Pages of lists and feeds, cached until the calendar changes. */

import { createCache } from '../../../shared/cache.ts';

/** Bytes of memory. */
export const maxPageBytes = 8 * 2 ** 20;
/** Bytes of an entry besides its page and its key. */
const overhead = 500;
/** Keys of pages that were requested once, at most. */
const maxRequestedOnce = 1000;

/** A page that is asked for, and how it is made. */
export interface PageOptions<Page> {
  /** The replica's present revision. */
  readonly revision: number;
  /** Names everything that the page depends on. */
  readonly cacheKey: unknown;
  readonly make: () => Page;
  readonly bytesOf: (page: Page) => number;
}

interface CachedPage {
  readonly page: object;
  readonly bytes: number;
}

/** Caches a page with its second request. Most pages are requested once, and cached they would outlive the fast collections of the heap. */
export class PageCache {
  readonly #pages = createCache<string, CachedPage>({
    name: 'pages of the calendar',
    bytes: { max: maxPageBytes, of: ({ bytes }, key) => bytes + 2 * key.length + overhead },
  });
  readonly #requestedOnce = createCache<string, true>({ maxEntries: maxRequestedOnce });
  #revision = -1;

  /** Returns the page of a key, made by this call or by an earlier one of the same revision. */
  of<Page extends object>({ revision, cacheKey, make, bytesOf }: PageOptions<Page>): Page {
    if (revision !== this.#revision) this.#clear(revision);
    const key = JSON.stringify(cacheKey);
    const cached = this.#pages.get(key)?.page as Page | undefined;
    if (cached !== undefined) return cached;
    const page = make();
    if (this.#requestedOnce.get(key)) this.#pages.set(key, { page, bytes: bytesOf(page) });
    else this.#requestedOnce.set(key, true);
    return page;
  }

  #clear(revision: number): void {
    this.#pages.clear();
    this.#requestedOnce.clear();
    this.#revision = revision;
  }
}
