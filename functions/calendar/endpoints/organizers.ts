/** Organizers. */

import { contactParameters, organizerSchema } from '../model/fields/contact.ts';
import { contactFilters } from '../read/contact-filters.ts';
import type { Resource } from './resource.ts';

export const organizers: Resource = {
  kind: 'organizer',
  fields: contactParameters.organizer,
  filters: contactFilters,
  schema: organizerSchema,
  example: {
    id: 8,
    version: 25,
    slug: 'department-of-culture',
    body: { organizer: 'Friends of the library', email: 'friends@example.org' },
  },
};
