/** The endpoints of a resource, which all five have alike: list and create, and read, update and delete by id, or by slug too. */

import type { TObject } from 'typebox';
import type { Answered, Calendar, CalendarRequest } from '../../shared/calendar/calendar.ts';
import type { Kind } from '../../shared/calendar/model/records.ts';
import type { Caller } from '../../shared/calendar/model/rights.ts';
import type { Named } from '../../shared/calendar/operations/find.ts';
import type { Item } from '../../shared/calendar/operations/item.ts';
import type { ParameterTable } from '../../shared/calendar/parameters/parameter.ts';
import type { Listing } from '../../shared/calendar/queries/listing.ts';
import type { Method } from '../../shared/http/description.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { endpoint, namedBy, requestOf } from './call.ts';
import { bodySchema, pathSchema, querySchema } from './parameters.ts';
import { listReply, readReply, writtenReply } from './replies.ts';
import { pageSchema } from './schemas.ts';

/** What can be done with the records of a resource. */
export interface Operations {
  list(calendar: Calendar, request: CalendarRequest): Promise<Answered<Listing>>;
  create(calendar: Calendar, request: CalendarRequest): Promise<Item>;
  read(named: Named, calendar: Calendar, request: CalendarRequest): Promise<Answered<Item>>;
  update(named: Named, calendar: Calendar, request: CalendarRequest): Promise<Item>;
  remove(named: Named, calendar: Calendar, request: CalendarRequest): Promise<Item>;
}

export interface Resource {
  readonly kind: Kind;
  /** Name of the collection, in paths and lists. */
  readonly collection: string;
  /** Fields on create and update. */
  readonly fields: ParameterTable;
  /** Parameters of the list. */
  readonly filters: ParameterTable;
  /** Parameters of every operation on one record. */
  readonly itemParameters?: ParameterTable;
  /** Further parameters of reading one record. */
  readonly readParameters?: ParameterTable;
  /** Schema of one record. */
  readonly schema: TObject;
  readonly operations: Operations;
  /** Checks whether a caller may write to any of the records: the least rule, which the rules of a record narrow. */
  readonly mayWrite: (caller: Caller) => boolean;
  /** How paths name a record. */
  readonly by: readonly By[];
  /** Methods of a record, in the order in which `Allow` and the index tell them. POST, PUT and PATCH update in the same way. */
  readonly itemMethods: readonly Method[];
  /** Whether a create sends the address of the new record in `Location`. */
  readonly sendsLocation: boolean;
  /** What a delete does, for the document. */
  readonly deletion: string;
  /** A record of the sample data, and a body that can be sent as it stands, for the document. */
  readonly example: Example;
}

