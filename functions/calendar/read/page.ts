/** Pages of a list, their text with its links, and the cache of pages (docs/calendar-contract.md, "Lists"). */

import { crc32 } from 'node:zlib';
import { createCache } from '../../../shared/cache.ts';
import { map, optional } from '../model/fields/parameter.ts';
import { positiveInteger } from '../model/fields/parsers.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { Rendered } from './text-cache.ts';

/** Items of a page without `per_page`. */
const defaultItems = 10;
/** Items of a page, at most: a higher `per_page` is lowered, not rejected. */
export const maxItems = 50;

export const pagingParameters = {
  page: optional(1, positiveInteger('Archive page.')),
  per_page: optional(
    defaultItems,
    map(positiveInteger(`Items per page; above ${maxItems} is lowered to ${maxItems}.`), (value) =>
      Math.min(value, maxItems),
    ),
  ),
};

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
}

/** Parameters of a list, in the order of links; undefined values are omitted. */
export type LinkParameters = Readonly<
  Record<string, string | number | boolean | readonly unknown[] | undefined>
>;

export interface Listing {
  /** JSON in UTF-8. */
  readonly bytes: Buffer;
  readonly etag: string;
  readonly total: number;
  readonly totalPages: number;
}

export interface ListingLinks {
  readonly restUrl: string;
  /** Returns the URL of another page of the list. */
  readonly pageUrl: (page: number) => string;
}

/** The page that was requested. */
export interface PagingValues {
  readonly page: number;
  readonly per_page: number;
}

/** The events of a page, and the number of all events found. */
export interface FoundEvents {
  readonly total: number;
  readonly items: readonly EventEntry[];
}

/** Returns a page of all results. */
export function pageFrom<T>(results: readonly T[], values: PagingValues): Page<T> {
  const { page, per_page } = values;
  return pageOf(
    { items: results.slice((page - 1) * per_page, page * per_page), total: results.length },
    values,
  );
}

/** Returns items as a page. */
export function pageOf<T>(
  { items, total }: { readonly items: readonly T[]; readonly total: number },
  { page, per_page }: PagingValues,
): Page<T> {
  return { items, page, perPage: per_page, total, totalPages: Math.ceil(total / per_page) };
}

/** Joins the texts of a page's items. Links to pages that do not exist are absent. */
export function listing<T>(
  collection: string,
  page: Page<T>,
  links: ListingLinks,
  render: (item: T) => Rendered,
): Listing {
  const { total, totalPages } = page;
  const next = page.page < totalPages ? links.pageUrl(page.page + 1) : undefined;
  const previous = page.page > 1 ? links.pageUrl(page.page - 1) : undefined;
  const otherFields = JSON.stringify({
    rest_url: links.restUrl,
    next_rest_url: next,
    previous_rest_url: previous,
    total,
    total_pages: totalPages,
  });
  const texts = page.items.map(render);
  const bytes = joinTexts(`{"${collection}":[`, texts, `],${otherFields.slice(1)}`, comma);
  return { bytes, etag: etagOf(otherFields, texts, bytes.length), total, totalPages };
}

/** Returns the entity tag of a page, from the checksums of its texts, which are faster than a digest of its bytes. */
function etagOf(rest: string, texts: readonly Rendered[], size: number): string {
  const sums = new Uint32Array(texts.length);
  for (const [index, { sum }] of texts.entries()) sums[index] = sum;
  return `"${crc32(sums, crc32(rest)).toString(36)}-${size.toString(36)}"`;
}

const comma = 0x2c;

/** Joins texts as UTF-8 bytes, with a separator between them where it is given. A joined text would be copied once more. */
export function joinTexts(
  start: string,
  texts: readonly Rendered[],
  end: string,
  separator?: number,
): Buffer {
  const between = separator === undefined ? 0 : Math.max(0, texts.length - 1);
  const size = texts.reduce((sum, text) => sum + text.size, Buffer.byteLength(start + end) + between);
  const bytes = Buffer.allocUnsafeSlow(size);
  let place = bytes.write(start);
  let isFirst = true;
  for (const { text } of texts) {
    if (separator !== undefined && !isFirst) bytes[place++] = separator;
    place += bytes.write(text, place);
    isFirst = false;
  }
  bytes.write(end, place);
  return bytes;
}

/** Writes the query of a URL: spaces as `+`, colons and commas as they are. */
export function queryOf(parameters: LinkParameters): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) pairs.push(`${name}=${encoded(String(value))}`);
  return pairs.join('&');
}

const plainText = /^[\w.,: -]*$/;

function encoded(text: string): string {
  if (plainText.test(text)) return text.replaceAll(' ', '+');
  return encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
}

/** Bytes of memory. */
export const maxPageBytes = 8 * 2 ** 20;
/** Bytes of an entry besides its page and its key. */
const overhead = 500;
/** Keys of pages that were requested once, at most. */
const maxRequestedOnce = 1000;

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
