/** The endpoints that every kind of object has: read, change, and create below a parent. The files per kind choose among them. */

import * as Type from 'typebox';
import { CodedError, isCodedError } from '../../../shared/errors.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { created, json, replayedHeader } from '../../../shared/http/reply.ts';
import { callerKey, type RequestContext } from '../../../shared/http/request-context.ts';
import { createdIsGone, idempotencyKeyHeader, idempotencyKeyOf } from '../../../shared/idempotency-key.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import type { Fields } from '../objects/fields.ts';
import type { Objects } from '../objects/find.ts';
import { type KindName, type ObjectKind, objectKinds } from '../objects/kinds.ts';
import { selectedFields } from '../objects/selected-fields.ts';
import { createObject, createObjectOnce, readObject, updateObject } from '../objects/store.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { objectExamples } from '../wire/examples.ts';
import {
  changeSchema,
  createSchema,
  etagHeader,
  fieldsParameter,
  locationHeader,
  notModifiedReply,
  objectId,
  recordSchema,
  replayedHeaders,
  selectionSchema,
  tagOf,
} from '../wire/schemas.ts';

type Extension = { readonly extension?: true };

/** Creates the endpoint that reads an object. */
export function readEndpoint(
  { databases, objects, sources, served }: RecordsService,
  name: KindName,
  extension: Extension = {},
): Endpoint<RecordsCaller> {
  const kind = served.kindOf(name);
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/{id}`,
    operationId: `get-${kind.collection}`,
    bound: bounds.object,
    summary: `Read a ${kind.name} with its bk-fields`,
    tag: tagOf(kind),
    access: 'bearer',
    ...extension,
    parameters: objectId(name),
    query: Type.Object({ fields: fieldsParameter }, { additionalProperties: false }),
    description:
      'The entity tag names the state of the object as a whole, whichever fields are read, and fits a change of it.',
    problems: {
      400: 'invalid-parameters',
      404: 'object-not-found',
      500: 'object-info-procedure-missing',
    },
    replies: {
      200: { description: 'The metadata.', schema: selectionSchema(kind), headers: etagHeader },
      304: notModifiedReply,
    },
    async handle({ path: { id }, query, ...call }) {
      const fields = selectedFields(kind, query.fields);
      const { main } = databasesFor(databases, call);
      const propID = await objects.propIdOf(main, kind, id);
      const source = await sources.of(main, kind);
      const { record, etag } = await readObject(main, kind, source, { propID, id });
      const selection = Object.fromEntries(fields.map((field) => [field, record[field]]));
      return json(selection, { headers: { ETag: etag } });
    },
  });
}

/** Creates the endpoint that changes an object. */
export function changeEndpoint(
  { databases, objects }: RecordsService,
  name: KindName,
  extension: Extension = {},
): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  return endpoint({
    method: 'PATCH',
    change: kind.name,
    path: `/${kind.collection}/{id}`,
    operationId: `patch-${kind.collection}`,
    bound: bounds.object,
    summary: `Change a ${kind.name}: what is absent stays, null clears`,
    tag: tagOf(kind),
    access: 'bearer',
    ...extension,
    parameters: objectId(name),
    body: {
      schema: changeSchema(kind),
      mediaTypes: ['application/json', 'application/merge-patch+json'],
      example: objectExamples[name].body,
    },
    problems: { 400: 'invalid-body', 404: 'object-not-found', 412: 'precondition-failed' },
    replies: {
      200: { description: 'The metadata after the change.', schema: recordSchema(kind), headers: etagHeader },
    },
    async handle({ path: { id }, body, ifMatch, ifNoneMatch, ...call }) {
      const { main } = databasesFor(databases, call);
      const propID = await objects.propIdOf(main, kind, id);
      const { usrPropID } = call.caller.user;
      const target = { propID, usrPropID };
      const { record, etag } = await updateObject(main, kind, target, body as Fields, ifMatch, ifNoneMatch);
      return json(record, { headers: { ETag: etag } });
    },
  });
}

/** Creates the endpoint that creates an object, below its parent where the kind has one. */
export function createEndpoint(
  { databases, objects }: RecordsService,
  name: KindName,
  extension: Extension = {},
): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  const parent = kind.parent === undefined ? undefined : objectKinds[kind.parent];
  return endpoint({
    method: 'POST',
    change: kind.name,
    path: parent === undefined ? `/${kind.collection}` : `/${parent.collection}/{id}/${kind.collection}`,
    operationId: `post-${kind.collection}`,
    bound: bounds.object,
    summary: `Create a ${kind.name}${parent === undefined ? '' : ` in a ${parent.name}`}`,
    tag: tagOf(kind),
    access: 'bearer',
    ...extension,
    ...(kind.parent === undefined ? {} : { parameters: objectId(kind.parent) }),
    body: { schema: createSchema(kind), example: objectExamples[name].body },
    problems: {
      400: 'invalid-body',
      ...(parent === undefined ? {} : { 404: 'object-not-found' }),
      409: 'idempotency-key-in-use',
      410: 'idempotency-record-gone',
      422: 'idempotency-key-reused',
    },
    replies: {
      201: {
        description: 'The new object.',
        schema: recordSchema(kind),
        headers: { ...etagHeader, ...locationHeader, ...replayedHeaders },
      },
    },
    async handle({ path, body, link, ...call }) {
      const { main } = databasesFor(databases, call);
      const secret = creationSecret(kind, call);
      const { id } = path as { readonly id?: string };
      const parentPropID =
        parent === undefined || id === undefined ? undefined : await objects.propIdOf(main, parent, id);
      const creation = { typeID: objects.typeOf(kind), parentPropID, usrPropID: call.caller.user.usrPropID };
      const fields = body as Fields;
      const { record, etag, isReplayed } =
        secret === undefined
          ? { ...(await createObject(main, kind, fields, creation)), isReplayed: false }
          : await createObjectOnce(main, kind, fields, { ...creation, secret });
      const createdId = String(record['id']);
      if (isReplayed) await mustBeThere(objects, main, kind, createdId);
      noteChange({ id: createdId });
      return created(link(`/${kind.collection}/${createdId}`), record, {
        ETag: etag,
        ...(isReplayed ? { [replayedHeader]: 'true' } : {}),
      });
    },
  });
}

type KeyedCall = Pick<RequestContext<RecordsCaller>, 'request' | 'identity' | 'client'> & {
  readonly caller: RecordsCaller;
};

/** Returns the key of a creation with its caller, who is the account of the token too: several may act as one user. Undefined for a request without a key. */
function creationSecret(kind: ObjectKind, call: KeyedCall) {
  const key = idempotencyKeyOf(call.request.headers.get(idempotencyKeyHeader), (header, detail) => {
    const errors = [{ pointer: `header:${header}`, detail }];
    return new CodedError('invalid-parameters', `Cannot create the ${kind.name}: ${header} is not valid.`, {
      errors,
    });
  });
  return key === undefined
    ? undefined
    : JSON.stringify([kind.collection, call.caller.user.usrPropID, callerKey(call), key]);
}

/** Throws `idempotency-record-gone` for an object that its read does not find, though it was created. */
async function mustBeThere(objects: Objects, main: Database, kind: ObjectKind, id: string): Promise<void> {
  try {
    await objects.propIdOf(main, kind, id);
  } catch (error) {
    throw isCodedError(error, 'object-not-found') ? createdIsGone(kind.name) : error;
  }
}
