/** Finds objects by the values of a custom view, and in the order of them: conditions on metadata and on custom data live in two databases. */

import {
  columnOfSort,
  findMatching,
  findSearchedView,
  maxObjects,
  orderByView,
  toConditions,
  toOrder,
  tooManyObjects,
  type WrittenCondition,
} from '../../../shared/custom-data/search-values.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { Databases } from '../../../shared/sql/databases.ts';
import { withTwoDigits } from '../objects/bk-fields.ts';
import { findIds } from '../objects/find.ts';
import { type FoundPage, findPage, pageOf } from '../objects/find-page.ts';
import type { ObjectKind } from '../objects/kinds.ts';
import { listPropIDs, type Search, sortableFields } from '../objects/search.ts';
import type { ObjectSource } from '../objects/source.ts';

/** What objects are found by, beside their metadata. */
export interface ValueSearch extends Omit<Search, 'among' | 'parent' | 'fields'> {
  readonly identifier: string;
  readonly typeID: number;
  /** Conditions on one row of the view, all of them. */
  readonly conditions: readonly WrittenCondition[];
}

/**
 * Finds a page of the identifiers of objects that meet the conditions on their metadata, and of which one row of the view meets those on the
 * values. Throws `invalid-parameters`, `custom-data-not-searchable`, `too-many-objects` and the errors of the view.
 */
export async function findByValues(
  { main, customization }: Databases,
  kind: ObjectKind,
  source: ObjectSource,
  { conditions: written, identifier, typeID, ...search }: ValueSearch,
): Promise<FoundPage> {
  const isSorted = sortsByValues(kind, identifier, search.sort);
  const [first] = written;
  if (first === undefined && !isSorted) return findPage(main, kind, source, { ...search, fields: ['id'] });
  const place =
    first === undefined
      ? { pointer: 'query:sort', detail: `names ${search.sort.join(', ')}, no field of the objects` }
      : { pointer: `query:${first.parameter}`, detail: 'names a column' };
  const view = await findSearchedView(customization, { identifier, typeID, place });
  const conditions = toConditions(view, written);
  const order = isSorted ? toOrder(view, search.sort) : undefined;
  const among = written.length === 0 ? undefined : await findMatching(customization, view, conditions);
  if (order === undefined) return findPage(main, kind, source, { ...search, among, fields: ['id'] });
  const found = await listPropIDs(main, kind, source, { where: search.where, among }, maxObjects);
  if (found.count > maxObjects)
    throw tooManyObjects(
      `more than ${maxObjects} ${kind.collection.replaceAll('-', ' ')} meet the conditions`,
    );
  const total = search.count ? found.count : undefined;
  return pageOf(search.page, async (page) => {
    const part = await orderByView(customization, view, { among: found.propIDs, conditions, order, page });
    const ids = await findIds(main, part.propIDs);
    // One that has gone meanwhile has a place on the page, and no identifier.
    return {
      records: part.propIDs.map((propID) => ({ id: ids.get(propID) ?? null })),
      keyOf: part.keyOf,
      total,
    };
  });
}

/**
 * Checks whether a sort is by columns of the view: a name that is no field of the kind, or has the identifier before it. Throws
 * `invalid-parameters` for a sort by both, which no database could put in order.
 */
function sortsByValues(kind: ObjectKind, identifier: string, sort: readonly string[]): boolean {
  const fields = sortableFields(kind);
  const isColumn = (written: string) => {
    const name = written.replace(/^-/, '');
    const [field = ''] = Object.keys(withTwoDigits({ [name]: null }).columns);
    return columnOfSort(identifier, written) !== name || !fields.has(field);
  };
  const columns = sort.filter(isColumn);
  if (columns.length === 0) return false;
  if (columns.length === sort.length) return true;
  throw new CodedError('invalid-parameters', 'Cannot read the request: its parameters are not valid.', {
    errors: [
      {
        pointer: 'query:sort',
        detail: `sorts by fields of the objects and by others: ${columns.map((name) => name.replace(/^-/, '')).join(', ')}`,
      },
    ],
    hint: 'Sort by fields of the objects, or by columns of the custom data.',
  });
}
