/** Event categories. */

import { categoryFields } from '../shared/calendar/parameters/term-fields.ts';
import { termFilters } from '../shared/calendar/queries/term-filters.ts';
import { termSchema } from './calendar-schemas.ts';
import type { TermResource } from './calendar-terms.ts';

export const categories: TermResource = {
  kind: 'category',
  collection: 'categories',
  tag: 'Calendar: categories',
  fields: categoryFields,
  filters: termFilters.category,
  schema: termSchema,
};
