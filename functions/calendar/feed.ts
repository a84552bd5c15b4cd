/** The iCalendar feed of events. */

import { Type } from 'typebox';
import type { Calendar } from '../../shared/calendar/calendar.ts';
import { eventFilters } from '../../shared/calendar/read/event-filters.ts';
import { maxFeedEvents } from '../../shared/calendar/read/lists.ts';
import { endpoint, requestOf } from './input.ts';
import { querySchema } from './parameters.ts';
import { feedReply } from './replies.ts';

/** Creates the endpoint of the feed. */
export function feedEndpoint(calendar: () => Calendar) {
  const { page: _page, per_page: _perPage, ...filters } = eventFilters;
  return endpoint({
    method: 'GET',
    path: '/events.ics',
    operationId: 'get-event-feed',
    summary: 'Subscribe to an event list (iCalendar, RFC 5545)',
    description: `The events of the list with the same filters, all pages together, ${maxFeedEvents} at the most.`,
    tag: 'Calendar: events',
    access: 'optional',
    extension: true,
    query: querySchema(filters),
    problems: { 400: 'A bad parameter.' },
    replies: { 200: { description: 'The feed.', schema: Type.String(), mediaType: 'text/calendar' } },
    handle: async (call) => feedReply(await calendar().feed(requestOf(call))),
  });
}
