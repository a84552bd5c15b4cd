/** Venues. */

import { listContacts } from '../../shared/calendar/operations/lists.ts';
import { venueFields } from '../../shared/calendar/parameters/contact-fields.ts';
import { contactFilters } from '../../shared/calendar/queries/contact-filters.ts';
import { postResource } from './posts.ts';
import type { Resource } from './resource.ts';
import { venueSchema } from './schemas.ts';

export const venues: Resource = {
  ...postResource('venue', (calendar, request) => listContacts('venue', calendar, request)),
  collection: 'venues',
  fields: venueFields,
  filters: contactFilters,
  schema: venueSchema,
  example: {
    id: 1,
    slug: 'main-library',
    body: { venue: 'Concert hall', address: 'Harbour Street 1', city: 'Copenhagen', country: 'Denmark' },
  },
};
