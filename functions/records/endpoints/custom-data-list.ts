/** One identifier of the custom data of many objects, as a list with pages. */

import * as Type from 'typebox';
import { maxCalls, readManyValues } from '../../../shared/custom-data/read-many.ts';
import { prefers } from '../../../shared/http/accept.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { contentReply, json, RawJson } from '../../../shared/http/reply.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { csvMediaType } from '../csv/csv.ts';
import type { KindName } from '../objects/kinds.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { valuesToCsv } from '../wire/custom-data-table.ts';
import { customDataIdentifier } from '../wire/examples.ts';
import { conditionsQuery, countParameter, sortParameter } from '../wire/list-query.ts';
import { findPage, headersOf, type ListQuery, pageHeaders } from '../wire/list-reply.ts';
import { paging } from '../wire/schemas.ts';
import { defaultLimit } from './object-lists.ts';

const itemsSchema = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Identifier of the object.' }),
    value: Type.Unknown({ description: 'What a read of the value of this object gives: any JSON.' }),
  }),
  { $id: 'CustomDataOfObjects' },
);

const tableSchema = Type.String({
  $id: 'CustomDataOfObjectsTable',
  description: 'A line of names, and a line per row of each object, which begins with its identifier.',
});

const identifierParameter = Type.Object({
  identifier: Type.String({
    minLength: 1,
    description: 'Identifier of the custom data; a slash in it is written %252F.',
    examples: [customDataIdentifier],
  }),
});

/** Creates the endpoint that reads one identifier of the objects of a kind. */
export function customDataListEndpoint(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const { databases, objects, sources, served } = service;
  const kind = served.kindOf(name);
  const words = kind.collection.replaceAll('-', ' ');
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/custom-data/{identifier}`,
    operationId: `list-custom-data-values-of-${kind.collection}`,
    summary: `Read one custom data value of many ${words}`,
    description: `The values of the ${words} that meet every condition of the query, as lists of them have it, each as a read of the object alone gives it. ${words.charAt(0).toUpperCase()}${words.slice(1)} for which that read is 404 or 403 are left out. Where the values come from a procedure, a page has up to ${maxCalls}. An object whose identifier is \`custom-data\` has no lists and no custom data of its own here.`,
    tag: 'Custom data',
    access: 'bearer',
    extension: true,
    parameters: identifierParameter,
    query: conditionsQuery(kind, { ...paging(defaultLimit), sort: sortParameter, count: countParameter }),
    problems: {
      400: 'invalid-parameters, custom-data-many-calls',
      422: 'too-many-cells',
      500: 'custom-data-source-missing, custom-data-source-failed, custom-source-timeout',
    },
    replies: {
      200: {
        description: 'A page of the values. The header Link names the pages beside it.',
        schema: itemsSchema,
        otherMediaTypes: { 'text/csv': tableSchema },
        headers: pageHeaders,
      },
    },
    async handle({ path: { identifier }, query, link, request, ...call }) {
      const { main, customization } = databasesFor(databases, call);
      const { limit, offset, after, sort, count = false, ...where } = query as ListQuery;
      const page = await findPage(main, kind, await sources.of(main, kind), {
        where,
        sort: sort?.split(',') ?? [],
        page: { limit, offset, after },
        fields: ['id'],
        count,
      });
      const ids = page.records.map(({ id }) => String(id));
      const propIDs = await objects.propIdsOf(main, kind, ids);
      const { values, columns } = await readManyValues(customization, {
        propIDs: [...propIDs.values()],
        typeID: objects.typeOf(kind),
        identifier,
        user: call.caller.user,
      });
      const items = ids.flatMap((id) => {
        const value = values.get(propIDs.get(id) ?? Number.NaN);
        return value === undefined ? [] : [{ id, value }];
      });
      const url = link(`/${kind.collection}/custom-data/${pathSegment(identifier)}`);
      const headers = headersOf(page, limit, url, request.url);
      if (prefers(request.headers, 'text/csv', 'application/json'))
        return contentReply(csvMediaType, await valuesToCsv(identifier, items, columns), headers);
      const texts = items.map(({ id, value }) => `{"id":${JSON.stringify(id)},"value":${value}}`);
      return json(new RawJson(`[${texts.join(',')}]`), { headers });
    },
  });
}
