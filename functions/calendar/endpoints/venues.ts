/** Venues. */

import { contactParameters, venueSchema } from '../model/fields/contact.ts';
import { contactFilters } from '../read/contact-filters.ts';
import type { Resource } from './resource.ts';

export const venues: Resource = {
  kind: 'venue',
  fields: contactParameters.venue,
  filters: contactFilters,
  schema: venueSchema,
  example: {
    id: 1,
    version: 4,
    slug: 'main-library',
    body: { venue: 'Concert hall', address: 'Harbour Street 1', city: 'Copenhagen', country: 'Denmark' },
  },
};
