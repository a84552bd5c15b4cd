/** Venues. */

import { listContacts } from '../shared/calendar/operations/lists.ts';
import { venueFields } from '../shared/calendar/parameters/contact-fields.ts';
import { contactFilters } from '../shared/calendar/queries/contact-filters.ts';
import type { PostResource } from './calendar-posts.ts';
import { venueSchema } from './calendar-schemas.ts';

export const venues: PostResource = {
  kind: 'venue',
  collection: 'venues',
  tag: 'Calendar: venues',
  fields: venueFields,
  filters: contactFilters,
  schema: venueSchema,
  list: (calendar, request) => listContacts('venue', calendar, request),
};
