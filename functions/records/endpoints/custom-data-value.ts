/** One value of the custom data of an object, read and replaced without the others. */

import * as Type from 'typebox';
import { readValue, readValueForTable } from '../../../shared/custom-data/read.ts';
import { replaceValue } from '../../../shared/custom-data/replace-value.ts';
import { prefers } from '../../../shared/http/accept.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { entityTag } from '../../../shared/http/entity-tag.ts';
import { preferredReturn } from '../../../shared/http/prefer.ts';
import { contentReply, json, RawJson } from '../../../shared/http/reply.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { csvMediaType } from '../csv/csv.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import { findCustomData, replaceProblems } from '../operations/find-custom-data.ts';
import { endpoint, type RecordsCaller, type RecordsService } from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { valueToCsv } from '../wire/custom-data-table.ts';
import { customDataExample, customDataIdentifier } from '../wire/examples.ts';
import { storedHeaders, storedReply, storedSchema } from '../wire/replacement-reply.ts';
import { etagHeader, locationHeader, notModifiedReply, objectId } from '../wire/schemas.ts';

const valueSchema = Type.Unknown({
  $id: 'CustomDataValue',
  description: 'The value of one custom data identifier: any JSON.',
});

const valueTableSchema = Type.String({
  $id: 'CustomDataValueTable',
  description:
    'A line of names, and a line per element of an array, or one for another value; null has none.',
});

const resultSchema = Type.Unsafe<unknown>({
  $id: 'CustomDataValueStored',
  anyOf: [storedSchema, valueSchema],
  description: 'A link; with `Prefer: return=representation` the value.',
});

const valueParameters = (name: KindName) =>
  Type.Object({
    ...objectId(name).properties,
    identifier: Type.String({
      minLength: 1,
      description: 'Identifier of the custom data; a slash in it is written %252F.',
      examples: [customDataIdentifier],
    }),
  });

const pathOf = (name: KindName, id: string, identifier: string) =>
  `/${objectKinds[name].collection}/${id}/custom-data/${identifier}`;

const common = { tag: 'Custom data', access: 'bearer', extension: true } as const;

/** Creates the endpoint that reads one value. */
export function readValueEndpoint(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  return endpoint({
    ...common,
    parameters: valueParameters(name),
    method: 'GET',
    path: pathOf(name, '{id}', '{identifier}'),
    operationId: `get-custom-data-value-of-${kind.collection}`,
    bound: bounds.customData,
    summary: `Read one custom data value of a ${kind.name}`,
    description:
      'Only the source of this identifier is executed. The entity tag is that of the value, and fits a change of it alone. `Accept: text/csv` asks for CSV, a line for each element of an array, with an entity tag that fits no change. A value whose identifier is `sources` is read by `?identifiers=sources`.',
    problems: {
      403: 'custom-data-forbidden',
      404: 'object-not-found, custom-data-not-found',
      422: 'too-many-cells',
      500: 'custom-data-source-missing, custom-data-source-failed, custom-source-timeout',
    },
    replies: {
      200: {
        description: 'The value.',
        schema: valueSchema,
        otherMediaTypes: { 'text/csv': valueTableSchema },
        headers: etagHeader,
      },
      304: notModifiedReply,
    },
    async handle({ path: { id, identifier }, request, ...call }) {
      const { customization, of } = await findCustomData(service, name, id, call);
      if (prefers(request.headers, 'text/csv', 'application/json')) {
        const { value, columns } = await readValueForTable(customization, of, identifier);
        const table = await valueToCsv(value, columns);
        return contentReply(csvMediaType, table, { ETag: entityTag(table), Vary: 'Accept' });
      }
      const { content, etag } = await readValue(customization, of, identifier);
      return json(new RawJson(content), { headers: { ETag: etag, Vary: 'Accept' } });
    },
  });
}

/** Creates the endpoint that replaces one value. */
export function replaceValueEndpoint(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  return endpoint({
    ...common,
    parameters: valueParameters(name),
    method: 'PUT',
    change: kind.name,
    path: pathOf(name, '{id}', '{identifier}'),
    operationId: `put-custom-data-value-of-${kind.collection}`,
    bound: bounds.customDataChange,
    summary: `Replace one custom data value of a ${kind.name}`,
    description:
      'A JSON value replaces the stored one; an identifier that is not registered is created (201). A REF value is passed to its procedure as in a PUT of all custom data. Other values are not changed, and their sources are not executed. If-Match has the entity tag of the value.',
    body: { schema: valueSchema, as: 'text', example: customDataExample[customDataIdentifier] },
    problems: replaceProblems,
    replies: {
      200: { description: 'Stored; the link reads it.', schema: resultSchema, headers: storedHeaders },
      201: {
        description: 'Stored under a new identifier.',
        schema: resultSchema,
        headers: { ...storedHeaders, ...locationHeader },
      },
      204: { description: 'Stored, where the caller prefers no body.', headers: storedHeaders },
    },
    async handle({ path: { id, identifier }, body, ifMatch, ifNoneMatch, link, request, ...call }) {
      const { customization, of } = await findCustomData(service, name, id, call);
      const result = await replaceValue(customization, of, { identifier, text: body }, ifMatch, ifNoneMatch);
      return storedReply(preferredReturn(request.headers), result, {
        href: link(pathOf(name, pathSegment(id), pathSegment(identifier))),
        rel: identifier,
        read: () => readValue(customization, of, identifier),
      });
    },
  });
}
