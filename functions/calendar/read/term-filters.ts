/** Filters of the category and tag lists (docs/calendar-contract.md, "Lists of categories and tags"). */

import { flag } from '../model/fields/flags.ts';
import { type FilterValues, InvalidValue, map, optional, type Parameter } from '../model/fields/parameter.ts';
import { filledText, idOf, list, searched } from '../model/fields/parsers.ts';
import { existingCategoryOrNone, termOf, unlockedEvent } from '../model/fields/references.ts';
import type { TermRecord } from '../model/records.ts';
import { compareNames } from '../model/text/compare-names.ts';
import { textIn } from '../model/text/render-text.ts';
import { searchText } from '../model/text/search-text.ts';
import { slugOf } from '../model/text/slug.ts';
import { needsOf } from '../model/translated-texts.ts';
import type { TermKind } from '../model/values.ts';
import type { ReplicaContext } from '../replica/find.ts';
import { translationFilter } from './event-filters.ts';
import { pagingParameters } from './page.ts';

/** Ids of existing terms; a slug passes the check and matches nothing. */
function termIds(kind: TermKind, description: string): Parameter<readonly number[]> {
  return map(list(description, 'integer'), (items, context) => {
    const doExist = items.every((item) => termOf(kind, item, context) !== undefined);
    return items.length > 0 && doExist
      ? items.map((item) => idOf(item) ?? 0)
      : new InvalidValue('must be ids that exist');
  });
}

function filtersOf(kind: TermKind) {
  return {
    ...pagingParameters,
    search: searched('Terms whose name or slug contains this.'),
    exclude: termIds(kind, 'Ids to leave out.'),
    include: termIds(kind, 'Limit to these ids.'),
    order: optional('asc', filledText('asc for ascending, anything else for descending.')),
    orderby: optional(
      'name',
      filledText('Attribute to sort by: name, slug, id, count, include, term_group or description.'),
    ),
    hide_empty: optional(
      true,
      flag(
        'Hide terms without published events, unless a category below has some. Ignored with post or event.',
      ),
    ),
    needs_translation: translationFilter,
    post: unlockedEvent('Terms of this event.'),
    event: unlockedEvent('Alias of post, and stronger.'),
    slug: map(
      list('Terms with this slug, or with one of several with commas.'),
      (items) =>
        items.length === 0
          ? new InvalidValue('must name one at least')
          : items.map((item) => slugOf(String(item))),
      { type: 'string', schema: {} },
    ),
  };
}

export const termFilters = {
  category: {
    ...filtersOf('category'),
    parent: existingCategoryOrNone('Direct children of this category; 0 for the top level.'),
  },
  tag: filtersOf('tag'),
} as const;

export type TermFilterValues = FilterValues<typeof termFilters.category>;

/** Returns all categories or tags that a list shows, in its order. */
export function findTerms(
  kind: TermKind,
  values: TermFilterValues,
  { replica, language }: ReplicaContext,
): readonly TermRecord[] {
  const { terms } = replica;
  const { search, include, exclude, hide_empty, parent, slug, post, needs_translation } = values;
  const event = replica.posts.event.get(values.event ?? post ?? 0);
  const isHiding = hide_empty && event === undefined;
  const words = search === undefined ? undefined : searchText(search);
  const nameOf = (term: TermRecord) => textIn(term, 'name', language);
  const tests: ((term: TermRecord) => boolean)[] = [
    ({ id }) => !isHiding || terms.withDescendants(id).some((descendant) => terms.countOf(descendant) > 0),
    ({ id }) => (include === undefined ? exclude?.includes(id) !== true : include.includes(id)),
    (term) => parent === undefined || terms.parentOf(term) === parent,
    (term) => needs_translation?.some((need) => needsOf(term).includes(need)) ?? true,
    (term) => slug === undefined || slug.includes(term.slug),
    ({ id }) =>
      event === undefined || [...(event.record.categories ?? []), ...(event.record.tags ?? [])].includes(id),
    (term) => words === undefined || searchText(`${nameOf(term)}\n${term.slug}`).includes(words),
  ];
  const matches = terms.ofKind(kind).filter((term) => tests.every((test) => test(term)));
  return matches.sort(comparison(values, nameOf, (id) => terms.countOf(id)));
}

function comparison(
  { order, orderby, include = [] }: TermFilterValues,
  nameOf: (term: TermRecord) => string,
  countOf: (id: number) => number,
): (a: TermRecord, b: TermRecord) => number {
  const byName = (a: TermRecord, b: TermRecord) => compareNames(nameOf(a), nameOf(b)) || a.id - b.id;
  const orders: Readonly<Record<string, (a: TermRecord, b: TermRecord) => number>> = {
    slug: (a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0),
    id: (a, b) => a.id - b.id,
    count: (a, b) => countOf(a.id) - countOf(b.id),
    include: (a, b) => include.indexOf(a.id) - include.indexOf(b.id),
    term_group: () => 0,
    description: (a, b) => compareNames(a.description ?? '', b.description ?? ''),
  };
  const sign = order.toLowerCase() === 'asc' ? 1 : -1;
  const attribute = orderby.toLowerCase();
  const compareTerms = Object.hasOwn(orders, attribute) ? orders[attribute] : undefined;
  return (a, b) => sign * ((compareTerms?.(a, b) ?? 0) || byName(a, b));
}
