/** The endpoints about the service: health and the OpenAPI documents. They are public, and contain no secrets. */

import type { TokenVerifier } from '../../shared/auth/token-verifier.ts';
import type { Config } from '../../shared/config.ts';
import type { Api } from '../../shared/http/api.ts';
import type { Cors } from '../../shared/http/cors.ts';
import type { ApiDescription } from '../../shared/http/description.ts';
import { anonymous, createRecognition, type ServiceCaller } from './caller.ts';
import { type HealthOptions, health } from './health.ts';
import { openapi } from './openapi.ts';
import { problemApi } from './problem-api.ts';

/** Creates the API that the service has about itself, at the base path. `apis` are the other APIs that the document describes. */
export function serviceApi(
  config: Config,
  verifier: Pick<TokenVerifier, 'verify'>,
  {
    apis,
    cors,
    hasPages,
    ...state
  }: HealthOptions & {
    readonly apis: readonly ApiDescription[];
    readonly cors: Cors;
    /** Whether there is an explorer of the documents. */
    readonly hasPages: boolean;
  },
): Api<ServiceCaller> {
  return {
    ...problemApi,
    authenticate: createRecognition(verifier),
    anonymous,
    decorateReply: cors.decorate,
    options: cors.options,
    name: 'service',
    description: 'Health and the OpenAPI documents.',
    notes: 'The service itself ignores query parameters: probes and pages add their own.',
    mounts: [{ path: '' }],
    endpoints: [health(state), ...openapi(config, apis, hasPages)],
  };
}
