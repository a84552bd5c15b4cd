/** The managed identity endpoint of App Service and Functions, API version 2019-08-01. */

import { randomUUID } from 'node:crypto';
import { applicationClaims, type Claims, lifetime } from './claims.ts';
import { type Handler, json, type Reply } from './http.ts';
import { audienceOf } from './resource.ts';
import { stableGuid, type Tenant } from './tenant.ts';

export interface ManagedIdentityOptions {
  readonly tenant: Tenant;
  /** The secret that callers send in `X-IDENTITY-HEADER`. */
  readonly secret: string;
  readonly sign: (claims: Claims) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const apiVersion = '2019-08-01';

/** Creates the endpoint. There is one identity; a `client_id` in the request becomes its client id. */
export function managedIdentityEndpoint({ tenant, secret, sign, now }: ManagedIdentityOptions): Handler {
  return ({ url: { searchParams: query }, headers }) => {
    const resource = query.get('resource');
    if (headers['x-identity-header'] !== secret)
      return problem(401, 'The identity header is missing or wrong.');
    if (query.get('api-version') !== apiVersion)
      return problem(400, `The api-version must be ${apiVersion}.`);
    if (!resource) return problem(400, 'The parameter resource is missing.');
    if (query.has('object_id') || query.has('mi_res_id'))
      return problem(400, 'No user assigned identity was found for the given id.');
    return token(resource, query.get('client_id') ?? stableGuid(tenant.tenantId, 'managed-identity'));
  };

  function token(resource: string, clientId: string): Reply {
    const seconds = Math.floor(now() / 1000);
    const audience = audienceOf(tenant, resource, '1.0');
    const facts = { version: '1.0', audience, callingApp: clientId, now: seconds, roles: [] } as const;
    return json(200, {
      access_token: sign(applicationClaims(tenant, facts)),
      expires_on: String(seconds + lifetime),
      // Exactly as asked: clients find the token in their cache by this name.
      resource,
      token_type: 'Bearer',
      client_id: clientId,
    });
  }
}

function problem(statusCode: number, message: string): Reply {
  return json(statusCode, { statusCode, message, correlationId: randomUUID() });
}
