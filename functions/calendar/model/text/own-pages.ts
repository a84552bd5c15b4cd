/**
 * Links in HTML texts and websites to pages of our records, by reference: as a path of the site with the id of the record, which leads to its page
 * whatever its slug is by then. An import writes them where a text has the address that the page had on another site.
 */

import type { PostKind } from '../values.ts';

/** Types of posts, as WordPress names them in addresses. */
const types: Readonly<Record<PostKind, string>> = {
  event: 'tribe_events',
  venue: 'tribe_venue',
  organizer: 'tribe_organizer',
};

const reference =
  /(?<=\shref=")\/\?post_type=tribe_(?:events|venue|organizer)&(?:amp|#0?38);p=\d{1,15}(?=["#])/g;

/** Returns the reference to the page of a record, escaped for an attribute. */
export function pageReference(kind: PostKind, id: number): string {
  return `/?post_type=${types[kind]}&amp;p=${id}`;
}

const wholeReference = /^\/\?post_type=tribe_(?:events|venue|organizer)&p=\d{1,15}(?:#[^\s"<>]*)?$/;

/** Checks whether a website is a reference to the page of a record, which is not escaped there. */
export function isPageReference(website: string): boolean {
  return wholeReference.test(website);
}

/** Returns a website as it is shown: a reference as a whole address of the site. */
export function shownWebsite(website: string, siteUrl: string): string {
  return isPageReference(website) ? siteUrl + website : website;
}

/** Returns HTML whose references to pages are whole addresses of the site. */
export function withOwnPages(html: string, siteUrl: string): string {
  if (!html.includes('/?post_type=')) return html;
  return html.replace(reference, (path) => siteUrl + path);
}
