/** The iCalendar feed of events. */

import * as Type from 'typebox';
import { eventFilters } from '../read/event-filters.ts';
import { feedDefaults } from '../read/event-window.ts';
import { cancelledDays, maxCancelled, maxFeedEvents } from '../read/lists.ts';
import { bounds } from '../wire/bounds.ts';
import { feedReply } from '../wire/feed-replies.ts';
import { endpoint, requestOf } from '../wire/input.ts';
import { querySchema } from '../wire/parameters.ts';
import { readReplies, totalHeaders } from '../wire/schemas.ts';

const { per_page: _perPage, ...filtersOfList } = eventFilters;
const start = eventFilters.start_date;
const startSchema = { ...start.schema, default: feedDefaults.start_date.text };
const filters = { ...filtersOfList, start_date: { ...start, schema: startSchema } };

/** The endpoint of the feed. */
export const feedEndpoint = endpoint({
  method: 'GET',
  path: '/events.ics',
  operationId: 'get-event-feed',
  bound: bounds.feed,
  summary: 'Subscribe to an event list (iCalendar, RFC 5545)',
  description: `The events of the list with the same filters, from a year back; ${maxFeedEvents} on each page: those to come first, then those that are over, the latest first. Up to ${maxCancelled} of those to come that were published and then deleted are cancelled for ${cancelledDays} days.`,
  tag: 'Calendar: events',
  access: 'optional',
  extension: true,
  query: querySchema(filters),
  problems: { 400: 'A bad parameter.', 404: 'A page above 1 with nothing on it.' },
  replies: readReplies({
    description: 'The feed.',
    schema: Type.String(),
    mediaType: 'text/calendar',
    headers: totalHeaders,
  }),
  handle: async (call) => feedReply(await call.calendar().feed(requestOf(call)), call.request),
});
