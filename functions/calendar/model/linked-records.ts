/** How many records an event may link to: each stands whole in every view of the event. */

import type { CalendarRecord } from './records.ts';

/** Venues, organizers, categories and tags of an event, at most. */
export const maxLinks = 99;

/** Returns how many records a record links to. */
export function linksOf(record: CalendarRecord): number {
  if (record.kind !== 'event') return 0;
  const { venue = [], organizer = [], categories = [], tags = [] } = record;
  return venue.length + organizer.length + categories.length + tags.length;
}
