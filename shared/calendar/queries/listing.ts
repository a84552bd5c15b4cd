/** A page of a list as JSON text, with its links (behaviour section 5). */

import type { Page } from './paging.ts';

/** What a list was asked for, in the order in which links write it; undefined values are left out. */
export type LinkParameters = Readonly<
  Record<string, string | number | boolean | readonly unknown[] | undefined>
>;

export interface Listing {
  readonly text: string;
  readonly total: number;
  readonly totalPages: number;
}

export interface ListingLinks {
  readonly restUrl: string;
  /** Address of the list without its parameters, with those that every page shares. */
  readonly pageUrl: (page: number) => string;
}

/** Joins the texts of a page's items to a reply. Links to pages that do not exist are absent. */
export function listing<T>(
  collection: string,
  page: Page<T>,
  links: ListingLinks,
  textOf: (item: T) => string,
): Listing {
  const { total, totalPages } = page;
  const next = page.page < totalPages ? links.pageUrl(page.page + 1) : undefined;
  const previous = page.page > 1 ? links.pageUrl(page.page - 1) : undefined;
  const rest = JSON.stringify({
    rest_url: links.restUrl,
    next_rest_url: next,
    previous_rest_url: previous,
    total,
    total_pages: totalPages,
  });
  return {
    text: `{"${collection}":[${page.items.map(textOf).join(',')}],${rest.slice(1)}`,
    total,
    totalPages,
  };
}

/** Writes an address with a query: blanks as `+`, colons and commas as they are. */
export function addressOf(base: string, parameters: LinkParameters): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encoded(String(value))}`);
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
}
