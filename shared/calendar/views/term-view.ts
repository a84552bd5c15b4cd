/** Categories and tags as clients see them (behaviour section 4.4). */

import type { TermRecord } from '../model/records.ts';
import { textIn, type ViewContext } from './context.ts';
import { collectionOf, taxonomies, termPageOf } from './pages.ts';

/** Gives a term as a record of its own. */
export function termView(term: TermRecord, context: ViewContext) {
  const { site, replica } = context;
  const { id, slug, kind } = term;
  const { name, description } = termTexts(term, context);
  const parent = replica.terms.parentOf(term);
  return {
    id,
    count: replica.terms.countOf(id),
    description,
    name,
    slug,
    taxonomy: taxonomies[kind],
    ...(kind === 'category' ? { parent } : {}),
    meta: [],
    url: termPageOf(site, replica.terms, term),
    urls: termUrls(term, parent, context),
  };
}

/** Gives a term as it stands inside an event. */
export function embeddedTermView(term: TermRecord, context: ViewContext) {
  const { terms } = context.replica;
  const { name, description } = termTexts(term, context);
  const parent = terms.parentOf(term);
  return {
    name,
    slug: term.slug,
    term_group: 0,
    term_taxonomy_id: term.id,
    taxonomy: taxonomies[term.kind],
    description,
    parent,
    count: terms.countOf(term.id),
    filter: 'raw',
    id: term.id,
    urls: termUrls(term, parent, context),
  };
}

/** Name and description in the language of the context. */
function termTexts(term: TermRecord, { language }: ViewContext) {
  return { name: textIn(term, 'name', language), description: textIn(term, 'description', language) };
}

function termUrls({ id, kind }: TermRecord, parent: number, { root }: ViewContext) {
  const collection = `${root}/${collectionOf(kind)}`;
  return {
    self: `${collection}/${id}`,
    collection,
    ...(parent === 0 ? {} : { up: `${collection}/${parent}` }),
  };
}
