/** Links in texts and websites to pages of the site that is imported: those of its records are references here, others are listed. */

import {
  pageReference,
  shownWebsite,
  withOwnPages,
} from '../../../functions/calendar/model/text/own-pages.ts';
import { isTermKind } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { withLinkedFrames } from './frames.ts';
import { postsOf } from './in-the-way.ts';
import { idIn } from './record.ts';
import type { View } from './records-of-view.ts';
import { section } from './report.ts';
import { hostOf, ownAddresses } from './source-name.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';
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
function withPageReferences(html: string, source: string, pages: SourcePages): string {
  return html.replace(link, (address) => referenceFor(address, source, pages) ?? address);
}

/** Returns the reference, escaped, for the address of a page of a record; undefined for other addresses. */
function referenceFor(address: string, source: string, pages: SourcePages): string | undefined {
  const url = URL.parse(unescaped(address), source);
  const reference = url === null ? undefined : pages.get(pageKey(url));
  return reference === undefined ? undefined : reference + (url?.hash ?? '');
}

function unescaped(address: string): string {
  return address.replace(/&(?:amp|#0?38);/g, '&');
}

/** Returns a record, or the view of one, whose texts and website have such references. */
export function withReferences<R extends object>(record: R, source: string, pages: SourcePages): R {
  const { description, excerpt, website } = record as Partial<Record<string, unknown>>;
  const text = (html: unknown) => (typeof html === 'string' ? withPageReferences(html, source, pages) : html);
  const reference = typeof website === 'string' ? referenceFor(website, source, pages) : undefined;
  return {
    ...record,
    ...(description === undefined || !('slug' in record) ? {} : { description: text(description) }),
    ...(excerpt === undefined ? {} : { excerpt: text(excerpt) }),
    ...(reference === undefined ? {} : { website: unescaped(reference) }),
  };
}

/** Returns a view of the source as it is shown here, with the addresses of references. */
export function asShownHere(view: View, source: string, pages: SourcePages, { context }: Target): View {
  const { url } = context.site;
  const { website, ...shown } = withReferences(view, source, pages);
  const text = (html: unknown) =>
    typeof html === 'string' ? withOwnPages(withLinkedFrames(html), url) : html;
  return {
    ...shown,
    ...('description' in shown ? { description: text(shown['description']) } : {}),
    ...('excerpt' in shown ? { excerpt: text(shown['excerpt']) } : {}),
    // Without a website the source shows the page of the event itself.
    ...(website === undefined
      ? {}
      : { website: view['website'] === view['url'] ? view['website'] : shownWebsite(String(website), url) }),
  };
}

/** Returns the lines of a report about links to other pages of the source, which end with it. */
export function endingLinkLines(source: string, { replica }: Target): string[] {
  const isOwn = ownAddresses(source);
  const lines = postsOf(replica).flatMap((post) => {
    const { website = '' } = post;
    const links = Array.from(textsOf(post).join('\n').matchAll(link), ([text]) => text);
    const addresses = [...links, website].map((text) =>
      URL.parse(unescaped(text), /^[a-z]+:|^\/\//i.test(text) ? source : undefined),
    );
    const ending = addresses.filter((url) => url !== null && isOwn(url.href) && !file.test(url.pathname));
    return [...new Set(ending.map((url) => String(url)))].map((url) => `${keyOf(post)} ${url}`);
  });
  return section('Links to pages that end with the old site', lines);
}

/** The host and path of a page, or the number in its address. */
function pageKey(url: URL): string {
  const number = url.searchParams.get('p');
  return hostOf(url.href) + (number === null ? url.pathname.replace(/\/$/, '') : `?p=${number}`);
}
