/** Endpoints that categories and tags have alike: list and create, and read, update and delete by id. */

import type { Calendar } from '../shared/calendar/calendar.ts';
import type { Caller } from '../shared/calendar/caller.ts';
import { listTerms } from '../shared/calendar/operations/lists.ts';
import { createTermOf, deleteTermOf, readTerm, updateTermOf } from '../shared/calendar/operations/terms.ts';
import type { TermKind } from '../shared/calendar/records.ts';
import type { Endpoint, Method } from '../shared/http/endpoint.ts';
import { type CalendarCall, endpoint, idOf, requestOf } from './calendar-call.ts';
import { pathSchema, querySchema } from './calendar-parameters.ts';
import { listReply, readReply, writtenReply } from './calendar-replies.ts';
import { bodyOf, type Resource, updateMethods, writeProblems } from './calendar-resource.ts';
import { pageSchema } from './calendar-schemas.ts';

/** A resource whose records are terms. */
export interface TermResource extends Resource {
  readonly kind: TermKind;
}

/** Gives the endpoints of a resource. */
export function termEndpoints(resource: TermResource, calendar: () => Calendar): Endpoint<Caller>[] {
  return [
    listEndpoint(resource, calendar),
    createEndpoint(resource, calendar),
    readEndpoint(resource, calendar),
    ...updateMethods.map((method) => updateEndpoint(resource, method, calendar)),
    deleteEndpoint(resource, calendar),
  ];
}

function listEndpoint({ collection, kind, tag, filters, schema }: TermResource, calendar: () => Calendar) {
  return endpoint({
    method: 'GET',
    path: `/${collection}`,
    operationId: `list-${collection}`,
    summary: `List ${collection}`,
    tag,
    access: 'optional',
    query: querySchema(filters),
    problems: { 400: 'A bad parameter.' },
    replies: {
      200: {
        description: 'A page of the list; empty beyond its end.',
        schema: pageSchema(collection, schema),
      },
    },
    handle: async (call) => listReply(await listTerms(kind, calendar(), requestOf(call))),
  });
}

function createEndpoint({ collection, kind, tag, fields, schema }: TermResource, calendar: () => Calendar) {
  return endpoint({
    method: 'POST',
    path: `/${collection}`,
    operationId: `create-${kind}`,
    summary: `Create a ${kind}`,
    tag,
    access: 'bearer',
    query: querySchema(),
    body: bodyOf(fields, { isCreate: true }),
    problems: writeProblems,
    replies: { 201: { description: 'The new term; its address in Location.', schema } },
    handle: async (call) => {
      const item = await createTermOf(kind, calendar(), requestOf(call));
      return writtenReply(item, 201, { Location: call.link(`/${collection}/${item.id}`) });
    },
  });
}

function readEndpoint({ collection, kind, tag, schema }: TermResource, calendar: () => Calendar) {
  return endpoint({
    method: 'GET',
    path: `/${collection}/{id}`,
    operationId: `get-${kind}`,
    summary: `Read one ${kind}`,
    tag,
    access: 'optional',
    parameters: pathSchema('id'),
    query: querySchema(),
    problems: { 400: 'Unknown term.' },
    replies: { 200: { description: 'The term.', schema } },
    handle: async (call) => readReply(await readTerm(kind, pathId(call), calendar(), requestOf(call))),
  });
}

function updateEndpoint(
  { collection, kind, tag, fields, schema }: TermResource,
  method: Method,
  calendar: () => Calendar,
) {
  return endpoint({
    method,
    path: `/${collection}/{id}`,
    operationId: `update-${kind}-${method.toLowerCase()}`,
    summary: `Update one ${kind}: what is not sent stays`,
    tag,
    access: 'bearer',
    parameters: pathSchema('id'),
    query: querySchema(),
    body: bodyOf(fields, { isCreate: false }),
    problems: writeProblems,
    replies: { 200: { description: 'The term after the update.', schema } },
    handle: async (call) => writtenReply(await updateTermOf(kind, pathId(call), calendar(), requestOf(call))),
  });
}

function deleteEndpoint({ collection, kind, tag, schema }: TermResource, calendar: () => Calendar) {
  return endpoint({
    method: 'DELETE',
    path: `/${collection}/{id}`,
    operationId: `delete-${kind}`,
    summary: `Delete one ${kind} for good`,
    tag,
    access: 'bearer',
    parameters: pathSchema('id'),
    query: querySchema(),
    problems: writeProblems,
    replies: { 200: { description: 'The term as it was.', schema } },
    handle: async (call) => writtenReply(await deleteTermOf(kind, pathId(call), calendar(), requestOf(call))),
  });
}

function pathId({ path }: CalendarCall): number {
  return idOf((path as { id?: string }).id);
}
