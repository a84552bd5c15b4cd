/** Events. */

import {
  eventCreationParameters,
  eventItemParameters,
  eventParameters,
  eventSchema,
} from '../model/fields/event.ts';
import { text } from '../model/fields/parsers.ts';
import { eventFilters } from '../read/event-filters.ts';
import type { Resource } from './resource.ts';

export const events: Resource = {
  kind: 'event',
  fields: eventParameters,
  creationFields: eventCreationParameters,
  filters: eventFilters,
  schema: eventSchema,
  itemParameters: eventItemParameters,
  readParameters: {
    context: text('`edit` lets editors read a protected event without its password.'),
  },
  example: {
    id: 13,
    version: 261,
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
