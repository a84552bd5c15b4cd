/** Lists of the objects below a parent. */

import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import { labelsFor } from '../operations/field-labels.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { listQuery, queryDescription } from '../wire/list-query.ts';
import { listReply, replyWithPage } from '../wire/list-reply.ts';
import { objectId, tagOf } from '../wire/schemas.ts';

/** Items in a list, by default. */
export const defaultLimit = 100;

/** Creates the endpoint that lists the objects below a parent. */
export function listEndpoint(
  service: RecordsService,
  name: KindName,
  parentName: KindName,
): Endpoint<RecordsCaller> {
  const { databases, objects, sources, served } = service;
  const kind = served.kindOf(name);
  const parent = objectKinds[parentName];
  return endpoint({
    method: 'GET',
    path: `/${parent.collection}/{id}/${kind.collection}`,
    operationId: `list-${kind.collection}-of-${parent.collection}`,
    bound: bounds.objects,
    summary: `List the ${kind.collection.replaceAll('-', ' ')} of a ${parent.name}`,
    tag: tagOf(kind),
    access: 'bearer',
    extension: true,
    parameters: objectId(parentName),
    description: queryDescription,
    query: listQuery(kind, defaultLimit),
    problems: { 400: 'invalid-parameters', 404: 'object-not-found' },
    replies: { 200: listReply(kind) },
    async handle({ path: { id }, query, link, request, ...call }) {
      const { main } = databasesFor(databases, call);
      const propID = await objects.propIdOf(main, parent, id);
      const url = link(`/${parent.collection}/${pathSegment(id)}/${kind.collection}`);
      const source = await sources.of(main, kind);
      const readLabels = () => labelsFor(service, kind, call);
      return replyWithPage(main, kind, source, { query, request, url, readLabels, parent: { propID, id } });
    },
  });
}
