/** Event tags. */

import { tagFields } from '../shared/calendar/parameters/term-fields.ts';
import { termFilters } from '../shared/calendar/queries/term-filters.ts';
import { termSchema } from './calendar-schemas.ts';
import type { TermResource } from './calendar-terms.ts';

export const tags: TermResource = {
  kind: 'tag',
  collection: 'tags',
  tag: 'Calendar: tags',
  fields: tagFields,
  filters: termFilters.tag,
  schema: termSchema,
};
