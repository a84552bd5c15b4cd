/** Addresses of records: their pages on the site, and their places in the API. */

import type { PostKind, TermRecord } from '../model/records.ts';
import type { Site } from '../model/site.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { TermSet } from '../replica/term-set.ts';

const collections = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const;

/** Type names of the platform that clients know, as they stand in addresses and terms. */
const postTypes: Readonly<Record<PostKind, string>> = {
  event: 'tribe_events',
  venue: 'tribe_venue',
  organizer: 'tribe_organizer',
};
export const taxonomies = { category: 'tribe_events_cat', tag: 'post_tag' } as const;

/** Gives the name of the collection that records of a kind are in. */
export function collectionOf<K extends keyof typeof collections>(kind: K): (typeof collections)[K] {
  return collections[kind];
}

/** Address of the page of an event, venue or organizer: by its slug only for a page that is there to be seen. */
export function pageOf({ url }: Site, { record: { kind, id, slug }, status }: PostEntry): string {
  const isThere = status === 'publish' || status === 'private';
  return isThere ? `${url}/${kind}/${slug}/` : `${url}/?post_type=${postTypes[kind]}&p=${id}`;
}

/** Address of the page of a term; that of a category holds the slugs of its parents. */
export function termPageOf({ url }: Site, terms: TermSet, term: TermRecord): string {
  return term.kind === 'tag'
    ? `${url}/tag/${term.slug}/`
    : `${url}/events/category/${slugPath(terms, term)}/`;
}

/** The name of a record that is the same everywhere: the host of the site, and the id. */
export function globalId({ url }: Site, id: number): string {
  return `${new URL(url).hostname}?id=${id}`;
}

function slugPath(terms: TermSet, term: TermRecord): string {
  const parent = terms.get(terms.parentOf(term));
  return parent === undefined ? term.slug : `${slugPath(terms, parent)}/${term.slug}`;
}
