/** Pages of a list: which one is asked for, and what is on it (docs/calendar-contract.md, "Lists"). */

import { map, optional } from '../model/fields/parameter.ts';
import { positiveInteger } from '../model/fields/parsers.ts';
import type { EventEntry } from '../replica/entries.ts';

/** Items of a page without `per_page`. */
const defaultItems = 10;
/** Items of a page, at most: a higher `per_page` is lowered, not rejected. */
export const maxItems = 50;

export const pagingParameters = {
  page: optional(1, positiveInteger('Archive page.')),
  per_page: optional(
    defaultItems,
    map(positiveInteger(`Items per page; above ${maxItems} is lowered to ${maxItems}.`), (value) =>
      Math.min(value, maxItems),
    ),
  ),
};

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
}

/** The page that was requested. */
export interface PagingValues {
  readonly page: number;
  readonly per_page: number;
}

/** The events of a page, and the number of all events found. */
export interface FoundEvents {
  readonly total: number;
  readonly items: readonly EventEntry[];
}

/** Returns a page of all results. */
export function pageFrom<T>(results: readonly T[], values: PagingValues): Page<T> {
  const { page, per_page } = values;
  return pageOf(
    { items: results.slice((page - 1) * per_page, page * per_page), total: results.length },
    values,
  );
}

/** Returns items as a page. */
export function pageOf<T>(
  { items, total }: { readonly items: readonly T[]; readonly total: number },
  { page, per_page }: PagingValues,
): Page<T> {
  return { items, page, perPage: per_page, total, totalPages: Math.ceil(total / per_page) };
}
