/** Links in texts and websites to pages of the site that is imported: those of its records are references here, others are listed. */

import { comparablePath, pagePathOf } from '../../../functions/calendar/model/page-paths.ts';
import type { AnyPost } from '../../../functions/calendar/model/records.ts';
import {
  isPageReference,
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
import { hostOf, ownAddresses } from './source-name.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';
import type { ReadViews, SourceViews } from './views.ts';

/** A link to a page, as a value of an attribute. */
const link = /(?<=\shref=")[^"]+(?=")/gi;
/** Paths of files, which are no pages: by the name, or where they lie. */
const file = /\.(?!(?:php\d?|html?|aspx?|jsp)$)[a-z][a-z0-9]{1,4}$|\.7z$|\/wp-content\/./i;

/** Checks whether an address is that of a file, which is copied or listed as such. */
export function isFile({ pathname }: URL): boolean {
  return file.test(pathname);
}

/** The pages of the records of a source: references by the keys of their addresses (see pageKey). */
export type SourcePages = ReadonlyMap<string, string>;

/** Returns the pages of the records that a source shows. That of a recurring event as a whole is the one of its next date. */
export function pagesOf(views: Pick<ReadViews, 'occurrences'> & SourceViews, now: string): SourcePages {
  const pages = new Map<string, string>();
  const nextDates = new Map<string, { readonly start: string; readonly reference: string }>();
  for (const [kind, view] of views) {
    const id = idIn(view['id']);
    if (isTermKind(kind) || id === undefined) continue;
    const { url } = view;
    if (typeof url !== 'string' || !URL.canParse(url)) continue;
    const reference = pageReference(kind, id);
    pages.set(pageKey(new URL(url)), reference);
    pages.set(pageKey(new URL(`/?p=${id}`, url)), reference);
    const { path } = (kind === 'event' && views.occurrences.get(id)) || {};
    if (path === undefined) continue;
    const whole = pageKey(new URL(`/${path}/`, url));
    const start = String(view['utc_start_date']);
    const before = nextDates.get(whole)?.start;
    // The first one that is to come, else the last one.
    const isNext = before === undefined || (before < now ? start > before : start >= now && start < before);
    if (!isNext) continue;
    nextDates.set(whole, { start, reference });
    pages.set(pageKey(new URL(`/?tribe_events=${path.split('/').at(-1)}`, url)), reference);
  }
  for (const [whole, { reference }] of nextDates) if (!pages.has(whole)) pages.set(whole, reference);
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

/** Returns the links in the texts of a view, and its website. */
export function linksIn({ description, excerpt, website }: View): string[] {
  const texts = [description, excerpt].filter((text) => typeof text === 'string');
  const links = texts.flatMap((text) => Array.from(text.matchAll(link), ([address]) => address));
  return [...links, ...(typeof website === 'string' ? [website] : [])].map(unescaped);
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

/** Returns the links to other pages of the source, which end with it, with the keys of the records that have them. */
export function endingLinks(source: string, { replica }: Target): string[] {
  const isOwn = ownAddresses(source);
  return postsOf(replica).flatMap((post) => {
    const { website = '' } = post;
    const base = pageIn(source, post);
    const links = Array.from(textsOf(post).join('\n').matchAll(link), ([text]) => unescaped(text));
    const addresses = links.filter(isOfSource).map((text) => URL.parse(text, base));
    const ending = [...addresses, URL.parse(unescaped(website))].filter(
      (url) => url !== null && isOwn(url.href) && !isFile(url),
    );
    return [...new Set(ending.map((url) => String(url)))].map((url) => `${keyOf(post)} ${url}`);
  });
}

/** Checks whether a link may lead to the source: a place in the same page, or the page of a record, does not. */
function isOfSource(link: string): boolean {
  return !link.startsWith('#') && !isPageReference(link);
}

/** Returns the address that the page of a record has in the source, to which its relative links belong. */
export function pageIn(source: string, post: AnyPost): string {
  return `${source}${pagePathOf(post)}`;
}

/**
 * The host and path of a page, or what its address names in the query: a number, or a slug and the day of an occurrence, as on a site without
 * words in its addresses (`/?tribe_events=choir&eventDate=2027-04-01`).
 */
export function pageKey(url: URL): string {
  const named = namesOfQuery.find((name) => url.searchParams.get(name));
  if (named === undefined) return `${hostOf(url.href)}/${comparablePath(url.pathname)}`;
  const values = [named, 'eventDate'].flatMap((name) => url.searchParams.get(name) ?? []);
  return `${hostOf(url.href)}?${named}=${comparablePath(values.join('/'))}`;
}

/** Names in the query of an address that tell which page it is. */
const namesOfQuery = [
  'p',
  'tribe_events',
  'tribe_venue',
  'tribe_organizer',
  'page_id',
  'attachment_id',
  'cat',
] as const;
