/** Event tags. */

import { tagFields } from '../../shared/calendar/parameters/term-fields.ts';
import { termFilters } from '../../shared/calendar/queries/term-filters.ts';
import type { Resource } from './resource.ts';
import { termSchema } from './schemas.ts';
import { termResource } from './terms.ts';

export const tags: Resource = {
  ...termResource('tag'),
  collection: 'tags',
  fields: tagFields,
  filters: termFilters.tag,
  schema: termSchema,
  example: { id: 10, body: { name: 'With breakfast' } },
};
