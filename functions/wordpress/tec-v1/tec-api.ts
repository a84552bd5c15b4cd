/** The newer API of The Events Calendar, `tec/v1`, to read: views of the same calendar, behind the header that the plugin asks for. */

import * as Type from 'typebox';
import type { Config } from '../../../shared/config.ts';
import { CodedError, isCodedError } from '../../../shared/errors.ts';
import type { Api } from '../../../shared/http/api.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { documentReply } from '../../calendar/endpoints/doc.ts';
import type { RawParameters } from '../../calendar/model/calendar-context.ts';
import { notAllowed } from '../../calendar/model/refusals.ts';
import type { Caller } from '../../calendar/model/rights.ts';
import { siteOf } from '../../calendar/model/site.ts';
import { collections, type PostKind } from '../../calendar/model/values.ts';
import { type CalendarAddress, calendarRoot } from '../../calendar/wire/address.ts';
import { bounds } from '../../calendar/wire/bounds.ts';
import { listProblems } from '../../calendar/wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../../calendar/wire/input.ts';
import { pathSchema, querySchema } from '../../calendar/wire/parameters.ts';
import { freshnessHeaders } from '../../calendar/wire/replies.ts';
import { siteMount } from '../site.ts';
import { filtersOfPosts, mustKnowFilters, pageReply, pickParameters } from '../wp-v2/paging.ts';
import { entityView } from './entity-view.ts';

/** The header by which a caller acknowledges that the API is experimental. */
const acknowledgement = 'x-tec-eea';

/** Filters that the calendar has under the same names. */
const filterNames = [
  'start_date',
  'end_date',
  'starts_after',
  'starts_before',
  'ends_after',
  'ends_before',
  'strict_dates',
  'post_parent',
  'search',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'status',
  'ticketed',
  'include',
  'order',
  'orderby',
];

const contactFilterNames = ['search', 'event', 'has_events', 'only_with_upcoming', 'status'];

/** Filters of WordPress that these lists have not. */
const unknownFilters = [...filtersOfPosts, 'parent', 'parent_exclude', 'slug'];

/** A list without dates has all events, the hidden ones too. */
const everyEvent = { start_date: '1000-01-01', end_date: '9999-12-31', include_hidden: true };

const shape = Type.Object({ id: Type.Integer(), link: Type.String() }, { additionalProperties: true });

/** Creates the API at `/wp-json/tec/v1`; without a root where the calendar is not below `/wp-json`. */
export function tecApi(config: Config, address: CalendarAddress, api: Api<Caller>): Api<Caller> {
  return {
    ...api,
    name: 'tec',
    description: 'Events, venues and organizers as the newer API of The Events Calendar shows them.',
    mounts: siteMount(address, 'tec/v1'),
    recordsRoot: (siteLink) => calendarRoot(address, siteLink),
    endpoints: [
      ...(['event', 'venue', 'organizer'] as const).flatMap((kind) => endpointsOf(config, kind)),
      endpoint({
        method: 'GET',
        path: '/docs',
        operationId: 'get-tec-document',
        bound: bounds.index,
        summary: 'Describe the API (OpenAPI 3.0)',
        tag: 'Calendar: tec/v1',
        access: 'optional',
        query: querySchema(),
        replies: {
          200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) },
        },
        handle: (call) => documentReply(config, call, 'TEC REST API', '3.0.4'),
      }),
    ],
  };
}

function endpointsOf(config: Config, kind: PostKind): Endpoint<Caller>[] {
  const path = `/${collections[kind]}`;
  const common = {
    method: 'GET',
    tag: 'Calendar: tec/v1',
    access: 'optional',
    query: querySchema(),
    problems: {
      ...listProblems,
      400: 'A bad parameter, or no acknowledgement (X-TEC-EEA).',
      401: 'Not signed in, and no such record.',
    },
  } as const;
  return [
    endpoint({
      ...common,
      path,
      operationId: `list-tec-${kind}`,
      bound: bounds.list,
      summary: `List ${collections[kind]}`,
      replies: { 200: { description: 'A page of the list.', schema: Type.Array(shape) } },
      handle(call) {
        mustAcknowledge(call);
        mustKnowFilters(call.query, kind === 'event' ? unknownFilters : [...unknownFilters, 'include']);
        return pageReply(call, {
          kind,
          ...(kind === 'event' ? {} : { mustExist: mustHavePage(kind) }),
          filters: filtersOf(kind, call.query),
          view: (record) => entityView(kind, record, viewOptions(config, call)),
        });
      },
    }),
    endpoint({
      ...common,
      path: `${path}/{id}`,
      operationId: `get-tec-${kind}`,
      bound: bounds.record,
      summary: `Read one ${kind}`,
      parameters: pathSchema('id', undefined),
      replies: { 200: { description: 'The record.', schema: shape } },
      async handle(call) {
        mustAcknowledge(call);
        const parameters = pickParameters(call.query, ['password']);
        const request = { ...requestOf(call), parameters };
        const { value, freshness } = await call
          .calendar()
          .read(kind, refOf(call), request)
          .catch((error: unknown) => {
            // Of an id that it does not know the plugin says that the caller may not read it.
            if (isCodedError(error) && ['invalid', 'not-found'].includes(error.kind))
              throw notAllowed(call.caller, `read the ${kind}`);
            throw error;
          });
        const view = entityView(kind, JSON.parse(value.text), viewOptions(config, call));
        return json(view, { headers: freshnessHeaders(freshness) });
      },
    }),
  ];
}

function viewOptions(config: Config, { link }: CalendarCall) {
  return { link, zone: siteOf('', config.CALENDAR_TIME_ZONE).zone };
}

/** A page above 1 with nothing on it is not there, for venues and organizers alone. */
function mustHavePage(kind: 'venue' | 'organizer') {
  return (page: number, totalPages: number): void => {
    if (page > 1 && page > totalPages)
      throw new CodedError(`${kind}-archive-page-not-found`, 'Cannot show the page: there is nothing on it.');
  };
}

function filtersOf(kind: PostKind, raw: RawParameters): RawParameters {
  return kind === 'event'
    ? { ...everyEvent, ...pickParameters(raw, filterNames) }
    : pickParameters(raw, contactFilterNames);
}

function mustAcknowledge({ request }: CalendarCall): void {
  if (request.headers.get(acknowledgement)) return;
  throw new CodedError(
    'missing_experimental_endpoint_acknowledgement',
    'Cannot answer: this API is experimental, which the header X-TEC-EEA must acknowledge.',
  );
}
