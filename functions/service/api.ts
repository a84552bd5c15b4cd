/** The service about itself: health, the OpenAPI document and the explorer. Open to everybody, and they say nothing that is secret. */

import { Type } from 'typebox';
import type { Config } from '../../shared/config.ts';
import type { Api } from '../../shared/http/api.ts';
import type { ApiDescription } from '../../shared/http/description.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { type Dependency, healthOf } from '../../shared/http/health.ts';
import { readInput } from '../../shared/http/input.ts';
import { openApiDocument } from '../../shared/http/openapi.ts';
import { problemMediaType, problemReply, problemSchema } from '../../shared/http/problem.ts';
import { json } from '../../shared/http/reply.ts';
import { signIn } from '../sign-in.ts';
import { explorer } from './explorer.ts';

const endpoint = endpointsFor<undefined>();

const dependencyState = Type.Object({
  state: Type.Union([Type.Literal('ready'), Type.Literal('failing')]),
  code: Type.Optional(Type.String({ description: 'Code of the problem.' })),
  detail: Type.Optional(Type.String()),
  since: Type.String({ format: 'date-time', description: 'When this was found out.' }),
});

const healthSchema = Type.Object(
  {
    live: Type.Literal(true),
    ready: Type.Boolean(),
    dependencies: Type.Record(Type.String(), dependencyState),
  },
  { $id: 'Health' },
);

function health(dependencies: readonly Dependency[]): Endpoint<undefined> {
  const states = healthOf(dependencies);
  return endpoint({
    method: 'GET',
    path: '/health',
    operationId: 'get-health',
    summary: 'Tell whether the service is live and ready',
    description:
      'A dependency that was found ready is not asked again, so probes never keep a serverless database awake.',
    tag: 'Service',
    access: 'public',
    replies: {
      200: { description: 'Live, and ready to answer.', schema: healthSchema },
      503: { description: 'Live, but a dependency fails.', schema: healthSchema },
    },
    async handle() {
      const found = await states();
      const ready = Object.values(found).every(({ state }) => state === 'ready');
      const headers = { 'Cache-Control': 'no-store' };
      return json({ live: true, ready, dependencies: found }, { status: ready ? 200 : 503, headers });
    },
  });
}

function document(config: Config, others: readonly ApiDescription[]): Endpoint<undefined> {
  return endpoint({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'get-openapi',
    summary: 'Describe every endpoint of this service (OpenAPI 3.1)',
    tag: 'Service',
    access: 'public',
    replies: {
      200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) },
    },
    handle: ({ link, route }) =>
      json(openApiDocument([...others, route.api], documentInfo(config, link(''))), {
        headers: { 'Cache-Control': 'no-cache' },
      }),
  });
}

function documentInfo(config: Config, server: string) {
  return {
    title: 'Records and Calendar',
    version: '1.0.0',
    description:
      'Records: cases, deeds and documents with custom data and reference data. Calendar: events, venues, organizers and terms.',
    server,
    ...signIn(config),
  };
}

/** Creates the API that the service has about itself, at the base path. `others` are the other APIs that the document describes. */
export function serviceApi(
  config: Config,
  dependencies: readonly Dependency[],
  others: readonly ApiDescription[],
): Api<undefined> {
  return {
    name: 'service',
    description: 'Health, the OpenAPI document and the explorer.',
    mounts: [''],
    endpoints: [health(dependencies), document(config, others), ...explorer(config)],
    authenticate: async () => ({ caller: undefined }),
    anonymous: undefined,
    readInput,
    errorReply: problemReply,
    errorSchema: { schema: problemSchema, mediaType: problemMediaType },
  };
}
