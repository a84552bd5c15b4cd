/** The calendar's own document: OpenAPI 3.0, as its clients know it (docs/calendar-contract.md, "Index and document"). */

import * as Type from 'typebox';
import { signIn } from '../../../shared/auth/authorization-code.ts';
import type { Config } from '../../../shared/config.ts';
import { openApiDocument } from '../../../shared/http/openapi.ts';
import { json, type Reply } from '../../../shared/http/reply.ts';
import { bounds } from '../wire/bounds.ts';
import { type CalendarCall, endpoint } from '../wire/input.ts';
import { querySchema } from '../wire/parameters.ts';

/** Creates the endpoint of the document. */
export function docEndpoint(config: Config) {
  return endpoint({
    method: 'GET',
    path: '/doc',
    operationId: 'get-calendar-doc',
    bound: bounds.index,
    summary: 'Describe the calendar API (OpenAPI 3.0)',
    tag: 'Calendar: index',
    access: 'optional',
    query: querySchema(),
    replies: {
      200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) },
    },
    handle: (call) => documentReply(config, call, 'Events calendar', '3.0.0'),
  });
}

/** Answers with the document of the API of a call, in a version of OpenAPI 3.0. */
export function documentReply(
  config: Config,
  { link, route }: CalendarCall,
  title: string,
  openapi: string,
): Reply {
  const document = openApiDocument([{ ...route.api, mounts: [{ path: '' }] }], {
    ...signIn(config),
    title,
    version: '1.0.0',
    server: link(''),
  });
  return json({ ...(toOpenApi30(document) as object), openapi });
}

interface Schema {
  readonly anyOf?: readonly { readonly type?: unknown }[];
  readonly type?: unknown;
  readonly const?: unknown;
}

/** Writes schemas as OpenAPI 3.0 knows them: `nullable` for null, `enum` for a constant, no empty type. */
function toOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi30);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, type, const: constant, ...rest } = value as Schema;
  const alternatives = anyOf?.filter(({ type }) => type !== 'null');
  const isNullable =
    (anyOf !== undefined && alternatives?.length !== anyOf.length) ||
    (Array.isArray(type) && type.includes('null'));
  const simple = {
    ...rest,
    ...(type === undefined
      ? {}
      : { type: Array.isArray(type) ? type.find((name) => name !== 'null') : type }),
    ...(alternatives === undefined
      ? {}
      : alternatives.length === 1
        ? alternatives[0]
        : { anyOf: alternatives }),
    ...(isNullable ? { nullable: true } : {}),
    ...(constant === undefined ? {} : { enum: [constant] }),
  };
  return Object.fromEntries(Object.entries(simple).map(([key, inner]) => [pathKey(key), toOpenApi30(inner)]));
}

/** The index stands at the root, whose path is written `/`. */
function pathKey(key: string): string {
  return key === '' ? '/' : key;
}
