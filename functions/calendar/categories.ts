/** Event categories. */

import { categoryFields } from '../../shared/calendar/parameters/term-fields.ts';
import { termFilters } from '../../shared/calendar/queries/term-filters.ts';
import type { Resource } from './resource.ts';
import { termSchema } from './schemas.ts';
import { termResource } from './terms.ts';

export const categories: Resource = {
  ...termResource('category'),
  collection: 'categories',
  fields: categoryFields,
  filters: termFilters.category,
  schema: termSchema,
  example: { id: 1, body: { name: 'Exhibitions', description: 'Things to look at.' } },
};
