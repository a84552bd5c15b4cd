/** Event tags. */

import { termParameters, termSchema } from '../model/fields/term.ts';
import { termFilters } from '../read/term-filters.ts';
import type { Resource } from './resource.ts';

export const tags: Resource = {
  kind: 'tag',
  fields: termParameters.tag,
  filters: termFilters.tag,
  schema: termSchema,
  example: { id: 10, body: { name: 'With breakfast' } },
};
