/** The endpoints of the calendar's pages: they read, and reply what was read or why nothing is shown. */

import type { VNode } from 'preact';
import * as Type from 'typebox';
import type { Calendar } from '../../shared/calendar/calendar.ts';
import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { RequestContext } from '../../shared/http/context.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { empty, type Reply } from '../../shared/http/reply.ts';
import { CalendarPage, type Filters, filterNames } from './calendar.tsx';
import { failureOf, type Reader, readList, readOne } from './calendar-read.ts';
import { descriptionOf } from './calendar-text.ts';
import { ContactHead, ContactPage, type ContactPageProps, nameOf } from './contact.tsx';
import { Event, EventHead } from './event.tsx';
import { languageOf } from './negotiate.ts';
import { languageQuery, type Page, pageReply } from './page.tsx';
import { type PagesOptions, placesOf } from './places.ts';
import { words } from './words.ts';

type Call = Pick<RequestContext<unknown>, 'request' | 'siteLink'>;
type Content = Pick<Page, 'title' | 'children'> & Partial<Page>;

/** What is made for one request. */
interface PageContext extends Reader {
  readonly url: URL;
  /** The query that keeps the language of links. */
  readonly query: string;
}

/** Creates the pages of the calendar that the app serves. */
export function createCalendarPages(options: PagesOptions, calendar: () => Calendar) {
  /** Replies a page, or why it is not shown. */
  async function reply(call: Call, content: (context: PageContext) => Promise<Content>): Promise<Reply> {
    const { url } = call.request;
    const language = languageOf(call.request);
    const places = placesOf(call, options);
    const common = { places, language, url };
    try {
      const query = languageQuery(language, url);
      return pageReply({ ...common, ...(await content({ calendar: calendar(), query, ...common })) });
    } catch (error) {
      const { status, title, why } = failureOf(error);
      const word = words(language);
      return pageReply({ ...common, status, title: word(title), children: failure(word(title), word(why)) });
    }
  }

  /** Replies the page of one event. */
  const event = (call: Call, slug: string) => reply(call, (context) => eventContent(context, slug));
  const contact = (kind: ContactPageProps['kind']) =>
    page(`/${kind}/{slug}`, `get-${kind}-page`, `Show the ${kind}`, ({ path, ...call }) =>
      reply(call, (context) => contactContent(context, kind, path['slug'] ?? '')),
    );
  const filters = (call: Call) => reply(call, (context) => calendarContent(context));
  const endpoints = [
    page('/calendar', 'get-calendar-page', 'Show the calendar', filters),
    contact('venue'),
    contact('organizer'),
    page('/events/category/{*slugs}', 'get-category-page', 'Show a category', ({ path, siteLink }) =>
      found(siteLink, 'categories', path['slugs']?.split('/').findLast(Boolean)),
    ),
    page('/tag/{slug}', 'get-tag-page', 'Show a tag', ({ path, siteLink }) =>
      found(siteLink, 'tags', path['slug']),
    ),
  ];
  return { endpoints, event };
}

/** The pages of terms are the calendar with a filter. */
function found(siteLink: Call['siteLink'], name: string, slug = ''): Reply {
  return empty(302, { Location: siteLink(`/calendar?${new URLSearchParams({ [name]: slug })}`) });
}

function page(
  path: string,
  operationId: string,
  summary: string,
  handle: (call: Call & { readonly path: Readonly<Record<string, string>> }) => Reply | Promise<Reply>,
): Endpoint<undefined> {
  return endpointsFor<undefined>()({
    method: 'GET',
    path,
    operationId,
    summary,
    tag: 'Pages',
    access: 'public',
    hidden: true,
    replies: { 200: { description: 'The page.', mediaType: 'text/html', schema: Type.String() } },
    handle: ({ path: parameters, request, siteLink }) => handle({ path: parameters, request, siteLink }),
  });
}

function failure(title: string, why: string): VNode {
  return (
    <>
      <h1>{title}</h1>
      <p>{why}</p>
    </>
  );
}

async function eventContent(context: PageContext, slug: string): Promise<Content> {
  const { value: event, version } = await readOne(context, 'event', slug);
  const props = { ...context, event };
  return {
    title: plainText(event.title),
    description: descriptionOf(event),
    head: <EventHead {...props} />,
    children: <Event {...props} />,
    version,
  };
}

async function contactContent(
  context: PageContext,
  kind: ContactPageProps['kind'],
  slug: string,
): Promise<Content> {
  const { value: record, version } = await readOne(context, kind, slug);
  const { value: events } = await readList(context, 'event', { [kind]: String(record.id) });
  const props = { ...context, kind, record, events };
  return {
    title: nameOf(record),
    description: plainText(record.description ?? ''),
    head: <ContactHead {...props} />,
    children: <ContactPage {...props} />,
    version,
  };
}

async function calendarContent(context: PageContext): Promise<Content> {
  const filters = filtersOf(context.url);
  const [events, categories, tags, venues] = await Promise.all([
    readList(context, 'event', filters),
    readList(context, 'category'),
    readList(context, 'tag'),
    readList(context, 'venue'),
  ]);
  const { value, version } = events;
  const options = { categories: categories.value, tags: tags.value, venues: venues.value };
  return {
    title: words(context.language)('calendar'),
    children: <CalendarPage {...context} {...options} events={value} filters={filters} />,
    script: 'calendar.js',
    style: 'calendar.css',
    version,
  };
}

/** The filters in an address; those of an empty form are none. */
function filtersOf({ searchParams }: URL): Filters {
  const given = filterNames.map((name) => [name, searchParams.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}
