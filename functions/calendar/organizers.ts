/** Organizers. */

import { listContacts } from '../../shared/calendar/operations/lists.ts';
import { organizerFields } from '../../shared/calendar/parameters/contact-fields.ts';
import { contactFilters } from '../../shared/calendar/queries/contact-filters.ts';
import { postResource } from './posts.ts';
import type { Resource } from './resource.ts';
import { organizerSchema } from './schemas.ts';

export const organizers: Resource = {
  ...postResource('organizer', (calendar, request) => listContacts('organizer', calendar, request)),
  collection: 'organizers',
  fields: organizerFields,
  filters: contactFilters,
  schema: organizerSchema,
  example: {
    id: 8,
    slug: 'department-of-culture',
    body: { organizer: 'Friends of the library', email: 'friends@example.org' },
  },
};
