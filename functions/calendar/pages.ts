/** iCalendar where clients look for it on a site: at the addresses of its pages, with `ical=1`; without it the page of an event, where there are pages. */

import * as Type from 'typebox';
import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { Caller } from '../../shared/calendar/model/rights.ts';
import { eventFilters } from '../../shared/calendar/read/event-filters.ts';
import type { Config } from '../../shared/config.ts';
import { CodedError, isCodedError } from '../../shared/errors.ts';
import type { Api } from '../../shared/http/api.ts';
import type { Call } from '../../shared/http/endpoint.ts';
import type { Reply } from '../../shared/http/reply.ts';
import { feedReply, fileReply } from './feed-replies.ts';
import { endpoint, requestOf } from './input.ts';
import { querySchema } from './parameters.ts';
import { siteMounts } from './site.ts';

const { per_page: _perPage, ...filters } = eventFilters;
const described = {
  tag: 'Calendar: events',
  access: 'optional',
  query: querySchema(filters),
  problems: { 400: 'A bad parameter.', 404: 'Without ical=1, where there is no page.' },
  replies: { 200: { description: 'The feed.', schema: Type.String(), mediaType: 'text/calendar' } },
} as const;

/** Replies the page of an event. */
type EventPage = (call: Call<Caller, { slug: string }, unknown, unknown>) => Promise<Reply>;

/** Creates the APIs of the pages of events and of one event; none where the calendar is not at the root of the site and there are no pages. */
export function sitePageApis(
  config: Config,
  api: Api<Caller>,
  calendar: () => Calendar,
  page?: EventPage,
): Api<Caller>[] {
  if (siteMounts(config).length === 0 && page === undefined) return [];
  const pages = { ...api, description: 'iCalendar at the addresses of pages.' };
  return [
    {
      ...pages,
      name: 'event-list-page',
      mounts: [{ path: 'events', below: 'site' }],
      endpoints: [listFeed(calendar)],
    },
    {
      ...pages,
      name: 'event-page',
      mounts: [{ path: 'event', below: 'site' }],
      endpoints: [eventFeed(calendar, page)],
    },
  ];
}

function listFeed(calendar: () => Calendar) {
  return endpoint({
    ...described,
    method: 'GET',
    path: '',
    operationId: 'get-site-feed',
    summary: 'Subscribe to the events of the site',
    async handle(call) {
      mustAskForFeed(call.request.url);
      return feedReply(await calendar().feed(requestOf(call)));
    },
  });
}

function eventFeed(calendar: () => Calendar, page?: EventPage) {
  return endpoint({
    ...described,
    method: 'GET',
    path: '/{slug}',
    operationId: 'get-site-event-feed',
    summary: 'Download one event as iCalendar',
    parameters: Type.Object({ slug: Type.String() }),
    async handle(call) {
      const { slug } = call.path;
      if (page !== undefined && !asksForFeed(call.request.url)) return page(call);
      mustAskForFeed(call.request.url);
      return fileReply(await calendar().file({ slug }, requestOf(call)).catch(noPage), slug);
    },
  });
}

/** An unknown slug is a bad parameter to the API; a page of it is one that is not there. */
function noPage(error: unknown): never {
  if (!isCodedError(error) || (error.kind !== 'invalid' && error.kind !== 'not-found')) throw error;
  throw new CodedError('no-such-path', 'Cannot answer: there is no such event.');
}

function asksForFeed({ searchParams }: URL): boolean {
  return ['1', 'true'].includes(searchParams.get('ical') ?? '');
}

function mustAskForFeed(url: URL): void {
  if (!asksForFeed(url))
    throw new CodedError('no-such-path', 'Cannot answer: there is no page here, only its feed (?ical=1).');
}
