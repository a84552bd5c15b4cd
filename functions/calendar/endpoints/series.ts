/** Series of events: their rules, and changes of one date, of later ones or of all (docs/calendar-contract.md, "Series"). */

import * as Type from 'typebox';
import { json, type Reply, replayedHeader } from '../../../shared/http/reply.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import {
  seriesBodyParameters,
  seriesItemParameters,
  seriesParameters,
  seriesPlanSchema,
  seriesSchema,
  seriesSummarySchema,
} from '../model/fields/series.ts';
import { type Caller, mayWrite } from '../model/rights.ts';
import type { SeriesItem, SeriesPlan, WrittenSeries } from '../operations/series-collection.ts';
import { pagingParameters } from '../read/page.ts';
import { bounds } from '../wire/bounds.ts';
import { createProblems, readProblems, writeProblems } from '../wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../wire/input.ts';
import { bodySchema, pathSchema, querySchema } from '../wire/parameters.ts';
import { adjustedHeader, digest, freshnessHeaders } from '../wire/replies.ts';
import { adjustedHeaders, readReplies, replayedHeaders, totalHeaders } from '../wire/schemas.ts';

const mayUse = (caller: Caller) => mayWrite(caller, 'event');

const place = {
  path: '/series',
  tag: 'Calendar: series',
  extension: true,
  bound: bounds.series,
} as const;
const item = { ...place, path: '/series/{id}', parameters: pathSchema('id', 55) } as const;
const itemProblems = {
  ...writeProblems,
  400: 'A bad parameter, or more dates than a series may have (series-too-long).',
  404: 'No such series, or none of its dates is for the caller.',
  410: 'The date is in the trash.',
} as const;
const plan = { description: 'With `dry_run`: the dates.', schema: seriesPlanSchema } as const;

const seriesOrPlan = Type.Union([seriesSchema, seriesPlanSchema], { $id: 'SeriesOrPlan' });

const list = endpoint({
  ...place,
  method: 'GET',
  operationId: 'list-series',
  summary: 'List series of events, the newest first',
  access: 'optional',
  query: querySchema(pagingParameters),
  problems: readProblems,
  replies: readReplies({
    description: 'A page of the list.',
    schema: Type.Object({
      series: Type.Array(seriesSummarySchema),
      total: Type.Integer(),
      total_pages: Type.Integer(),
    }),
    headers: totalHeaders,
  }),
  async handle(call) {
    const { value, freshness } = await call.calendar().series.list(requestOf(call));
    const { items, total, totalPages } = value;
    const body = { series: items, total, total_pages: totalPages };
    return json(body, {
      headers: {
        'X-TEC-Total': String(total),
        'X-TEC-TotalPages': String(totalPages),
        ETag: `"${digest(JSON.stringify(body))}"`,
        ...freshnessHeaders(freshness),
      },
    });
  },
});

const create = endpoint({
  ...place,
  method: 'POST',
  operationId: 'create-series',
  summary: 'Create a series of events',
  description:
    'Of the fields of an event, and a rule or chosen dates; or of an event that is there (`event`), which becomes the first date. Each date is an event of its own. With `dry_run` the dates alone are told.',
  access: 'bearer',
  mayUse,
  change: 'series',
  query: querySchema(),
  body: {
    schema: bodySchema('series', seriesBodyParameters, { isCreate: true }),
    example: {
      title: 'Open rehearsal',
      start_date: '2027-01-05 19:00:00',
      end_date: '2027-01-05 21:00:00',
      timezone: 'Europe/Copenhagen',
      rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270525',
      exdate: ['2027-03-30'],
      dry_run: true,
    },
  },
  problems: {
    ...createProblems,
    400: 'A bad parameter, or more dates than a series may have (series-too-long).',
  },
  replies: {
    200: plan,
    201: {
      description: 'The series, once all of its events are there.',
      schema: seriesSchema,
      headers: { ...adjustedHeaders, ...replayedHeaders },
    },
  },
  async handle(call) {
    const request = requestOf(call);
    const { series } = call.calendar();
    if (isDryRun(call)) return planReply(await series.plan(request));
    return writtenReply(await series.create(request), 201, call);
  },
});

