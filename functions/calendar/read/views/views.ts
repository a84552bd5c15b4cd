/** Records as clients see them: what the tables of their fields show (docs/calendar-contract.md, "Records"). */

import { organizerFields, venueFields } from '../../model/fields/contact.ts';
import { eventFields } from '../../model/fields/event.ts';
import { createView } from '../../model/fields/table.ts';
import { termFields } from '../../model/fields/term.ts';
import type { TermRecord } from '../../model/records.ts';
import type { Site } from '../../model/site.ts';
import { collections, type Language, type PostKind } from '../../model/values.ts';
import type { PostEntry } from '../../replica/entries.ts';
import type { CalendarReplica } from '../../replica/replica.ts';

/** What every view of a record needs to know. */
export interface ViewContext {
  readonly site: Site;
  /** URL of the API's root, without a slash at the end. */
  readonly root: string;
  readonly replica: CalendarReplica;
  /** Language of texts; the default ones without it. */
  readonly language: Language | undefined;
}

interface PostViewOptions {
  /** Whether a password hides what it protects (docs/calendar-contract.md, "Event passwords"). */
  readonly isHidden?: boolean;
  /** Returns the record as linked data, where that is asked for. */
  readonly linkedData?: (() => object) | undefined;
}

/** Empty keys of venues and organizers are absent. */
const postViews = {
  event: createView(eventFields, { isSparse: false }),
  venue: createView(venueFields, { isSparse: true }),
  organizer: createView(organizerFields, { isSparse: true }),
};

/** The post types of The Events Calendar in WordPress, as they stand in URLs. */
const postTypes: Readonly<Record<PostKind, string>> = {
  event: 'tribe_events',
  venue: 'tribe_venue',
  organizer: 'tribe_organizer',
};

/** The taxonomies of WordPress that clients know. */
const taxonomies = { category: 'tribe_events_cat', tag: 'post_tag' } as const;

const termViews = {
  category: createView(termFields.category, { isSparse: false }),
  tag: createView(termFields.tag, { isSparse: false }),
};

/** Returns the own part of an event, venue or organizer, in the order of the wire. */
export function postView(
  entry: PostEntry,
  context: ViewContext,
  { isHidden = false, linkedData }: PostViewOptions = {},
): object {
  const { record, status } = entry;
  const { site, root, language, replica } = context;
  const global_id = globalId(site, record.id);
  const global = { global_id, global_id_lineage: [global_id] };
  const fields = postViews[record.kind](
    {
      record: record as typeof record & Readonly<Record<string, unknown>>,
      status,
      site,
      root,
      language,
      linkedData,
      page: pageUrl(site, entry),
      image: (id) => replica.image(id),
    },
    isHidden,
  );
  return record.kind === 'event'
    ? { id: record.id, ...global, ...fields }
    : { id: record.id, ...fields, ...global };
}

/** Returns the URL of the page of an event, venue or organizer: by its slug only for a page that is there to be seen. */
export function pageUrl({ url }: Site, { record: { kind, id, slug }, status }: PostEntry): string {
  const isThere = status === 'publish' || status === 'private';
  return isThere ? `${url}/${kind}/${slug}/` : `${url}/?post_type=${postTypes[kind]}&p=${id}`;
}

/** Returns the name of a record that is the same everywhere: the host of the site, and the id. */
export function globalId(site: Site, id: number): string {
  return `${hostOf(site)}?id=${id}`;
}

const hosts = new WeakMap<Site, string>();

/** Returns the host name of a site; read once, since every record that is rendered names it. */
function hostOf(site: Site): string {
  const host = hosts.get(site) ?? new URL(site.url).hostname;
  hosts.set(site, host);
  return host;
}

/** Returns a term as a separate record. */
export function termView(term: TermRecord, context: ViewContext): object {
  const { id, kind } = term;
  const { terms } = context.replica;
  const parent = terms.parentOf(term);
  return {
    id,
    count: terms.countOf(id),
    ...fieldsOf(term, context),
    taxonomy: taxonomies[kind],
    ...(kind === 'category' ? { parent } : {}),
    meta: [],
    url: termPageUrl(term, context),
    urls: termUrls(term, parent, context),
  };
}

/** Returns a term as it stands inside an event. */
export function embeddedTermView(term: TermRecord, context: ViewContext): object {
  const { terms } = context.replica;
  const { name, slug, ...fields } = fieldsOf(term, context);
  const parent = terms.parentOf(term);
  return {
    name,
    slug,
    term_group: 0,
    term_taxonomy_id: term.id,
    taxonomy: taxonomies[term.kind],
    ...fields,
    parent,
    count: terms.countOf(term.id),
    filter: 'raw',
    id: term.id,
    urls: termUrls(term, parent, context),
  };
}

function fieldsOf(term: TermRecord, context: ViewContext): Readonly<Record<string, unknown>> {
  const { site, root, language, replica } = context;
  return termViews[term.kind]({
    record: { ...term },
    status: 'publish',
    site,
    root,
    language,
    page: termPageUrl(term, context),
    image: (id) => replica.image(id),
  });
}

function termUrls({ id, kind }: TermRecord, parent: number, { root }: ViewContext) {
  const collection = `${root}/${collections[kind]}`;
  return {
    self: `${collection}/${id}`,
    collection,
    ...(parent === 0 ? {} : { up: `${collection}/${parent}` }),
  };
}

/** Returns the URL of the page of a term; that of a category holds the slugs of its parents. */
function termPageUrl(term: TermRecord, context: ViewContext): string {
  const { url } = context.site;
  return term.kind === 'tag'
    ? `${url}/tag/${term.slug}/`
    : `${url}/events/category/${slugPath(term, context)}/`;
}

function slugPath(term: TermRecord, context: ViewContext): string {
  const { terms } = context.replica;
  const parent = terms.get(terms.parentOf(term));
  return parent === undefined ? term.slug : `${slugPath(parent, context)}/${term.slug}`;
}
