/** Pages of a list (behaviour section 5). */

import { positiveInteger, refined } from '../parameters/kinds.ts';
import { withDefault } from '../parameters/parameter.ts';

/** Items of a page without `per_page`. */
const usual = 10;
/** Items of a page at the most: a higher `per_page` is lowered, not refused. */
const most = 50;

export const pagingParameters = {
  page: withDefault(1, positiveInteger('Archive page.')),
  per_page: withDefault(
    usual,
    refined(positiveInteger(`Items per page; above ${most} is lowered to ${most}.`), (value) =>
      Math.min(value, most),
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

/** Cuts the page out of all results. */
export function pageOf<T>(
  results: readonly T[],
  { page = 1, per_page = usual }: { readonly page?: number; readonly per_page?: number },
): Page<T> {
  const total = results.length;
  return {
    items: results.slice((page - 1) * per_page, page * per_page),
    page,
    perPage: per_page,
    total,
    totalPages: Math.ceil(total / per_page),
  };
}
