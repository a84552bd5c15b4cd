/** GET openapi.json: the document of every endpoint of the service. */

import { Type } from 'typebox';
import type { Config } from '../../shared/config.ts';
import type { ApiDescription } from '../../shared/http/description.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { openApiDocument } from '../../shared/http/openapi.ts';
import { json } from '../../shared/http/reply.ts';
import { signIn } from '../sign-in.ts';

/** Creates the endpoint of the document, which describes `others` and the API that it belongs to. */
export function openapi(config: Config, others: readonly ApiDescription[]): Endpoint<undefined> {
  return endpointsFor<undefined>()({
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
