/** Event tags. */

import { tagFields } from '../shared/calendar/parameters/term-fields.ts';
import { termFilters } from '../shared/calendar/queries/term-filters.ts';
import type { Resource } from './calendar-resource.ts';
import { termSchema } from './calendar-schemas.ts';
import { termResource } from './calendar-terms.ts';

export const tags: Resource = {
  ...termResource('tag'),
  collection: 'tags',
  fields: tagFields,
  filters: termFilters.tag,
  schema: termSchema,
  example: { id: 10, body: { name: 'With breakfast' } },
};
