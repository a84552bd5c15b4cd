/** Metadata documents (OpenID Connect Discovery 1.0 section 3) of both token versions. */

import { issuerOf, type Tenant, type TokenVersion, tenantUrl } from './tenant.ts';

/** Paths below the tenant's URL, where Entra ID has them. */
export const paths = {
  '1.0': {
    metadata: '/.well-known/openid-configuration',
    keys: '/discovery/keys',
    authorize: '/oauth2/authorize',
    token: '/oauth2/token',
  },
  '2.0': {
    metadata: '/v2.0/.well-known/openid-configuration',
    keys: '/discovery/v2.0/keys',
    authorize: '/oauth2/v2.0/authorize',
    token: '/oauth2/v2.0/token',
  },
} as const;

/** The metadata document of a version. */
export function metadataDocument(tenant: Tenant, version: TokenVersion): Record<string, unknown> {
  const { keys, authorize, token } = paths[version];
  const base = tenantUrl(tenant);
  return {
    issuer: issuerOf(tenant, version),
    jwks_uri: base + keys,
    authorization_endpoint: base + authorize,
    token_endpoint: base + token,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'password'],
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    scopes_supported: ['openid', 'profile', 'email'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'oid', 'tid', 'email', 'name', 'roles'],
  };
}
