/** The iCalendar feed of an event list. */

import type { Answered, Calendar, CalendarRequest } from '../calendar.ts';
import { foundEvents } from './lists.ts';

/** Events in a feed, at the most: the first ones of the list. */
export const longestFeed = 1000;

/** Gives the events of a list, all pages together, as an iCalendar feed. */
export async function eventFeed(calendar: Calendar, request: CalendarRequest): Promise<Answered<string>> {
  const { icalendar } = await import('../views/icalendar.ts');
  return calendar.read(request, (desk) => {
    const { surroundings, renderer, isOpen } = desk;
    const events = foundEvents(desk, request).found.slice(0, longestFeed);
    return icalendar(events, renderer.context, { caller: surroundings.caller, isOpen });
  });
}
