/** The history of events, venues and organizers: their versions, putting one back, and coming back from the trash (docs/calendar-contract.md, "History"). */

import * as Type from 'typebox';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json, RawJson } from '../../../shared/http/reply.ts';
import { extension, map, optional, parseFilters } from '../model/fields/parameter.ts';
import { positiveInteger } from '../model/fields/parsers.ts';
import { noRoute } from '../model/refusals.ts';
import { type Caller, mayWrite } from '../model/rights.ts';
import { collections, languages, type PostKind, statuses } from '../model/values.ts';
import { bounds } from '../wire/bounds.ts';
import { writeProblems } from '../wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../wire/input.ts';
import { querySchema } from '../wire/parameters.ts';
import { digest, freshnessHeaders, writtenReply } from '../wire/replies.ts';
import { adjustedHeaders, readReplies } from '../wire/schemas.ts';
import type { Resource } from './resource.ts';

/** Versions of a page, at most. */
const maxVersions = 20;

const pageParameters = {
  before: extension(positiveInteger('Version before which versions are listed; without it the newest come.')),
  per_page: optional(
    maxVersions,
    extension(
      map(
        positiveInteger(`Versions of a page; above ${maxVersions} is lowered to ${maxVersions}.`),
        (value) => Math.min(value, maxVersions),
      ),
    ),
  ),
};

export const historyValue = Type.Unsafe<unknown>({
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string' } },
    { type: 'null' },
  ],
  description: 'The value for reading: names of what it refers to, or `#` and a number. Null for none.',
});

export const changeSchema = Type.Object({
  field: Type.String(),
  language: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: [...languages],
      description: 'Of a text in that language; absent for the default text.',
    }),
  ),
  before: historyValue,
  after: historyValue,
});

const headProperties = {
  version: Type.Integer({ description: 'Version of the calendar that the change made.' }),
  written: Type.String({ description: 'When it was written, in UTC: `YYYY-MM-DD HH:MM:SS`.' }),
  by: Type.Optional(
    Type.Object(
      { id: Type.Integer(), name: Type.Optional(Type.String()) },
      {
        description:
          'Who has written it. Absent where it was not noted, and for what the clock has published; the name is told for a time (CALENDAR_AUTHOR_NAME_DAYS).',
      },
    ),
  ),
  status: Type.Unsafe<string>({ type: 'string', enum: [...statuses] }),
};

const versionsSchema = Type.Object(
  {
    versions: Type.Array(
      Type.Object({
        ...headProperties,
        changes: Type.Optional(
          Type.Array(changeSchema, {
            description: 'What it has changed of the version before. Absent for the first that is kept.',
          }),
        ),
      }),
      { description: 'The newest first.' },
    ),
    next: Type.Optional(
      Type.String({ description: 'Address of the versions before these; absent on the last page.' }),
    ),
  },
  { $id: 'RecordHistory' },
);

const differencesSchema = Type.Object(
  {
    ...headProperties,
    differences: Type.Array(changeSchema, { description: 'What putting it back would change.' }),
    left_out: Type.Array(Type.String(), {
      description: 'Fields that would lack what is gone since, or not for the caller.',
    }),
  },
  { $id: 'RecordVersion' },
);

