/** Events as posts of WordPress. */

import * as Type from 'typebox';
import { CodedError, isCodedError } from '../../../shared/errors.ts';
import { json, type Reply } from '../../../shared/http/reply.ts';
import type { RawParameters } from '../../calendar/model/calendar-context.ts';
import { mayEdit, mayWrite } from '../../calendar/model/rights.ts';
import type { Status } from '../../calendar/model/values.ts';
import { mustSearch } from '../../calendar/read/picture-lists.ts';
import { bounds } from '../../calendar/wire/bounds.ts';
import { listProblems, readProblems, writeProblems } from '../../calendar/wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../../calendar/wire/input.ts';
import { pathSchema, querySchema } from '../../calendar/wire/parameters.ts';
import { freshnessHeaders } from '../../calendar/wire/replies.ts';
import { embeddableLinks, eventView } from './event-view.ts';
import {
  directions,
  filtersOfPosts,
  listIn,
  mustBeOneOf,
  mustKnowFilters,
  pageReply,
  pickParameters,
  type Shown,
} from './paging.ts';
import { rawText } from './raw-text.ts';
import type { RecordEndpoints } from './shown-in-context.ts';

const path = '/tribe_events';

/** Names of WordPress, and what the calendar calls the same. */
const filterNames: Readonly<Record<string, string>> = {
  search: 'search',
  status: 'status',
  include: 'include',
  author: 'author',
  order: 'order',
  orderby: 'orderby',
  tribe_events_cat: 'categories',
  tags: 'tags',
  categories: 'categories',
};
/** Filters of WordPress that this list has not. */
const unknownFilters = [...filtersOfPosts, 'tags_exclude', 'tribe_events_cat_exclude'];
const fieldNames: Readonly<Record<string, string>> = {
  title: 'title',
  content: 'description',
  excerpt: 'excerpt',
  status: 'status',
  slug: 'slug',
  tags: 'tags',
  tribe_events_cat: 'categories',
  featured_media: 'image',
};

/** A list of posts has all of them, the hidden ones too, and the last first. */
const everyEvent = { start_date: '1000-01-01', end_date: '9999-12-31', include_hidden: true, order: 'desc' };

/** An id that no record has. */
const noId = Number.MAX_SAFE_INTEGER;

const shape = Type.Object(
  { id: Type.Integer(), slug: Type.String(), link: Type.String() },
  { additionalProperties: true },
);

const place = { tag: 'Calendar: wp/v2', query: querySchema() } as const;
const item = { ...place, path: `${path}/{id}`, parameters: pathSchema('id', undefined) } as const;
const listEvents = endpoint({
  ...place,
  method: 'GET',
  path,
  operationId: 'list-wp-event',
  bound: bounds.list,
  summary: 'List events as posts',
  access: 'optional',
  problems: listProblems,
  replies: { 200: { description: 'A page of the list.', schema: Type.Array(shape) } },
  handle(call) {
    mustKnowFilters(call.query, unknownFilters);
    mustKnowOrder(call.query);
    return eventsReply(call);
  },
});

const readEvent = endpoint({
  ...item,
  method: 'GET',
  operationId: 'get-wp-event',
  bound: bounds.record,
  summary: 'Read one event as a post',
  access: 'optional',
  problems: readProblems,
  replies: { 200: { description: 'The event.', schema: shape } },
  async handle(call) {
    const parameters = pickParameters(call.query, ['password', 'context']);
    const request = { ...requestOf(call), parameters };
    const { value, freshness } = await call.calendar().read('event', refOf(call), request);
    return json(viewOf(call)(JSON.parse(value.text)), { headers: freshnessHeaders(freshness) });
  },
});

const updateEvent = endpoint({
  ...item,
  method: 'POST',
  operationId: 'update-wp-event',
  bound: bounds.write,
  summary: 'Update the terms and texts of one event',
  access: 'bearer',
  mayUse: (caller) => mayWrite(caller, 'event'),
  problems: writeProblems,
  replies: { 200: { description: 'The event after the update.', schema: shape } },
  async handle(call) {
    const parameters = renamed(call.query, fieldNames);
    const { text } = await call.calendar().update('event', refOf(call), { ...requestOf(call), parameters });
    return json(viewOf(call)(JSON.parse(text)));
  },
});

/** The endpoints of events. */
export const eventEndpoints: RecordEndpoints = {
  endpoints: [listEvents, readEvent, updateEvent],
  embedFields: ['date', 'type', 'title', 'excerpt', 'author', 'featured_media'],
  editing: {
    mayEditAny: (caller) => mayWrite(caller, 'event'),
    mayEditOne: (caller, { status, author }) =>
      mayEdit(caller, { status: status as Status, record: { kind: 'event', author: Number(author) } }),
  },
};

/** Returns the ids of the events of slugs that the caller may read. */
async function idsOfSlugs(slugs: unknown, call: CalendarCall): Promise<number[]> {
  const ids: number[] = [];
  for (const slug of listIn(slugs)) {
    const event = await call
      .calendar()
      .read('event', { slug }, { ...requestOf(call), parameters: {} })
      .catch(noneUnlessFailure);
    if (event !== undefined) ids.push(JSON.parse(event.value.text).id);
  }
  return ids;
}

/** Answers with the list of events. An id that no event has stands for slugs of none. */
async function eventsReply(call: CalendarCall): Promise<Reply> {
  const { slug } = call.query;
  const ids = slug === undefined ? undefined : await idsOfSlugs(slug, call);
  const filters: RawParameters = { ...everyEvent, ...renamed(call.query, filterNames) };
  const asked = filters['include'] === undefined ? undefined : listIn(filters['include']);
  const include = ids?.filter((id) => asked === undefined || asked.includes(String(id)));
  return pageReply(call, {
    kind: 'event',
    filters: include === undefined ? filters : { ...filters, include: include.length === 0 ? noId : include },
    view: viewOf(call),
    mustExist: mustHavePage,
  });
}

function noneUnlessFailure(error: unknown): undefined {
  if (isCodedError(error) && ['invalid', 'forbidden'].includes(error.kind)) return undefined;
  throw error;
}

function viewOf({ link }: CalendarCall) {
  return (event: Shown) => {
    const view = eventView(event, { link });
    return { ...view, _links: { ...(view['_links'] as object), ...embeddableLinks(view, link) } };
  };
}

/** 0 stands for no picture. */
function renamed(raw: RawParameters, names: Readonly<Record<string, string>>): RawParameters {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const ourName = Object.hasOwn(names, name) ? names[name] : undefined;
      if (ourName === undefined) return [];
      const text = rawText(value);
      return [[ourName, ourName === 'image' && Number(text) === 0 ? null : text]];
    }),
  );
}

/** Orders of WordPress that the calendar has too. */
const orders = ['date', 'modified', 'title', 'relevance'];

function mustKnowOrder({ orderby, order, search }: RawParameters): void {
  mustBeOneOf('orderby', orderby, orders);
  mustBeOneOf('order', order, directions);
  if (orderby === 'relevance') mustSearch(search);
}

function mustHavePage(page: number, totalPages: number): void {
  if (page > 1 && page > totalPages)
    throw new CodedError('rest_post_invalid_page_number', 'Cannot show the page: there is nothing on it.');
}
