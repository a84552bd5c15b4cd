/** Endpoints that events, venues and organizers have alike: list and create, and read, update and delete by id or slug. */

import type { Answered, Calendar, CalendarRequest } from '../shared/calendar/calendar.ts';
import type { Caller } from '../shared/calendar/caller.ts';
import { addPost, changePost, readPost, removePost } from '../shared/calendar/operations/posts.ts';
import type { ParameterTable } from '../shared/calendar/parameters/parameter.ts';
import type { Listing } from '../shared/calendar/queries/listing.ts';
import type { PostKind } from '../shared/calendar/records.ts';
import type { Endpoint, Method } from '../shared/http/endpoint.ts';
import { endpoint, namedBy, requestOf } from './calendar-call.ts';
import { pathSchema, querySchema } from './calendar-parameters.ts';
import { listReply, readReply, writtenReply } from './calendar-replies.ts';
import { bodyOf, type Resource, updateMethods, writeProblems } from './calendar-resource.ts';
import { pageSchema } from './calendar-schemas.ts';

/** A resource whose records have slugs, a status and a trash. */
export interface PostResource extends Resource {
  readonly kind: PostKind;
  readonly list: (calendar: Calendar, request: CalendarRequest) => Promise<Answered<Listing>>;
  /** Parameters of reading one record. */
  readonly itemParameters?: ParameterTable;
}

/** Gives the endpoints of a resource. */
export function postEndpoints(resource: PostResource, calendar: () => Calendar): Endpoint<Caller>[] {
  return [
    listEndpoint(resource, calendar),
    createEndpoint(resource, calendar),
    ...(['id', 'slug'] as const).flatMap((by) => [
      readEndpoint(resource, by, calendar),
      ...updateMethods.map((method) => updateEndpoint(resource, by, method, calendar)),
      deleteEndpoint(resource, by, calendar),
    ]),
  ];
}

function listEndpoint(
  { collection, kind, tag, filters, schema, list }: PostResource,
  calendar: () => Calendar,
) {
  return endpoint({
    method: 'GET',
    path: `/${collection}`,
    operationId: `list-${collection}`,
    summary: `List ${collection}`,
    tag,
    access: 'optional',
    query: querySchema(filters),
    problems: {
      400: 'A bad parameter.',
      404: `Page above 1 with nothing on it (${kind}-archive-page-not-found).`,
    },
    replies: { 200: { description: 'A page of the list.', schema: pageSchema(collection, schema) } },
    handle: async (call) => listReply(await list(calendar(), requestOf(call))),
  });
}

function createEndpoint({ collection, kind, tag, fields, schema }: PostResource, calendar: () => Calendar) {
  return endpoint({
    method: 'POST',
    path: `/${collection}`,
    operationId: `create-${kind}`,
    summary: `Create an ${kind}`.replace('an v', 'a v'),
    tag,
    access: 'bearer',
    query: querySchema(),
    body: bodyOf(fields, { isCreate: true }),
    problems: writeProblems,
    replies: { 201: { description: 'The new record.', schema } },
    handle: async (call) => writtenReply(await addPost(kind, calendar(), requestOf(call)), 201),
  });
}

type By = 'id' | 'slug';

/** The path of a record, and what makes the names of its operations unique. */
function place({ collection }: PostResource, by: By) {
  return by === 'id'
    ? { path: `/${collection}/{id}`, suffix: '', words: '' }
    : { path: `/${collection}/by-slug/{slug}`, suffix: '-by-slug', words: ' by its slug' };
}

function readEndpoint(resource: PostResource, by: By, calendar: () => Calendar) {
  const { kind, tag, schema, itemParameters } = resource;
  const { path, suffix, words } = place(resource, by);
  return endpoint({
    method: 'GET',
    path,
    operationId: `get-${kind}${suffix}`,
    summary: `Read one ${kind}${words}`,
    tag,
    access: 'optional',
    parameters: pathSchema(by),
    query: querySchema(itemParameters),
    problems: {
      400: 'A bad parameter or unknown record.',
      403: 'The record is not published, or protected.',
      404: 'Unknown record.',
    },
    replies: { 200: { description: 'The record.', schema } },
    handle: async (call) => readReply(await readPost(kind, namedBy(call), calendar(), requestOf(call))),
  });
}

function updateEndpoint(resource: PostResource, by: By, method: Method, calendar: () => Calendar) {
  const { kind, tag, schema, fields } = resource;
  const { path, suffix, words } = place(resource, by);
  return endpoint({
    method,
    path,
    operationId: `update-${kind}${suffix}-${method.toLowerCase()}`,
    summary: `Update one ${kind}${words}: what is not sent stays`,
    tag,
    access: 'bearer',
    parameters: pathSchema(by),
    query: querySchema(),
    body: bodyOf(fields, { isCreate: false }),
    problems: writeProblems,
    replies: { 200: { description: 'The record after the update.', schema } },
    handle: async (call) => writtenReply(await changePost(kind, namedBy(call), calendar(), requestOf(call))),
  });
}

function deleteEndpoint(resource: PostResource, by: By, calendar: () => Calendar) {
  const { kind, tag, schema } = resource;
  const { path, suffix, words } = place(resource, by);
  return endpoint({
    method: 'DELETE',
    path,
    operationId: `delete-${kind}${suffix}`,
    summary: `Move one ${kind}${words} to the trash`,
    tag,
    access: 'bearer',
    parameters: pathSchema(by),
    query: querySchema(),
    problems: { ...writeProblems, 410: 'The record is in the trash already.' },
    replies: { 200: { description: 'The record in the trash.', schema } },
    handle: async (call) => writtenReply(await removePost(kind, namedBy(call), calendar(), requestOf(call))),
  });
}
