/** Events. */

import { listEvents } from '../../shared/calendar/operations/lists.ts';
import { eventFields, eventParameters } from '../../shared/calendar/parameters/event-fields.ts';
import { text } from '../../shared/calendar/parameters/kinds.ts';
import { eventFilters } from '../../shared/calendar/queries/event-filters.ts';
import { postResource } from './posts.ts';
import type { Resource } from './resource.ts';
import { eventSchema } from './schemas.ts';

export const events: Resource = {
  ...postResource('event', listEvents),
  collection: 'events',
  fields: eventFields,
  filters: eventFilters,
  schema: eventSchema,
  itemParameters: eventParameters,
  readParameters: {
    context: text('`edit` lets editors read a protected event without its password.'),
  },
  example: {
    id: 13,
    slug: 'jazz-at-the-harbour',
    body: {
      title: 'Open rehearsal',
      description: 'The choir sings, and everybody may listen.',
      start_date: '2027-06-01 19:00:00',
      end_date: '2027-06-01 21:00:00',
      timezone: 'Europe/Copenhagen',
      venue: [1],
      organizer: [9],
      categories: ['music'],
      tags: ['outdoor'],
    },
  },
};
