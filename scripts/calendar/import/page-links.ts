/** Links in texts to pages of the site that is imported: those of its records are references here, others are listed. */

import type { AnyPost, CalendarRecord } from '../../../functions/calendar/model/records.ts';
import { pageReference, withOwnPages } from '../../../functions/calendar/model/text/own-pages.ts';
import { isTermKind } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { postsOf } from './in-the-way.ts';
import { ownAddresses } from './pictures.ts';
import { idIn } from './record.ts';
import { section } from './report.ts';
import { hostOf } from './source-name.ts';
import type { Target } from './target.ts';
import type { SourceViews } from './views.ts';

/** A link to a page, as a value of an attribute. */
const link = /(?<=\shref=")[^"]+(?=")/gi;
/** What is no page: files, and what is copied or listed as such. */
const file = /\/wp-content\/|\.\w{2,5}$/i;

/** The pages of the records of a source: references by the host and path of their addresses. */
export type SourcePages = ReadonlyMap<string, string>;

/** Returns the pages of the records that a source shows. */
export function pagesOf(views: SourceViews): SourcePages {
  const pages = new Map<string, string>();
  for (const [kind, view] of views) {
    const id = idIn(view['id']);
    if (isTermKind(kind) || id === undefined) continue;
    const { url } = view;
    if (typeof url !== 'string' || !URL.canParse(url)) continue;
    const reference = pageReference(kind, id);
    pages.set(pageKey(new URL(url)), reference);
    pages.set(pageKey(new URL(`/?p=${id}`, url)), reference);
  }
  return pages;
}

/** Returns HTML with references in place of links to pages of records of the source. */
export function withPageReferences(html: string, source: string, pages: SourcePages): string {
  return html.replace(link, (address) => {
    const url = URL.parse(address.replace(/&(?:amp|#0?38);/g, '&'), source);
    const reference = url === null ? undefined : pages.get(pageKey(url));
    return reference === undefined ? address : reference + (url?.hash ?? '');
  });
}

/** Returns a record whose texts have such references. */
export function withReferences<R extends CalendarRecord>(record: R, source: string, pages: SourcePages): R {
  const { description, excerpt } = record as Partial<AnyPost>;
  return {
    ...record,
    ...(description === undefined || !('slug' in record)
      ? {}
      : { description: withPageReferences(description, source, pages) }),
    ...(excerpt === undefined ? {} : { excerpt: withPageReferences(excerpt, source, pages) }),
  };
}

/** Returns a text of a view as it is shown here, with the addresses of references. */
export function asShownHere(html: string, source: string, pages: SourcePages, { context }: Target): string {
  return withOwnPages(withPageReferences(html, source, pages), context.site.url);
}

/** Returns the lines of a report about links to other pages of the source, which end with it. */
export function endingLinkLines(source: string, { replica }: Target): string[] {
  const isOwn = ownAddresses(source);
  const links = postsOf(replica).flatMap((post) => {
    const { description = '', excerpt = '' } = post;
    const addresses = Array.from(`${description}\n${excerpt}`.matchAll(link), ([text]) =>
      URL.parse(text.replaceAll('&amp;', '&'), /^[a-z]+:|^\/\//i.test(text) ? source : undefined),
    );
    const ending = addresses.filter((url) => url !== null && isOwn(url.href) && !file.test(url.pathname));
    return [...new Set(ending.map((url) => String(url)))].map((url) => `${keyOf(post)} ${url}`);
  });
  return section('Links to pages that end with the old site', links);
}

/** The host and path of a page, or the number in its address. */
function pageKey(url: URL): string {
  const number = url.searchParams.get('p');
  return hostOf(url.href) + (number === null ? url.pathname.replace(/\/$/, '') : `?p=${number}`);
}