const read = endpoint({
  ...item,
  method: 'GET',
  operationId: 'get-series',
  summary: 'Read a series with its dates',
  access: 'optional',
  query: querySchema(),
  problems: { ...readProblems, 404: 'No such series, or none of its dates is for the caller.' },
  replies: readReplies({ description: 'The series.', schema: seriesSchema }),
  async handle(call) {
    const { value, freshness } = await call.calendar().series.read(idOf(call), requestOf(call));
    return json(value.view, { headers: { ETag: tagOf(value), ...freshnessHeaders(freshness) } });
  },
});

const updates = (['POST', 'PUT', 'PATCH'] as const).map((method) =>
  endpoint({
    ...item,
    method,
    operationId: `update-series-${method.toLowerCase()}`,
    summary: 'Change a series: this date, this and later ones, or all',
    description:
      'Fields of the event `event`, which the dates of `scope` get where nobody has changed them in a single one; or another rule. `If-Match` names the version of the series, or that of the event.',
    access: 'bearer',
    mayUse,
    change: 'series',
    query: querySchema(),
    body: {
      schema: bodySchema('series', seriesBodyParameters, { isCreate: false }),
      example: { scope: 'all', rrule: 'FREQ=WEEKLY;COUNT=4' },
    },
    problems: itemProblems,
    replies: {
      200: {
        description:
          'The series, once all of its events are changed; or with `dry_run` its dates (`SeriesPlan`).',
        schema: seriesOrPlan,
        headers: adjustedHeaders,
      },
    },
    async handle(call) {
      const { series } = call.calendar();
      if (isDryRun(call)) return planReply(await series.plan(requestOf(call), idOf(call)));
      return writtenReply(await series.update(idOf(call), requestOf(call)), 200, call);
    },
  }),
);

const remove = endpoint({
  ...item,
  method: 'DELETE',
  operationId: 'delete-series',
  summary: 'Take dates of a series away: this one, this and later ones, or all',
  description: 'Their events go to the trash.',
  access: 'bearer',
  mayUse,
  change: 'series',
  query: querySchema(seriesItemParameters),
  problems: itemProblems,
  replies: {
    200: { description: 'The series without them; with no dates where none is left.', schema: seriesSchema },
  },
  async handle(call) {
    return writtenReply(await call.calendar().series.delete(idOf(call), requestOf(call)), 200, call);
  },
});

/** The endpoints of series. */
export const seriesEndpoints = [list, create, read, ...updates, remove];

function isDryRun({ query }: CalendarCall): boolean {
  const { dry_run: sent } = query;
  return sent !== undefined && seriesParameters.dry_run.parse(sent, undefined as never) === true;
}

function planReply({ dates, missing, horizon }: SeriesPlan): Reply {
  const shown = dates.map(({ recurrence, dates: { start_date, end_date }, odd, change }) => ({
    recurrence_id: recurrence,
    start_date,
    end_date,
    ...(odd === undefined ? {} : { odd }),
    change,
  }));
  const total = dates.filter(({ change }) => change !== 'removed').length;
  return json({ total, dates: shown, missing, horizon });
}

function writtenReply(series: WrittenSeries, status: number, { link }: CalendarCall): Reply {
  const tag = tagOf(series);
  noteChange({ id: series.id, after: tag });
  return json(series.view, {
    status,
    headers: {
      ETag: tag,
      ...(status === 201 ? { Location: link(`/series/${series.id}`) } : {}),
      ...adjustedHeader(series.adjusted),
      ...(series.isReplayed ? { [replayedHeader]: 'true' } : {}),
    },
  });
}

function tagOf({ version, view }: SeriesItem): string {
  return `"${version}-${digest(JSON.stringify(view))}"`;
}

function idOf(call: CalendarCall): number {
  const ref = refOf(call);
  if (!('id' in ref)) throw new TypeError('The path has an id.');
  return ref.id;
}
