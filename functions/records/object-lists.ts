/** Lists of objects: those below a parent, and how every list is replied page by page. */

import * as Type from 'typebox';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { json, type Reply } from '../../shared/http/reply.ts';
import { pathSegment } from '../../shared/http/urls.ts';
import type { ObjectRecord } from '../../shared/records/objects/fields.ts';
import { type KindName, type ObjectKind, objectKinds } from '../../shared/records/objects/kinds.ts';
import { listObjects, type Page } from '../../shared/records/objects/store.ts';
import { databasesFor, endpoint, type RecordsCaller, type RecordsService } from './caller.ts';
import { objectId, pageQuery, recordSchema, tagOf } from './schemas.ts';

/** Items in a list, by default. */
export const defaultLimit = 100;

/** Creates the endpoint that lists the objects below a parent. */
export function listEndpoint(
  { databases, objects }: RecordsService,
  name: KindName,
  parentName: KindName,
): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  const parent = objectKinds[parentName];
  return endpoint({
    method: 'GET',
    path: `/${parent.collection}/{id}/${kind.collection}`,
    operationId: `list-${kind.collection}-of-${parent.collection}`,
    summary: `List the ${kind.collection.replaceAll('-', ' ')} of a ${parent.name}`,
    tag: tagOf(kind),
    access: 'bearer',
    extension: true,
    parameters: objectId(parentName),
    query: pageQuery(defaultLimit),
    problems: { 404: 'object-not-found' },
    replies: { 200: listReply(kind) },
    async handle({ path: { id }, query: page, link, request, ...call }) {
      const { main } = databasesFor(databases, call);
      const parentPropID = await objects.propIdOf(main, parent, id);
      const found = await listObjects(main, kind, { parentPropID, page: oneMore(page) });
      return listPage(
        found,
        page,
        link(`/${parent.collection}/${pathSegment(id)}/${kind.collection}`),
        request.url,
      );
    },
  });
}

/** Describes the reply of a list. */
export function listReply(kind: ObjectKind) {
  return {
    description:
      'In the order of their creation. The header Link names the next part of a list that goes on.',
    schema: Type.Array(recordSchema(kind)),
    headers: { Link: { description: 'URL of the next part, with rel="next".', schema: Type.String() } },
  };
}

/** Returns the page with one more item, which shows whether another page follows. */
export function oneMore({ limit, offset }: Page): Page {
  return { limit: limit + 1, offset };
}

/** Replies with a page, and the URL of the next one when there is more. `found` was read with `oneMore`. */
export function listPage(
  found: readonly ObjectRecord[],
  { limit, offset }: Page,
  url: string,
  { searchParams }: URL,
): Reply {
  if (found.length <= limit) return json(found);
  const next = new URLSearchParams(searchParams);
  next.set('limit', String(limit));
  next.set('offset', String(offset + limit));
  return json(found.slice(0, limit), { headers: { Link: `<${url}?${next}>; rel="next"` } });
}
