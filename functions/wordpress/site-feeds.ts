/**
 * Feeds where clients look for them on a site: at the addresses of its pages, with `ical=1` or `/feed/`. Without either, the page itself
 * answers, if there is one.
 */

import * as Type from 'typebox';
import type { Config } from '../../shared/config.ts';
import { CodedError, isCodedError } from '../../shared/errors.ts';
import type { Api } from '../../shared/http/api.ts';
import type { Call } from '../../shared/http/endpoint.ts';
import { empty, type Reply } from '../../shared/http/reply.ts';
import type { RequestContext } from '../../shared/http/request-context.ts';
import { pathSegment } from '../../shared/http/urls.ts';
import type { RawParameters } from '../calendar/model/calendar-context.ts';
import type { Caller } from '../calendar/model/rights.ts';
import { siteOf } from '../calendar/model/site.ts';
import { eventFilters } from '../calendar/read/event-filters.ts';
import { type CalendarAddress, calendarRoot } from '../calendar/wire/address.ts';
import { bounds } from '../calendar/wire/bounds.ts';
import { feedReply, fileReply } from '../calendar/wire/feed-replies.ts';
import { type CalendarCall, endpoint, requestOf } from '../calendar/wire/input.ts';
import { querySchema } from '../calendar/wire/parameters.ts';
import { postAsked, postRedirect } from './post-redirect.ts';
import { type FeedFormat, listFeedReply } from './rss.ts';
import { calendarQuery, isKnownAddress, siteFilters } from './site-filters.ts';

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
  readonly venue?: PageOf<{ slug: string }>;
  readonly organizer?: PageOf<{ slug: string }>;
  /** Returns the page of an error for a caller who asks for pages; undefined for others. */
  readonly ofError?: (
    error: CodedError,
    status: number,
    context: RequestContext<Caller>,
  ) => Promise<Reply | undefined>;
}

/** Returns an API whose errors are pages for callers who ask for pages. */
export function withErrorPages(api: Api<Caller>, { ofError }: SharedPages): Api<Caller> {
  return {
    ...api,
    errorReply: async (error, status, context) =>
      (await ofError?.(error, status, context)) ?? api.errorReply(error, status, context),
  };
}

/** Creates the APIs of the pages of events and of one event; none where the calendar is not at the root of the site and there are no pages. */
export function siteFeedApis(
  config: Config,
  address: CalendarAddress,
  api: Api<Caller>,
  pages: SharedPages,
): Api<Caller>[] {
  if (address.siteMounts.length === 0 && pages.event === undefined) return [];
  const common: Omit<Api<Caller>, 'name' | 'mounts' | 'endpoints'> = {
    ...withErrorPages(api, pages),
    description: 'Feeds at the addresses of pages.',
    recordsRoot: (siteLink) => calendarRoot(address, siteLink),
  };
  const list = listEndpoints(config, pages);
  return [
    { ...common, name: 'event-list-page', mounts: [{ path: 'events', below: 'site' }], endpoints: list },
    {
      ...common,
      name: 'site-feed',
      mounts: [{ path: 'feed', below: 'site' }],
      endpoints: feedEndpoints(config),
    },
    {
      ...common,
      name: 'event-page',
      mounts: [{ path: 'event', below: 'site' }],
      endpoints: [eventEndpoint(pages), eventFeedEndpoint(config)],
    },
    ...(['venue', 'organizer'] as const).map((kind) => ({
      ...common,
      name: `${kind}-page`,
      mounts: [{ path: kind, below: 'site' }] as const,
      endpoints: [contactEndpoint(kind, pages)],
    })),
  ];
}

/** The addresses of lists: `/events`, and below it a category or tag, a display, or a day or month. */
function listEndpoints(config: Config, { event: page }: SharedPages) {
  const common = { ...described, method: 'GET', summary: 'Subscribe to the events of the site' } as const;

  async function reply(call: CalendarCall, path: string): Promise<Reply> {
    const { url } = call.request;
    const { segments, format } = feedAsked(path.split('/').filter(Boolean), url);
    const post = path === '' ? postAsked(url) : undefined;
    // The page of a record leads on to its iCalendar, for which the query asks.
    if (page !== undefined && post !== undefined) return postRedirect(call, post);
    if (page !== undefined && format === undefined) return calendarRedirect(call, segments);
    if (format === undefined || !isKnownAddress(segments)) throw noPage();
    if (format !== 'ical') return listFeed(config, call, { segments, format });
    const request = requestOf({ ...call, query: queryOf(config, call, segments) });
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
      bound: bounds.feed,
      replies,
      handle: (call) => reply(call, ''),
    }),
    endpoint({
      ...common,
      path: '/{*path}',
      operationId: 'get-site-feed-below',
      bound: bounds.feed,
      parameters: Type.Object({ path: Type.String() }),
      replies,
      handle: (call) => reply(call, call.path.path),
    }),
  ];
}

/** The feeds of WordPress itself, of which events are all that there is. */
function feedEndpoints(config: Config) {
  const common = {
    ...described,
    method: 'GET',
    summary: 'Read the events of the site in a feed reader',
  } as const;
  const reply = (call: CalendarCall, path: string) => {
    const { segments, format } = feedAsked(['feed', ...path.split('/').filter(Boolean)], call.request.url);
    if (format === undefined || format === 'ical' || segments.length > 0) throw noPage();
    return listFeed(config, call, { segments, format });
  };
  return [
    endpoint({
      ...common,
      path: '',
      operationId: 'get-feed',
      bound: bounds.feed,
      replies,
      handle: (call) => reply(call, ''),
    }),
    endpoint({
      ...common,
      path: '/{*path}',
      operationId: 'get-feed-below',
      bound: bounds.feed,
      parameters: Type.Object({ path: Type.String() }),
      replies,
      handle: (call) => reply(call, call.path.path),
    }),
  ];
}

