/** Pages of objects: where one ends, and whether another follows. */

import { CodedError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import type { ObjectKind } from './kinds.ts';
import { type Found, type Search, searchObjects } from './search.ts';
import type { ObjectSource } from './source.ts';
import type { Page } from './store.ts';

/** A page of objects. */
export interface FoundPage extends Found {
  /** The key behind which the next page begins; undefined where none follows. */
  readonly lastKey: string | undefined;
}

/** Finds a page of objects, and whether another one follows. */
export async function findPage(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  search: Search,
): Promise<FoundPage> {
  return pageOf(search.page, (page) => searchObjects(main, kind, source, { ...search, page }));
}

/** Finds a page by a function that finds a part of the objects: one item more than the page shows whether another page follows. */
export async function pageOf(page: Page, find: (page: Page) => Promise<Found>): Promise<FoundPage> {
  const { limit, offset, after } = page;
  if (after !== undefined && offset > 0) throw twoStarts();
  const found = await find({ ...page, limit: limit + 1 });
  const hasNext = found.records.length > limit;
  return {
    ...found,
    records: found.records.slice(0, limit),
    lastKey: hasNext ? found.keyOf(limit - 1) : undefined,
  };
}

function twoStarts(): CodedError {
  return new CodedError('invalid-parameters', 'Cannot read the page: it has two beginnings.', {
    errors: [{ pointer: 'query:offset', detail: 'cannot be given together with after' }],
  });
}
