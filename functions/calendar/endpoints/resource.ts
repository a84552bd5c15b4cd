/** The endpoints that all five resources share: list and create; read, update and delete by id, and for some by slug. */

import type { TObject } from 'typebox';
import * as Type from 'typebox';
import type { Method } from '../../../shared/http/description.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { ParameterTable } from '../model/fields/parameter.ts';
import { type Caller, mayWrite } from '../model/rights.ts';
import { collections, isTermKind, type ListedKind } from '../model/values.ts';
import { bounds } from '../wire/bounds.ts';
import { createProblems, listProblems, readProblems, writeProblems } from '../wire/documented-problems.ts';
import { fileReply } from '../wire/feed-replies.ts';
import { endpoint, refOf, requestOf, withoutExtension } from '../wire/input.ts';
import { bodySchema, pathSchema, querySchema } from '../wire/parameters.ts';
import { listReply, readReply, writtenReply } from '../wire/replies.ts';
import { adjustedHeaders, pageSchema, readReplies, replayedHeaders, totalHeaders } from '../wire/schemas.ts';

export interface Resource {
  readonly kind: ListedKind;
  /** What clients send on create and update. */
  readonly fields: ParameterTable;
  /** What clients send on create, where that is more. */
  readonly creationFields?: ParameterTable;
  /** Parameters of the list. */
  readonly filters: ParameterTable;
  /** Parameters of every operation on one record. */
  readonly itemParameters?: ParameterTable;
  /** Further parameters of reading one record. */
  readonly readParameters?: ParameterTable;
  /** Schema of one record. */
  readonly schema: TObject;
  /** A record of the sample data, and a body that can be sent as it stands, for the document. */
  readonly example: Example;
}

