/** Custom data of diaries, journalized cases, deeds and documents. */

import * as Type from 'typebox';
import { readCustomData } from '../../../shared/custom-data/read.ts';
import { replaceCustomData } from '../../../shared/custom-data/replace.ts';
import { selectionOf } from '../../../shared/custom-data/selection.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { preferredReturn } from '../../../shared/http/prefer.ts';
import { json, RawJson } from '../../../shared/http/reply.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import { findCustomData, replaceProblems } from '../operations/find-custom-data.ts';
import { endpoint, type RecordsCaller, type RecordsService } from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { customDataExample, customDataIdentifier } from '../wire/examples.ts';
import { storedHeaders, storedReply, storedSchema } from '../wire/replacement-reply.ts';
import { etagHeader, notModifiedReply, objectId } from '../wire/schemas.ts';
import { customDataDocumentEndpoint } from './custom-data-document.ts';
import { customDataListEndpoint } from './custom-data-list.ts';
import { replaceManyEndpoint } from './custom-data-many.ts';
import { customDataSources } from './custom-data-sources.ts';
import { readValueEndpoint, replaceValueEndpoint } from './custom-data-value.ts';

const customDataSchema = Type.Object(
  {},
  {
    additionalProperties: true,
    $id: 'CustomData',
    description:
      'One property per custom data identifier (1 to 128 characters, at most 10,000). Values are any JSON.',
  },
);

const resultSchema = Type.Unsafe<unknown>({
  $id: 'CustomDataReplaced',
  anyOf: [storedSchema, customDataSchema],
  description: 'A link; with `Prefer: return=representation` the custom data.',
});

const selectionQuery = Type.Object(
  {
    identifiers: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The identifiers to read, with commas between; without it all. Only their sources are executed. The entity tag of such a part fits reads of it, and no change. (Extension.)',
        examples: [[customDataIdentifier]],
      }),
    ),
  },
  { additionalProperties: false },
);

/** Returns the custom data endpoints of every kind of object. Those of diaries are extensions (docs/records-contract.md, "Custom data"). */
export function customData(service: RecordsService): Endpoint<RecordsCaller>[] {
  const { kinds, metadata } = service.served;
  return kinds.flatMap((name) => {
    const extension = name === 'diary' ? { extension: true } : {};
    return [
      { ...read(service, name), ...extension },
      { ...replace(service, name), ...extension },
      customDataSources(service, name),
      customDataDocumentEndpoint(service, name),
      readValueEndpoint(service, name),
      replaceValueEndpoint(service, name),
      ...(metadata.includes(name)
        ? [customDataListEndpoint(service, name), replaceManyEndpoint(service, name)]
        : []),
    ];
  });
}

const common = { tag: 'Custom data', access: 'bearer' } as const;

function read(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  return endpoint({
    ...common,
    parameters: objectId(name),
    query: selectionQuery,
    method: 'GET',
    path: `/${kind.collection}/{id}/custom-data`,
    operationId: `get-custom-data-of-${kind.collection}`,
    bound: bounds.customData,
    summary: `Read the custom data of a ${kind.name}`,
    description:
      'JSON values come back as they were stored, digit for digit. REF: one object, an array of several, or null. REF_RO: always an array of rows. A registration by type can fix the shape.',
    problems: {
      403: 'custom-data-forbidden',
      404: 'object-not-found',
      500: 'custom-data-source-missing, custom-data-source-failed, custom-source-timeout',
    },
    replies: {
      200: { description: 'The custom data.', schema: customDataSchema, headers: etagHeader },
      304: notModifiedReply,
    },
    async handle({ path: { id }, query, ...call }) {
      const identifiers = selectionOf(query.identifiers);
      const { customization, of } = await findCustomData(service, name, id, call);
      const { content, etag } = await readCustomData(customization, { ...of, identifiers });
      return json(new RawJson(content), { headers: { ETag: etag } });
    },
  });
}

function replace(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  const path = (id: string) => `/${kind.collection}/${id}/custom-data`;
  return endpoint({
    ...common,
    parameters: objectId(name),
    method: 'PUT',
    change: kind.name,
    path: path('{id}'),
    operationId: `put-custom-data-of-${kind.collection}`,
    bound: bounds.customDataChange,
    summary: `Replace the custom data of a ${kind.name}`,
    description:
      'JSON values that are not sent are removed; REF and REF_RO registrations stay. A REF value (an object, or an array of objects) is passed to its procedure, object by object: rows that are not sent stay, unless the procedure takes the whole value (its parameter @json) and replaces them. What was read may always be sent back. Everything is stored together or not at all.',
    body: { schema: customDataSchema, as: 'text', example: customDataExample },
    problems: replaceProblems,
    replies: {
      200: { description: 'Stored; the link reads it back.', schema: resultSchema, headers: storedHeaders },
      204: { description: 'Stored, where the caller prefers no body.', headers: storedHeaders },
    },
    async handle({ path: { id }, body, ifMatch, ifNoneMatch, link, request, ...call }) {
      const { customization, of } = await findCustomData(service, name, id, call);
      const result = await replaceCustomData(customization, of, body, ifMatch, ifNoneMatch);
      return storedReply(preferredReturn(request.headers), result, {
        href: link(path(pathSegment(id))),
        rel: 'custom-data',
        read: () => readCustomData(customization, of),
      });
    },
  });
}
