/** The change feed of records: which objects changed, by whom and when. */

import * as Type from 'typebox';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { entityTag } from '../../../shared/http/entity-tag.ts';
import { appliedWaitHeader, grantedWait, waitHeaders } from '../../../shared/http/prefer.ts';
import { json, RawJson } from '../../../shared/http/reply.ts';
import { callerKey } from '../../../shared/http/request-context.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { type ObjectChange, type Position, readChangesOf, start, textOf } from '../changes/feed.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { etagHeader, notModifiedReply, objectId } from '../wire/schemas.ts';

const position = Type.String({
  pattern: '^(?:0|\\d{1,15}-\\d{1,15})$',
  description: 'Position of the feed: `version` or `latest` of a reply; 0 is the start.',
  examples: ['0'],
});

/** Seconds that remain for the statements and the reply after a wait. */
const reserve = 4.5;

const words = { metadata: 'metadata', customData: 'custom-data' } as const;

const changeSchema = Type.Object({
  collection: Type.String({ description: 'Collection of the object, such as documents.' }),
  id: Type.String({ description: 'Identifier of the object.' }),
  what: Type.Unsafe<string>({ type: 'string', enum: Object.values(words) }),
  changedBy: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Account of the user who made the last change; null where it no longer exists.',
  }),
  changedAt: Type.String({ format: 'date-time' }),
  url: Type.String({ format: 'uri', description: 'Address of what has changed.' }),
});

const pageSchema = Type.Object(
  {
    changes: Type.Array(changeSchema, {
      description: 'The last change of each object: those of metadata first, each in the order of commits.',
    }),
    version: Type.String({ description: 'Position up to which the changes are complete: the next `since`.' }),
    latest: Type.String({
      description: 'Position of the newest change. More follows while it differs from `version`.',
    }),
    next: Type.String({ format: 'uri', description: 'Address of the changes after these.' }),
  },
  { $id: 'ObjectChanges' },
);

const query = Type.Object(
  {
    since: Type.Optional(position),
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 100,
      description: 'Changes in a reply, at most.',
    }),
  },
  { additionalProperties: false },
);

/** Returns the endpoint of the change feed, and that of the changes of one object for each kind. */
export function changes(service: RecordsService): Endpoint<RecordsCaller>[] {
  return [
    ...service.served.kinds.map((name) => changesOf(service, name)),
    endpoint({
      method: 'GET',
      path: '/changes',
      operationId: 'get-changes',
      bound: bounds.changes,
      summary: 'List the objects that changed since a position',
      description:
        'Names the last change of metadata, and of custom data, of each object that changed through this API after `since`. Request `next` for what follows. Changes that others make in the databases, such as those of custom sources, are not seen. On the database of an existing product only custom data is. `Prefer: wait=5` (RFC 7240) holds an empty reply for up to that many seconds, until something changes.',
      tag: 'Changes',
      access: 'bearer',
      extension: true,
      query,
      problems: { 400: 'invalid-parameters', 410: 'changes-gone' },
      replies: {
        200: {
          description: 'The changes.',
          schema: pageSchema,
          headers: { ...etagHeader, ...appliedWaitHeader },
        },
        304: notModifiedReply,
      },
      async handle({ query: { since, limit }, request, link, ...call }) {
        const seconds = grantedWait(request, call.deadline, reserve);
        const { value: page, hasWaited } = await service.changes.read(
          databasesFor(service.databases, call),
          { since: positionOf(since), limit },
          { caller: callerKey(call), waitMs: seconds * 1000 },
        );
        const version = textOf(page.position);
        const content = JSON.stringify({
          changes: page.changes.flatMap((change) => toView(change, service, link)),
          version,
          latest: textOf(page.latest),
          next: link(`/changes?${new URLSearchParams({ since: version, limit: String(limit) })}`),
        });
        return json(new RawJson(content), {
          headers: { ETag: entityTag(content), ...waitHeaders(seconds, hasWaited) },
        });
      },
    }),
  ];
}

function changesOf(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/{id}/changes`,
    operationId: `list-changes-of-${kind.collection}`,
    summary: `Tell who changed a ${kind.name} last, and when`,
    description:
      'The last change of its metadata, and that of its custom data, as the change feed names them: none of what nobody has changed through this API.',
    tag: 'Changes',
    bound: bounds.changes,
    access: 'bearer',
    extension: true,
    parameters: objectId(name),
    problems: { 404: 'object-not-found' },
    replies: {
      200: {
        description: 'The changes, that of metadata first.',
        schema: Type.Array(changeSchema, { maxItems: 2 }),
      },
    },
    async handle({ path: { id }, link, ...call }) {
      const databases = databasesFor(service.databases, call);
      const propID = await service.objects.propIdOf(databases.main, kind, id);
      const found = await readChangesOf(databases, propID);
      return json(found.flatMap((change) => toView(change, service, link)));
    },
  });
}

function positionOf(since = '0'): Position {
  const [metadata, customData] = since.split('-').map(Number);
  return metadata === undefined || customData === undefined ? start : { metadata, customData };
}

/** Shows a change; nothing of an object of a kind that is not served. */
function toView(
  { what, objectID, typeID, changedBy, changedAt }: ObjectChange,
  { objects, served }: RecordsService,
  link: (path: string) => string,
) {
  const names = what === 'metadata' ? served.metadata : served.kinds;
  const name = names.find((item) => objects.typeOf(objectKinds[item]) === typeID);
  if (name === undefined) return [];
  const { collection } = objectKinds[name];
  const path = `/${collection}/${pathSegment(objectID)}`;
  return [
    {
      collection,
      id: objectID,
      what: words[what],
      changedBy: changedBy ?? null,
      changedAt: changedAt.toISOString(),
      url: link(what === 'metadata' ? path : `${path}/custom-data`),
    },
  ];
}
