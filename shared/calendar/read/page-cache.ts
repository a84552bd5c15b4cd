/** Pages of lists and feeds, cached until the calendar changes. */

import { createCache } from '../../cache.ts';

/** Bytes of memory. */
export const maxPageBytes = 8 * 2 ** 20;
/** Bytes of an entry besides its page and its key. */
const overhead = 500;

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

export class PageCache {
  readonly #pages = createCache<string, CachedPage>({
    name: 'pages of the calendar',
    bytes: { max: maxPageBytes, of: ({ bytes }, key) => bytes + 2 * key.length + overhead },
  });
  #revision = -1;

  /** Returns the page of a key, made by this call or since the present revision. */
  of<Page extends object>({ revision, cacheKey, make, bytesOf }: PageOptions<Page>): Page {
    if (revision !== this.#revision) this.#pages.clear();
    this.#revision = revision;
    const key = JSON.stringify(cacheKey);
    const cached = this.#pages.get(key)?.page as Page | undefined;
    if (cached !== undefined) return cached;
    const page = make();
    this.#pages.set(key, { page, bytes: bytesOf(page) });
    return page;
  }
}