/** Creates the endpoints of the history of a resource. */
export function historyEndpoints({ kind, example, itemParameters, schema }: Resource): Endpoint<Caller>[] {
  const post = kind as PostKind;
  const id = Type.Integer({ minimum: 1, description: 'Id of the record.', examples: [example.id] });
  const version = Type.Integer({
    minimum: 1,
    description: 'Version of the record.',
    ...(example.version === undefined ? {} : { examples: [example.version] }),
  });
  const place = {
    tag: `Calendar: ${collections[kind]}`,
    access: 'bearer',
    extension: true,
    mayUse: (caller: Caller) => mayWrite(caller, kind),
  } as const;
  const path = `/${collections[kind]}/{id}`;
  const list = endpoint({
    ...place,
    method: 'GET',
    path: `${path}/history`,
    operationId: `list-${kind}-versions`,
    bound: bounds.history,
    summary: `List the versions of one ${kind}: who has changed what, and when`,
    description: 'For callers who may edit the record now, whoever has written a version.',
    parameters: Type.Object({ id }),
    query: querySchema({ ...itemParameters, ...pageParameters }),
    problems: readProblems,
    replies: readReplies({ description: 'A page of versions.', schema: versionsSchema }),
    async handle(call) {
      const request = requestOf(call);
      // Parameters are parsed before the record is looked for; they need nothing of the calendar.
      const { before, per_page: limit } = parseFilters(pageParameters, request as never);
      const { value, freshness } = await call
        .calendar()
        .histories.list(post, refOf(call), { before, limit }, request);
      const next = value.before === undefined ? {} : { next: nextUrl(call, path, value.before, limit) };
      const text = JSON.stringify({ versions: value.versions, ...next });
      return json(new RawJson(text), {
        headers: { ETag: `"${digest(text)}"`, ...freshnessHeaders(freshness) },
      });
    },
  });
  const read = endpoint({
    ...place,
    method: 'GET',
    path: `${path}/history/{version}`,
    operationId: `get-${kind}-version`,
    bound: bounds.record,
    summary: `Read what putting back a version of one ${kind} would change`,
    parameters: Type.Object({ id, version }),
    query: querySchema(itemParameters),
    problems: readProblems,
    replies: readReplies({ description: 'The version.', schema: differencesSchema }),
    async handle(call) {
      const { value, freshness } = await call
        .calendar()
        .histories.differences(post, refOf(call), versionOf(call), requestOf(call));
      const text = JSON.stringify(value);
      return json(new RawJson(text), {
        headers: { ETag: `"${digest(text)}"`, ...freshnessHeaders(freshness) },
      });
    },
  });
  const restore = endpoint({
    ...place,
    method: 'POST',
    path: `${path}/history/{version}/restore`,
    operationId: `restore-${kind}-version`,
    bound: bounds.write,
    summary: `Put back a version of one ${kind}`,
    description:
      'An ordinary change: author, status, dates of publication, slug and password stay as they are. What the version refers to and is gone since is left out, and named in Adjusted-Fields.',
    change: kind,
    parameters: Type.Object({ id, version }),
    query: querySchema(itemParameters),
    problems: { ...writeProblems, 404: 'Unknown event, or a version that is not kept.' },
    replies: { 200: { description: 'The record after it.', schema, headers: adjustedHeaders } },
    handle: async (call) =>
      writtenReply(await call.calendar().restore(post, refOf(call), versionOf(call), requestOf(call))),
  });
  const untrash = endpoint({
    ...place,
    method: 'POST',
    path: `${path}/untrash`,
    operationId: `untrash-${kind}`,
    bound: bounds.write,
    summary: `Put one ${kind} back from the trash`,
    description:
      'With the status that it had; `draft` where that is not known, and `pending` for who may not publish. A record that is not in the trash stays as it is.',
    change: kind,
    parameters: Type.Object({ id }),
    query: querySchema(itemParameters),
    problems: writeProblems,
    replies: { 200: { description: 'The record after it.', schema } },
    handle: async (call) => writtenReply(await call.calendar().untrash(post, refOf(call), requestOf(call))),
  });
  return [list, read, restore, untrash];
}

const readProblems = {
  400: 'A bad parameter, or an unknown record.',
  401: 'Not signed in.',
  403: 'Signed in without the right to edit the record.',
  404: 'Unknown event, or a version that is not kept.',
  503: 'The tables cannot be reached.',
} as const;

function versionOf({ path }: CalendarCall): number {
  const { version = '' } = path as { readonly version?: string };
  if (!/^\d{1,15}$/.test(version)) throw noRoute();
  return Number(version);
}

function nextUrl({ link, path }: CalendarCall, place: string, before: number, limit: number): string {
  const { id = '' } = path as { readonly id?: string };
  const parameters = new URLSearchParams({ before: String(before), per_page: String(limit) });
  return link(`${place.replace('{id}', id)}/history?${parameters}`);
}
