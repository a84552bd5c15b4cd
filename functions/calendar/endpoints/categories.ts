/** Event categories. */

import { termParameters, termSchema } from '../model/fields/term.ts';
import { termFilters } from '../read/term-filters.ts';
import type { Resource } from './resource.ts';

export const categories: Resource = {
  kind: 'category',
  fields: termParameters.category,
  filters: termFilters.category,
  schema: termSchema,
  example: { id: 1, body: { name: 'Exhibitions', description: 'Things to look at.' } },
};
