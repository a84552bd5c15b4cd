/** Organizers. */

import { listContacts } from '../shared/calendar/operations/lists.ts';
import { organizerFields } from '../shared/calendar/parameters/contact-fields.ts';
import { contactFilters } from '../shared/calendar/queries/contact-filters.ts';
import type { PostResource } from './calendar-posts.ts';
import { organizerSchema } from './calendar-schemas.ts';

export const organizers: PostResource = {
  kind: 'organizer',
  collection: 'organizers',
  tag: 'Calendar: organizers',
  fields: organizerFields,
  filters: contactFilters,
  schema: organizerSchema,
  list: (calendar, request) => listContacts('organizer', calendar, request),
};
