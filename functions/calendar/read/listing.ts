/** A page of a list as the reply that callers see: its records with the links and totals (docs/calendar-contract.md, "Lists"). */

import { CodedError } from '../../../shared/errors.ts';
import { joinTexts } from './join-texts.ts';
import type { Page } from './page.ts';
import { pageTag } from './page-tag.ts';
import type { Rendered } from './text-cache.ts';

/** A page of a list, as it is replied. */
export interface Listing {
  /** JSON in UTF-8. */
  readonly bytes: Buffer;
  readonly etag: string;
  readonly total: number;
  readonly totalPages: number;
}

/** Where a list is, and its other pages. */
export interface ListingLinks {
  readonly restUrl: string;
  /** Returns the URL of another page of the list. */
  readonly pageUrl: (page: number) => string;
}

/** Bytes of the texts of a page, at most: what events link to stands whole in each of them. */
const maxPageBytes = 16 * 2 ** 20;

const comma = 0x2c;

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
  const texts = textsOf(page.items, render);
  const bytes = joinTexts(`{"${collection}":[`, texts, `],${otherFields.slice(1)}`, comma);
  return { bytes, etag: pageTag(otherFields, texts, bytes.length), total, totalPages };
}

/** Renders the items of a page. Throws `page-too-large` where they are too much for one reply; a single one never is. */
export function textsOf<T>(items: readonly T[], render: (item: T) => Rendered): Rendered[] {
  const texts: Rendered[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = render(item);
    texts.push(text);
    bytes += text.size;
    if (bytes > maxPageBytes && items.length > 1)
      throw new CodedError(
        'page-too-large',
        `Cannot show the page: its records have more than ${maxPageBytes / 2 ** 20} MiB with what they link to.`,
        { hint: 'Send a smaller per_page.' },
      );
  }
  return texts;
}
