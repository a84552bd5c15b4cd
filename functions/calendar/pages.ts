/** iCalendar where clients look for it on a site: at the addresses of its pages, with `ical=1`. */

import { Type } from 'typebox';
import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { Caller } from '../../shared/calendar/model/rights.ts';
import { eventFilters } from '../../shared/calendar/read/event-filters.ts';
import type { Config } from '../../shared/config.ts';
import { CodedError, isCodedError } from '../../shared/errors.ts';
import type { Api } from '../../shared/http/api.ts';
import { endpoint, requestOf } from './input.ts';
import { querySchema } from './parameters.ts';
import { feedReply, fileReply } from './replies.ts';
import { siteMounts } from './site.ts';

const { per_page: _perPage, ...filters } = eventFilters;
const described = {
  tag: 'Calendar: events',
  access: 'optional',
  query: querySchema(filters),
  problems: { 400: 'A bad parameter.', 404: 'Without ical=1, since the service has no pages.' },
  replies: { 200: { description: 'The feed.', schema: Type.String(), mediaType: 'text/calendar' } },
} as const;

/** Creates the APIs of the pages of events and of one event; none where the calendar is not at the root of the site. */
export function sitePageApis(config: Config, api: Api<Caller>, calendar: () => Calendar): Api<Caller>[] {
  if (siteMounts(config).length === 0) return [];
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
      endpoints: [eventFeed(calendar)],
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

function eventFeed(calendar: () => Calendar) {
  return endpoint({
    ...described,
    method: 'GET',
    path: '/{slug}',
    operationId: 'get-site-event-feed',
    summary: 'Download one event as iCalendar',
    parameters: Type.Object({ slug: Type.String() }),
    async handle(call) {
      mustAskForFeed(call.request.url);
      const { slug } = call.path;
      return fileReply(await calendar().file({ slug }, requestOf(call)).catch(noPage), slug);
    },
  });
}

/** An unknown slug is a bad parameter to the API; a page of it is one that is not there. */
function noPage(error: unknown): never {
  if (!isCodedError(error) || (error.kind !== 'invalid' && error.kind !== 'not-found')) throw error;
  throw new CodedError('no-such-path', 'Cannot answer: there is no such event.');
}

function mustAskForFeed({ searchParams }: URL): void {
  if (!['1', 'true'].includes(searchParams.get('ical') ?? ''))
    throw new CodedError(
      'no-such-path',
      'Cannot answer: the service has no pages, only their feeds (?ical=1).',
    );
}
