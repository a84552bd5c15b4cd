/** Every endpoint of the local issuer, by method and path. */

import type { Authorization } from './authorization.ts';
import type { Endpoint, EndpointName, Endpoints, Handler } from './http.ts';
import { json } from './http.ts';
import type { KeyRing } from './keys.ts';
import { managedIdentityEndpoint } from './managed-identity.ts';
import { metadataDocument, paths } from './metadata.ts';
import { issuerOf, type TokenVersion } from './tenant.ts';
import { rolesOf, type TokenEndpointOptions, tokenEndpoint } from './token-endpoint.ts';

export interface EndpointOptions extends TokenEndpointOptions {
  readonly authorization: Authorization;
  readonly keyRing: KeyRing;
  readonly identityHeader: string;
}

/** Path of the managed identity endpoint. */
export const managedIdentityPath = '/managed-identity/token';

/** Path below the tenant's URL at which clients are registered; ours, not Entra ID's. */
export const clientsPath = '/clients';

/** Lists the endpoints. */
export function issuerEndpoints(options: EndpointOptions): Endpoints {
  const { tenant, clients } = options;
  const register: Handler = ({ form }) => {
    const { clientId, secret } = clients.register(rolesOf(form) ?? []);
    return json(201, { client_id: clientId, client_secret: secret });
  };
  const managedIdentity = managedIdentityEndpoint({ ...options, secret: options.identityHeader });
  return new Map([
    ...versionEndpoints('1.0', options),
    ...versionEndpoints('2.0', options),
    [`POST /${tenant.tenantId}${clientsPath}`, { name: 'clients', handle: register, crossOrigin: false }],
    [`GET ${managedIdentityPath}`, { name: 'managed-identity', handle: managedIdentity, crossOrigin: false }],
  ]);
}

function versionEndpoints(version: TokenVersion, options: EndpointOptions): [string, Endpoint][] {
  const { tenant, authorization, keyRing } = options;
  const { metadata, keys, authorize, token } = paths[version];
  const keyIssuer = version === '2.0' ? issuerOf(tenant, version) : undefined;
  const readable = (name: EndpointName, handle: Handler): Endpoint => ({ name, handle, crossOrigin: true });
  const page = (handle: Handler): Endpoint => ({ name: 'authorize', handle, crossOrigin: false });
  const below: [string, string, Endpoint][] = [
    ['GET', metadata, readable('metadata', () => json(200, metadataDocument(tenant, version)))],
    ['GET', keys, readable('keys', () => json(200, keyRing.document(keyIssuer)))],
    ['GET', authorize, page(authorization.show)],
    ['POST', authorize, page(authorization.choose)],
    ['POST', token, readable('token', tokenEndpoint(version, options))],
  ];
  return below.map(([method, path, endpoint]) => [`${method} /${tenant.tenantId}${path}`, endpoint]);
}
