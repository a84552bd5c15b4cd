/** The iCalendar feed of an event list. */

import type { ReadContext } from './context.ts';
import { findListed, maxFeedEvents } from './lists.ts';
import { icalendar } from './views/icalendar.ts';

/** Returns the events of a list, all pages together, as an iCalendar feed. Load it on first use. */
export function eventFeed(context: ReadContext): string {
  return icalendar(findListed(context).found.slice(0, maxFeedEvents), context);
}
