/** The OpenAPI 3.1 document, composed from the endpoint definitions. */

import type { TSchema } from 'typebox';
import type { ApiDescription, EndpointDescription, ReplyDefinition } from './description.ts';
import { conditions, errorsOf, type SignIn, securitySchemes } from './openapi-common.ts';
import { type ReplyExamples, withExamples } from './openapi-examples.ts';
import { rootPath } from './urls.ts';

export interface DocumentInfo extends SignIn {
  readonly title: string;
  readonly version: string;
  /** SPDX identifier of the licence; page for questions. */
  readonly license?: string;
  readonly contact?: string;
  /** URL of the base path. */
  readonly server: string;
  /** Default: none. */
  readonly examples?: ReplyExamples;
}

type Json = Record<string, unknown>;

/** Composes the document of several APIs: every endpoint in every version, below the base path alone. */
export function openApiDocument(apis: readonly ApiDescription[], info: DocumentInfo): Json {
  const components: Json = {};
  const examples: Json = {};
  const paths: Record<string, Json> = {};
  for (const api of apis) {
    const mounts = api.mounts.filter(({ below }) => below !== 'site');
    for (const mount of mounts) {
      const suffix = mounts.length > 1 ? `-${mount.path.replace(/[^A-Za-z0-9]+/g, '-')}` : '';
      for (const endpoint of api.endpoints) {
        const path = rootPath(mount, '') + endpoint.path || '/';
        paths[path] ??= {};
        const described = operation(api, endpoint, endpoint.operationId + suffix, components);
        const sources = { examples: info.examples ?? {}, components: examples };
        paths[path][endpoint.method.toLowerCase()] = {
          ...described,
          responses: withExamples(endpoint.operationId, described['responses'] as Json, sources),
        };
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: apis.map(({ description, notes = '' }) => `${description} ${notes}`.trim()).join('\n\n'),
      ...(info.license === undefined ? {} : { license: { name: info.license, identifier: info.license } }),
      ...(info.contact === undefined ? {} : { contact: { name: info.title, url: info.contact } }),
    },
    servers: [{ url: info.server }],
    tags: apis.flatMap(tags),
    paths,
    components: {
      schemas: components,
      ...(info.examples === undefined ? {} : { examples }),
      securitySchemes: securitySchemes(info),
    },
  };
}

function tags({ endpoints, description }: ApiDescription): Json[] {
  return [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description }));
}

function operation(
  api: ApiDescription,
  endpoint: EndpointDescription,
  operationId: string,
  components: Json,
): Json {
  const { summary, description, tag, access, extension = false, body } = endpoint;
  return {
    operationId,
    summary,
    description: description ?? `${summary}.`,
    tags: [tag],
    ...(extension ? { 'x-extension': true } : {}),
    'x-largest-product': [endpoint.bound.product, endpoint.bound.beyond]
      .filter(Boolean)
      .join('; beyond it: '),
    security: security(access),
    parameters: [
      ...parameters(endpoint.parameters, 'path', components),
      ...parameters(endpoint.query, 'query', components),
      ...conditions(endpoint),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? true,
            ...(body.description === undefined ? {} : { description: body.description }),
            content: Object.fromEntries(
              (body.mediaTypes ?? ['application/json']).map((type) => [
                type,
                {
                  schema: hoisted(body.schema, components),
                  ...(body.example === undefined ? {} : { example: body.example }),
                },
              ]),
            ),
          },
        }),
    responses: responses(api, endpoint, components),
  };
}

function security(access: EndpointDescription['access']): Json[] {
  if (access === 'public') return [];
  return access !== 'bearer' ? [{}, { oauth2: [] }, { bearer: [] }] : [{ oauth2: [] }, { bearer: [] }];
}

function parameters(schema: TSchema | undefined, place: 'path' | 'query', components: Json): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...rest } = property as {
      description?: string;
      examples?: readonly unknown[];
    } & TSchema;
    return {
      name,
      in: place,
      required: place === 'path' || (required.includes(name) && !('default' in property)),
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { example: examples[0] }),
      ...(place === 'query' && 'type' in rest && rest.type === 'object'
        ? { style: 'deepObject', explode: true }
        : {}),
      // With commas: what a name that is repeated means, servers do not agree on.
      ...(place === 'query' && 'type' in rest && rest.type === 'array'
        ? { style: 'form', explode: false }
        : {}),
      schema: hoisted(rest, components),
    };
  });
}

function responses(api: ApiDescription, endpoint: EndpointDescription, components: Json): Json {
  const { replies } = endpoint;
  const { schema, mediaType } = api.errorSchema;
  const content = { [mediaType]: { schema: hoisted(schema, components) } };
  const error = (description: string) => ({ description, content });
  return {
    ...Object.fromEntries(
      Object.entries(replies).map(([status, reply]) => [
        status,
        response(reply, components, Number(status) >= 400 ? content : {}),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(errorsOf(endpoint, api.wrongMethod ?? 405)).map(([status, description]) => [
        status,
        error(description),
      ]),
    ),
    default: error('Any other error.'),
  };
}

/** Describes a reply. `errors` is the content of errors that requests of any endpoint may end in, with the same status. */
function response(
  { description, schema, mediaType = 'application/json', otherMediaTypes = {}, headers }: ReplyDefinition,
  components: Json,
  errors: Json,
): Json {
  const content = {
    ...(schema === undefined ? {} : { [mediaType]: { schema: hoisted(schema, components) } }),
    ...Object.fromEntries(
      Object.entries(otherMediaTypes).map(([type, other]) => [type, { schema: hoisted(other, components) }]),
    ),
    ...errors,
  };
  return {
    description,
    ...(headers === undefined ? {} : { headers }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

/** Replaces every schema that has an `$id` by a reference to the component of that name. */
function hoisted(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoisted(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as { $id?: unknown };
  if (typeof $id !== 'string') return mapValues(schema, components);
  if (!($id in components)) {
    components[$id] = {};
    components[$id] = mapValues(rest, components);
  }
  return { $ref: `#/components/schemas/${$id}` };
}

function mapValues(schema: object, components: Json): Json {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoisted(value, components)]));
}