interface Example {
  readonly id: number;
  readonly slug?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type By = 'id' | 'slug';
type OpenCalendar = () => Calendar;

const readProblems = {
  400: 'A bad parameter, or an unknown record.',
  403: 'The record is not published, or protected.',
  404: 'Unknown event, or a page above 1 with nothing on it.',
} as const;

const writeProblems = {
  400: 'A bad or missing parameter, or an unknown record.',
  401: 'Not signed in.',
  403: 'Signed in without the right.',
  404: 'Unknown event.',
  412: 'The record changed since the version that If-Match names.',
  503: 'The tables cannot be reached.',
} as const;

/** Gives the endpoints of a resource. `calendar` is asked for on the first request. */
export function resourceEndpoints(resource: Resource, calendar: OpenCalendar): Endpoint<Caller>[] {
  return [
    listEndpoint(resource, calendar),
    createEndpoint(resource, calendar),
    ...resource.by.flatMap((by) =>
      resource.itemMethods.map((method) => itemEndpoint(resource, by, method, calendar)),
    ),
  ];
}

function itemEndpoint(resource: Resource, by: By, method: Method, calendar: OpenCalendar) {
  if (method === 'GET') return readEndpoint(resource, by, calendar);
  if (method === 'DELETE') return deleteEndpoint(resource, by, calendar);
  return updateEndpoint(resource, by, method, calendar);
}

function listEndpoint(resource: Resource, calendar: OpenCalendar) {
  const { collection, filters, schema, operations } = resource;
  return endpoint({
    ...collectionPlace(resource),
    method: 'GET',
    operationId: `list-${collection}`,
    summary: `List ${collection}`,
    access: 'optional',
    query: querySchema(filters),
    problems: readProblems,
    replies: { 200: { description: 'A page of the list.', schema: pageSchema(collection, schema) } },
    handle: async (call) => listReply(await operations.list(calendar(), requestOf(call))),
  });
}

function createEndpoint(resource: Resource, calendar: OpenCalendar) {
  const { collection, kind, schema, sendsLocation, operations } = resource;
  return endpoint({
    ...collectionPlace(resource),
    method: 'POST',
    operationId: `create-${kind}`,
    summary: `Create ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`,
    access: 'bearer',
    mayUse: resource.mayWrite,
    query: querySchema(),
    body: bodyOf(resource, { isCreate: true }),
    problems: writeProblems,
    replies: { 201: { description: 'The new record.', schema } },
    handle: async (call) => {
      const item = await operations.create(calendar(), requestOf(call));
      return writtenReply(
        item,
        201,
        sendsLocation ? { Location: call.link(`/${collection}/${item.id}`) } : {},
      );
    },
  });
}

function readEndpoint(resource: Resource, by: By, calendar: OpenCalendar) {
  const { kind, schema, itemParameters, readParameters, operations } = resource;
  const { suffix, words, ...place } = itemPlace(resource, by);
  return endpoint({
    ...place,
    method: 'GET',
    operationId: `get-${kind}${suffix}`,
    summary: `Read one ${kind}${words}`,
    access: 'optional',
    query: querySchema({ ...itemParameters, ...readParameters }),
    problems: readProblems,
    replies: { 200: { description: 'The record.', schema } },
    handle: async (call) => readReply(await operations.read(namedBy(call), calendar(), requestOf(call))),
  });
}

function updateEndpoint(resource: Resource, by: By, method: Method, calendar: OpenCalendar) {
  const { kind, schema, itemParameters, operations } = resource;
  const { suffix, words, ...place } = itemPlace(resource, by);
  return endpoint({
    ...place,
    method,
    operationId: `update-${kind}${suffix}-${method.toLowerCase()}`,
    summary: `Update one ${kind}${words}: what is not sent stays`,
    access: 'bearer',
    mayUse: resource.mayWrite,
    query: querySchema(itemParameters),
    body: bodyOf(resource, { isCreate: false }),
    problems: writeProblems,
    replies: { 200: { description: 'The record after the update.', schema } },
    handle: async (call) => writtenReply(await operations.update(namedBy(call), calendar(), requestOf(call))),
  });
}

function deleteEndpoint(resource: Resource, by: By, calendar: OpenCalendar) {
  const { kind, schema, deletion, itemParameters, operations } = resource;
  const { suffix, words, ...place } = itemPlace(resource, by);
  return endpoint({
    ...place,
    method: 'DELETE',
    operationId: `delete-${kind}${suffix}`,
    summary: `Delete one ${kind}${words}`,
    description: deletion,
    access: 'bearer',
    mayUse: resource.mayWrite,
    query: querySchema(itemParameters),
    problems: { ...writeProblems, 410: 'The record is in the trash already.' },
    replies: { 200: { description: 'The record that was deleted.', schema } },
    handle: async (call) => writtenReply(await operations.remove(namedBy(call), calendar(), requestOf(call))),
  });
}

function collectionPlace({ collection }: Resource) {
  return { path: `/${collection}`, tag: `Calendar: ${collection}` };
}

/** The path of a record, and what makes the names of its operations unique. */
function itemPlace(resource: Resource, by: By) {
  const { path, tag } = collectionPlace(resource);
  const place = { tag, parameters: pathSchema(by, resource.example[by]) };
  return by === 'id'
    ? { ...place, path: `${path}/{id}`, suffix: '', words: '' }
    : { ...place, path: `${path}/by-slug/{slug}`, suffix: '-by-slug', words: ' by its slug' };
}

/** The body of a write: JSON or a form; every parameter may stand in the query too. */
function bodyOf({ fields, example }: Resource, options: { readonly isCreate: boolean }) {
  return {
    schema: bodySchema(fields, options),
    example: example.body,
    mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    required: false,
  } as const;
}