interface Example {
  readonly id: number;
  /** Version under which the sample data has it. */
  readonly version?: number;
  readonly slug?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type By = 'id' | 'slug';

/** The parts that only the endpoints of events, venues and organizers have. */
const posts = {
  by: ['id', 'slug'],
  /** Methods of a record, in the order in which `Allow` and the index tell them. POST, PUT and PATCH update in the same way. */
  itemMethods: ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'],
  deletion: 'Moves it to the trash; an update with another status brings it back.',
} as const;

/** The parts that only the endpoints of categories and tags have. */
const terms = {
  by: ['id'],
  itemMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  deletion: 'Deletes it permanently. Children of a category move to its parent; events lose the term.',
} as const;

/** An event can be read as iCalendar too. */
const alsoCalendar = { otherMediaTypes: { 'text/calendar': Type.String() } };

/** Creates the endpoints of a resource. `calendar` is asked for on the first request. */
export function resourceEndpoints(resource: Resource): Endpoint<Caller>[] {
  const { by, itemMethods } = isTermKind(resource.kind) ? terms : posts;
  return [
    listEndpoint(resource),
    createEndpoint(resource),
    ...by.flatMap((by) => itemMethods.map((method) => itemEndpoint(resource, by, method))),
  ];
}

function itemEndpoint(resource: Resource, by: By, method: Method) {
  if (method === 'GET') return readEndpoint(resource, by);
  if (method === 'DELETE') return deleteEndpoint(resource, by);
  return updateEndpoint(resource, by, method);
}

function listEndpoint(resource: Resource) {
  const { kind, filters, schema } = resource;
  const collection = collections[kind];
  return endpoint({
    ...collectionPlace(resource),
    method: 'GET',
    operationId: `list-${collection}`,
    bound: bounds.list,
    summary: `List ${collection}`,
    access: 'optional',
    query: querySchema(filters),
    problems: listProblems,
    replies: readReplies({
      description: 'A page of the list.',
      schema: pageSchema(collection, schema),
      headers: totalHeaders,
    }),
    handle: async (call) => listReply(await call.calendar().list(kind, requestOf(call))),
  });
}

function createEndpoint(resource: Resource) {
  const { kind, schema } = resource;
  const sendsLocation = isTermKind(kind);
  return endpoint({
    ...collectionPlace(resource),
    method: 'POST',
    operationId: `create-${kind}`,
    bound: bounds.write,
    summary: `Create ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`,
    access: 'bearer',
    mayUse: (caller) => mayWrite(caller, kind),
    query: querySchema(),
    body: bodyOf(resource, { isCreate: true }),
    problems: createProblems,
    replies: {
      201: {
        description: 'The new record.',
        schema,
        headers: { ...adjustedHeadersOf(kind), ...replayedHeaders },
      },
    },
    handle: async (call) => {
      const item = await call.calendar().create(kind, requestOf(call));
      const location = { Location: call.link(`/${collections[kind]}/${item.id}`) };
      return writtenReply(item, 201, sendsLocation ? location : {});
    },
  });
}

/** Dates alone are stored otherwise than they were sent, and an event alone has them. */
function adjustedHeadersOf(kind: ListedKind) {
  return isTermKind(kind) ? {} : adjustedHeaders;
}

function readEndpoint(resource: Resource, by: By) {
  const { kind, schema, itemParameters, readParameters } = resource;
  const { suffix, words, ...place } = itemPlace(resource, by);
  return endpoint({
    ...place,
    method: 'GET',
    operationId: `get-${kind}${suffix}`,
    bound: bounds.record,
    summary: `Read one ${kind}${words}`,
    access: 'optional',
    query: querySchema({ ...itemParameters, ...readParameters }),
    problems: readProblems,
    replies: readReplies({ description: 'The record.', schema, ...(kind === 'event' ? alsoCalendar : {}) }),
    ...(kind === 'event' ? { description: 'With `.ics` behind it, as iCalendar (extension).' } : {}),
    async handle(call) {
      const file = kind === 'event' ? withoutExtension(call) : undefined;
      if (file === undefined)
        return readReply(await call.calendar().read(kind, refOf(call), requestOf(call)));
      return fileReply(
        await call.calendar().file(refOf(file.call), requestOf(call)),
        file.stem,
        call.request,
      );
    },
  });
}

function updateEndpoint(resource: Resource, by: By, method: Method) {
  const { kind, schema, itemParameters } = resource;
  const { suffix, words, ...place } = itemPlace(resource, by);
  return endpoint({
    ...place,
    method,
    operationId: `update-${kind}${suffix}-${method.toLowerCase()}`,
    bound: bounds.write,
    summary: `Update one ${kind}${words}: what is not sent stays`,
    access: 'bearer',
    mayUse: (caller) => mayWrite(caller, kind),
    query: querySchema(itemParameters),
    body: bodyOf(resource, { isCreate: false }),
    problems: writeProblems,
    replies: {
      200: { description: 'The record after the update.', schema, headers: adjustedHeadersOf(kind) },
    },
    handle: async (call) => writtenReply(await call.calendar().update(kind, refOf(call), requestOf(call))),
  });
}

function deleteEndpoint(resource: Resource, by: By) {
  const { kind, schema, itemParameters } = resource;
  const { suffix, words, ...place } = itemPlace(resource, by);
  return endpoint({
    ...place,
    method: 'DELETE',
    operationId: `delete-${kind}${suffix}`,
    bound: bounds.record,
    summary: `Delete one ${kind}${words}`,
    description: (isTermKind(kind) ? terms : posts).deletion,
    access: 'bearer',
    mayUse: (caller) => mayWrite(caller, kind),
    query: querySchema(itemParameters),
    problems: { ...writeProblems, 410: 'The record is in the trash already.' },
    replies: { 200: { description: 'The record that was deleted.', schema } },
    handle: async (call) => writtenReply(await call.calendar().delete(kind, refOf(call), requestOf(call))),
  });
}

function collectionPlace({ kind }: Resource) {
  const collection = collections[kind];
  return { path: `/${collection}`, tag: `Calendar: ${collection}`, change: kind };
}

/** The path of a record, and what makes the names of its operations unique. */
function itemPlace(resource: Resource, by: By) {
  const { path, ...placeWithoutPath } = collectionPlace(resource);
  const place = { ...placeWithoutPath, parameters: pathSchema(by, resource.example[by]) };
  return by === 'id'
    ? { ...place, path: `${path}/{id}`, suffix: '', words: '' }
    : { ...place, path: `${path}/by-slug/{slug}`, suffix: '-by-slug', words: ' by its slug' };
}

/**
 * The schema of the body of a write. Members that the document calls required may come in the query instead. The document names JSON alone,
 * from which generators make typed bodies.
 */
function bodyOf(
  { kind, fields, creationFields = fields, example }: Resource,
  options: { readonly isCreate: boolean },
) {
  return {
    schema: bodySchema(kind, options.isCreate ? creationFields : fields, options),
    example: example.body,
  } as const;
}
