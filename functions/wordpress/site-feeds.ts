/**
 * Feeds where clients look for them on a site: at the addresses of its pages, with `ical=1` or `/feed/`. Without either, the page itself
 * answers, if there is one.
 */

import * as Type from 'typebox';
import type { Config } from '../../shared/config.ts';
import { CodedError, isCodedError } from '../../shared/errors.ts';
import type { Api } from '../../shared/http/api.ts';
import type { Call } from '../../shared/http/endpoint.ts';
import type { Reply } from '../../shared/http/reply.ts';
import type { CalendarAddress } from '../calendar/address.ts';
import { feedReply, fileReply } from '../calendar/feed-replies.ts';
import { type CalendarCall, endpoint, requestOf } from '../calendar/input.ts';
import type { Caller } from '../calendar/model/rights.ts';
import { siteOf } from '../calendar/model/site.ts';
import { querySchema } from '../calendar/parameters.ts';
import { eventFilters } from '../calendar/read/event-filters.ts';
import { rssReply } from './rss.ts';
import { isKnownAddress, siteFilters } from './site-filters.ts';

const { per_page: _perPage, ...filters } = eventFilters;
const described = {
  tag: 'Calendar: events',
  access: 'optional',
  query: querySchema(filters),
  problems: { 400: 'A bad parameter.', 404: 'Without ical=1, where there is no page.' },
} as const;
const replies = {
  200: { description: 'The feed.', schema: Type.String(), mediaType: 'text/calendar' },
} as const;

type PageOf<Path> = (call: Call<Caller, Path, unknown, unknown>) => Promise<Reply>;

/** The pages that share their addresses with feeds. */
export interface SharedPages {
  readonly event?: PageOf<{ slug: string }>;
  readonly category?: PageOf<{ slugs: string }>;
}

/** Creates the APIs of the pages of events and of one event; none where the calendar is not at the root of the site and there are no pages. */
export function siteFeedApis(
  config: Config,
  { siteMounts }: CalendarAddress,
  api: Api<Caller>,
  pages: SharedPages,
): Api<Caller>[] {
  if (siteMounts.length === 0 && pages.event === undefined) return [];
  const common = { ...api, description: 'Feeds at the addresses of pages.' };
  const list = listEndpoints(config, pages);
  return [
    { ...common, name: 'event-list-page', mounts: [{ path: 'events', below: 'site' }], endpoints: list },
    {
      ...common,
      name: 'event-page',
      mounts: [{ path: 'event', below: 'site' }],
      endpoints: [eventEndpoint(pages)],
    },
  ];
}

/** The addresses of lists: `/events`, and below it a category or tag, a display, or a day or month. */
function listEndpoints(config: Config, { category }: SharedPages) {
  const common = { ...described, method: 'GET', summary: 'Subscribe to the events of the site' } as const;

  async function reply(call: CalendarCall, path: string): Promise<Reply> {
    const segments = path.split('/').filter(Boolean);
    const isRss = segments.at(-1) === 'feed';
    const isFeed = isRss || asksForFeed(call.request.url);
    if (!isFeed && segments[0] === 'category' && category !== undefined)
      return category({ ...call, path: { slugs: segments.slice(1).join('/') } });
    if (!isFeed || !isKnownAddress(isRss ? segments.slice(0, -1) : segments)) throw noPage();
    const { zone } = siteOf(config.CALENDAR_SITE_URL, config.CALENDAR_TIME_ZONE);
    const feedFilters = siteFilters(isRss ? segments.slice(0, -1) : segments, call.request.url, zone);
    const request = requestOf({ ...call, query: { ...call.query, ...feedFilters } });
    if (isRss)
      return rssReply(
        await call.calendar().list('event', request).catch(noPageOf),
        config.CALENDAR_SITE_URL || call.siteLink(''),
        config.SITE_NAME,
      );
    return feedReply(
      await call
        .calendar()
        .feed(request)
        .catch(segments.length > 0 ? noPageOf : rethrow),
      call.request,
    );
  }

  return [
    endpoint({
      ...common,
      path: '',
      operationId: 'get-site-feed',
      replies,
      handle: (call) => reply(call, ''),
    }),
    endpoint({
      ...common,
      path: '/{*path}',
      operationId: 'get-site-feed-below',
      parameters: Type.Object({ path: Type.String() }),
      replies,
      handle: (call) => reply(call, call.path.path),
    }),
  ];
}

function eventEndpoint({ event: page }: SharedPages) {
  return endpoint({
    ...described,
    method: 'GET',
    path: '/{slug}',
    operationId: 'get-site-event-feed',
    summary: 'Download one event as iCalendar',
    parameters: Type.Object({ slug: Type.String() }),
    replies,
    async handle(call) {
      const { slug } = call.path;
      if (page !== undefined && !asksForFeed(call.request.url)) return page(call);
      if (!asksForFeed(call.request.url)) throw noPage();
      return fileReply(await call.calendar().file({ slug }, requestOf(call)).catch(noPageOf), slug);
    },
  });
}

/** To the API an unknown slug is a bad parameter; on a site it is a page that does not exist. */
function noPageOf(error: unknown): never {
  if (!isCodedError(error) || (error.kind !== 'invalid' && error.kind !== 'not-found')) throw error;
  throw new CodedError('no-such-path', 'Cannot answer: this address names nothing that exists.');
}

function rethrow(error: unknown): never {
  throw error;
}

function asksForFeed({ searchParams }: URL): boolean {
  return ['ical', 'outlook-ical'].some((name) => ['1', 'true'].includes(searchParams.get(name) ?? ''));
}

function noPage(): CodedError {
  return new CodedError('no-such-path', 'Cannot answer: there is no page here, only its feed (?ical=1).');
}
