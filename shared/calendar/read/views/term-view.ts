/** Categories and tags as clients see them (behaviour section 4.4). */

import { createView } from '../../model/fields/table.ts';
import { termFields } from '../../model/fields/term.ts';
import type { TermRecord } from '../../model/records.ts';
import { collections } from '../../model/values.ts';
import type { ViewContext } from './post-view.ts';

/** Names of the platform that clients know. */
const taxonomies = { category: 'tribe_events_cat', tag: 'post_tag' } as const;

const views = {
  category: createView(termFields.category, { isSparse: false }),
  tag: createView(termFields.tag, { isSparse: false }),
};

/** Returns a term as a record of its own. */
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
    url: pageUrl(term, context),
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
  return views[term.kind]({
    record: { ...term },
    ...{ status: 'publish', site, root, language },
    page: pageUrl(term, context),
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
function pageUrl(term: TermRecord, context: ViewContext): string {
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
