/** Drafts of the next version of published events, venues and organizers (docs/calendar-contract.md, "Drafts of the next version"). */

import * as Type from 'typebox';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { extension } from '../model/fields/parameter.ts';
import { choice } from '../model/fields/parsers.ts';
import { scopeParameter, scopes } from '../model/fields/series.ts';
import { invalidParameter } from '../model/refusals.ts';
import { type Caller, mayWrite } from '../model/rights.ts';
import { collections, languages, type PostKind } from '../model/values.ts';
import type { ToldDraft } from '../operations/next-versions.ts';
import type { ReadResult } from '../read/read-context.ts';
import { bounds } from '../wire/bounds.ts';
import { writeProblems } from '../wire/documented-problems.ts';
import { type CalendarCall, endpoint, refOf, requestOf } from '../wire/input.ts';
import { bodySchema, querySchema } from '../wire/parameters.ts';
import { freshnessHeaders, writtenReply } from '../wire/replies.ts';
import { adjustedHeaders } from '../wire/schemas.ts';
import { changeSchema, historyValue } from './history.ts';
import type { Resource } from './resource.ts';

const draftSchema = Type.Object(
  {
    base: Type.Optional(Type.Integer({ description: 'Version of the record that it was begun on.' })),
    written: Type.Optional(Type.String({ description: 'When it was saved last, in UTC.' })),
    by: Type.Optional(Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) })),
    sent: Type.Object(
      {},
      {
        additionalProperties: Type.Object({}, { additionalProperties: true }),
        description: 'What was sent, by the language of its texts; `default` without one.',
      },
    ),
    changes: Type.Array(changeSchema, { description: 'What it would change of the record as it is now.' }),
    scope: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: [...scopes],
        description: 'The dates of its series that it is made to; absent for this one alone.',
      }),
    ),
    conflicts: Type.Array(
      Type.Object({
        field: Type.String(),
        language: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...languages] })),
        mine: historyValue,
        theirs: historyValue,
      }),
      { description: 'Fields that others have changed since, otherwise than the draft.' },
    ),
  },
  { $id: 'NextVersion' },
);

const problems = {
  ...writeProblems,
  404: 'Unknown event, or nothing to publish.',
  412: 'The draft changed since the tag that If-Match names.',
} as const;

/** Whose value a field gets that the draft and others have changed. */
const resolution = extension(
  choice('Whose value a field gets that others have changed too: `mine`, that of the draft, or `theirs`.', [
    'mine',
    'theirs',
  ]),
);

/** Creates the endpoints of the draft of the next version of a resource. */
export function nextVersionEndpoints(resource: Resource): Endpoint<Caller>[] {
  const { kind, fields, schema, example, itemParameters } = resource;
  const post = kind as PostKind;
  const place = {
    tag: `Calendar: ${collections[kind]}`,
    access: 'bearer',
    extension: true,
    mayUse: (caller: Caller) => mayWrite(caller, kind),
    path: `/${collections[kind]}/{id}/draft`,
    parameters: Type.Object({
      id: Type.Integer({ minimum: 1, description: 'Id of the record.', examples: [example.id] }),
    }),
    query: querySchema(itemParameters),
  } as const;
  const ofSeries = kind === 'event' ? { scope: scopeParameter } : {};
  const ofDraft = { 200: { description: 'The draft.', schema: draftSchema } };
  const [name = ''] = Object.keys(example.body);
  const save = endpoint({
    ...place,
    method: 'PATCH',
    operationId: `save-${kind}-draft`,
    bound: bounds.write,
    summary: `Save a draft of the next version of one published ${kind}: what is not sent stays as it is in the draft`,
    description: 'The public record stays as it is. Nobody but who may edit it now learns of the draft.',
    body: {
      schema: bodySchema(kind, { ...fields, ...ofSeries }, { isCreate: false, suffix: 'Draft' }),
      example: { [name]: example.body[name] },
    },
    problems: { ...problems, 409: 'The record is not published.' },
    replies: ofDraft,
    handle: async (call) =>
      draftReply(await call.calendar().nextVersions.save(post, refOf(call), requestOf(call))),
  });
  const read = endpoint({
    ...place,
    method: 'GET',
    operationId: `get-${kind}-draft`,
    bound: bounds.record,
    summary: `Read the draft of the next version of one ${kind}: empty where there is none`,
    problems,
    replies: ofDraft,
    handle: async (call) =>
      draftReply(await call.calendar().nextVersions.read(post, refOf(call), requestOf(call))),
  });
  const publish = endpoint({
    ...place,
    path: `${place.path}/publish`,
    method: 'POST',
    operationId: `publish-${kind}-draft`,
    bound: bounds.write,
    summary: `Publish the draft of the next version of one ${kind}`,
    description:
      'An ordinary change, decided on the newest version: what others have changed meanwhile stays unless the draft has the same field. `resolve` says whose value such a field gets: `mine`, that of the draft, or `theirs`; without it they are told (409).',
    query: querySchema({ ...itemParameters, resolve: resolution }),
    change: kind,
    problems: { ...problems, 409: 'Others have changed the same fields: `data.conflicts` has both values.' },
    replies: { 200: { description: 'The record after it.', schema, headers: adjustedHeaders } },
    handle: async (call) =>
      writtenReply(await call.calendar().publishDraft(post, refOf(call), resolveOf(call), requestOf(call))),
  });
  const drop = endpoint({
    ...place,
    method: 'DELETE',
    operationId: `drop-${kind}-draft`,
    bound: bounds.record,
    summary: `Drop the draft of the next version of one ${kind}`,
    problems,
    replies: ofDraft,
    handle: async (call) =>
      draftReply(await call.calendar().nextVersions.drop(post, refOf(call), requestOf(call))),
  });
  return [read, save, drop, publish];
}

function draftReply({ value, freshness }: ReadResult<ToldDraft>) {
  const { etag, ...draft } = value;
  return json(draft, { headers: { ETag: etag, ...freshnessHeaders(freshness) } });
}

function resolveOf({ query }: CalendarCall): 'mine' | 'theirs' | undefined {
  const { resolve } = query;
  if (resolve === undefined || resolve === 'mine' || resolve === 'theirs') return resolve;
  throw invalidParameter('resolve', 'must be mine or theirs');
}
