/** Event tags. */

import { termParameters, termSchema } from '../../shared/calendar/model/fields/term.ts';
import { termFilters } from '../../shared/calendar/read/term-filters.ts';
import type { Resource } from './resource.ts';

export const tags: Resource = {
  kind: 'tag',
  fields: termParameters.tag,
  filters: termFilters.tag,
  schema: termSchema,
  example: { id: 10, body: { name: 'With breakfast' } },
};