interface ListFeed {
  readonly segments: readonly string[];
  readonly format: FeedFormat;
}

async function listFeed(config: Config, call: CalendarCall, { segments, format }: ListFeed): Promise<Reply> {
  const request = requestOf({ ...call, query: queryOf(config, call, segments) });
  const url = config.CALENDAR_SITE_URL || call.siteLink('');
  const path = [...segments.map(pathSegment), format === 'rss' ? 'feed' : 'feed/atom'].join('/');
  return listFeedReply(await call.calendar().list('event', request).catch(noPageOf), format, {
    url,
    name: config.SITE_NAME || new URL(url).hostname,
    self: `${call.siteLink(`/events/${path}/`)}${languageQuery(call)}`,
    language: request.language ?? 'en',
  });
}

function languageQuery({ query }: CalendarCall): string {
  const language = query['translation_language'];
  return language === undefined ? '' : `?translation_language=${language}`;
}

/** Returns the query of a call with the filters that its address stands for. */
function queryOf(config: Config, call: CalendarCall, segments: readonly string[]): RawParameters {
  const { zone } = siteOf(config.CALENDAR_SITE_URL, config.CALENDAR_TIME_ZONE);
  return { ...call.query, ...siteFilters(segments, call.request.url, zone) };
}

/** Leads to the calendar's page, which shows what the address of a page of The Events Calendar did. */
function calendarRedirect({ request, siteLink }: CalendarCall, segments: readonly string[]): Reply {
  const query = calendarQuery(segments, request.url);
  if (query === undefined) throw noPage();
  const search = String(new URLSearchParams(query));
  return empty(302, { Location: siteLink(`/calendar${search === '' ? '' : `?${search}`}`) });
}

function eventEndpoint({ event: page }: SharedPages) {
  return endpoint({
    ...described,
    method: 'GET',
    path: '/{slug}',
    operationId: 'get-site-event-feed',
    bound: bounds.feed,
    summary: 'Download one event as iCalendar',
    parameters: Type.Object({ slug: Type.String() }),
    replies,
    async handle(call) {
      const { slug } = call.path;
      if (page !== undefined && !asksForICalendar(call.request.url)) return page(call);
      if (!asksForICalendar(call.request.url)) throw noPage();
      return fileReply(
        await call.calendar().file({ slug }, requestOf(call)).catch(noPageOf),
        slug,
        call.request,
      );
    },
  });
}

/** The feed of one event, which WordPress has for what is said below a page. */
function eventFeedEndpoint(config: Config) {
  return endpoint({
    ...described,
    method: 'GET',
    path: '/{slug}/feed',
    operationId: 'get-site-event-rss',
    bound: bounds.feed,
    summary: 'Read one event in a feed reader',
    parameters: Type.Object({ slug: Type.String() }),
    replies,
    async handle(call) {
      const { slug } = call.path;
      const { value } = await call.calendar().read('event', { slug }, requestOf(call)).catch(noPageOf);
      const request = { ...requestOf(call), parameters: { include: [value.id], include_hidden: true } };
      const url = config.CALENDAR_SITE_URL || call.siteLink('');
      return listFeedReply(await call.calendar().list('event', request), 'rss', {
        url,
        name: config.SITE_NAME || new URL(url).hostname,
        self: call.siteLink(`/event/${pathSegment(slug)}/feed/`),
        language: request.language ?? 'en',
      });
    },
  });
}

/** The page of a venue or organizer, and the calendar of its events. */
function contactEndpoint(kind: 'venue' | 'organizer', pages: SharedPages) {
  const page = pages[kind];
  return endpoint({
    ...described,
    method: 'GET',
    path: '/{slug}',
    operationId: `get-site-${kind}-feed`,
    bound: bounds.feed,
    summary: `Subscribe to the events of one ${kind}`,
    parameters: Type.Object({ slug: Type.String() }),
    replies,
    async handle(call) {
      const { slug } = call.path;
      if (page !== undefined && !asksForICalendar(call.request.url)) return page(call);
      if (!asksForICalendar(call.request.url)) throw noPage();
      const request = requestOf(call);
      const ofContact = { ...request, parameters: {} };
      const { value } = await call.calendar().read(kind, { slug }, ofContact).catch(noPageOf);
      const parameters = { ...request.parameters, [kind]: String(value.id) };
      return feedReply(await call.calendar().feed({ ...request, parameters }), call.request);
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

function asksForICalendar({ searchParams }: URL): boolean {
  return ['ical', 'outlook-ical'].some((name) => ['1', 'true'].includes(searchParams.get(name) ?? ''));
}

/** The names of formats in addresses of WordPress. */
const formatNames: Readonly<Record<string, FeedFormat>> = {
  rss: 'rss',
  rss2: 'rss',
  feed: 'rss',
  atom: 'atom',
};

/** Returns the segments of an address without those that name a format, and the format. */
function feedAsked(segments: readonly string[], url: URL) {
  const place = segments.lastIndexOf('feed');
  const [name = 'rss', ...more] = segments.slice(place + 1);
  if (place >= 0 && more.length === 0 && Object.hasOwn(formatNames, name))
    return { segments: segments.slice(0, place), format: formatNames[name] };
  const ofQuery = url.searchParams.get('feed') ?? '';
  if (Object.hasOwn(formatNames, ofQuery)) return { segments, format: formatNames[ofQuery] };
  return { segments, format: asksForICalendar(url) ? ('ical' as const) : undefined };
}

function noPage(): CodedError {
  return new CodedError('no-such-path', 'Cannot answer: there is no page here, only its feed (?ical=1).');
}
