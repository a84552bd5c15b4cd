/** Searches of objects by title, number and bk-fields, one for every kind. */

import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { KindName } from '../objects/kinds.ts';
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
import { tagOf } from '../wire/schemas.ts';

/** Creates the endpoint that finds objects of a kind. */
export function searchEndpoint(
  service: RecordsService,
  name: KindName,
  { operationId, defaultLimit, extension }: { operationId: string; defaultLimit: number; extension?: true },
): Endpoint<RecordsCaller> {
  const { databases, sources, served } = service;
  const kind = served.kindOf(name);
  const words = kind.collection.replaceAll('-', ' ');
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}`,
    operationId,
    bound: bounds.objects,
    summary: `Find ${words} by title${kind.ownFields.map((field) => `, ${field}`).join('')} and bk-fields`,
    description: `Without a condition, all ${words} are listed. ${queryDescription}`,
    tag: tagOf(kind),
    access: 'bearer',
    ...(extension ? { extension } : {}),
    query: listQuery(kind, defaultLimit),
    problems: { 400: 'invalid-parameters' },
    replies: { 200: listReply(kind) },
    async handle({ query, link, request, ...call }) {
      const { main } = databasesFor(databases, call);
      return replyWithPage(main, kind, await sources.of(main, kind), {
        query,
        request,
        url: link(`/${kind.collection}`),
        readLabels: () => labelsFor(service, kind, call),
      });
    },
  });
}
