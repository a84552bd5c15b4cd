/** What a token is asked for: from a `scope` or `resource` parameter to the audience and the scopes of the token. */

import type { Tenant, TokenVersion } from './tenant.ts';

export interface Resource {
  readonly audience: string;
  /** The delegated permissions, without the resource in front, separated by spaces. */
  readonly scope: string;
}

const openIdScopes = ['openid', 'profile', 'email', 'offline_access'];
const defaultScope = 'access_as_user';

/** Reads `scope`: `api://{client id}/access_as_user`, `{resource}/.default`, or names alone for the API itself. */
export function requestedResource(tenant: Tenant, scopeText: string, version: TokenVersion): Resource {
  const scopes = scopeText.split(/\s+/).filter((scope) => scope !== '' && !openIdScopes.includes(scope));
  const [resource = ''] = scopes.map((scope) => scope.slice(0, Math.max(scope.lastIndexOf('/'), 0)));
  const names = scopes.map((scope) => scope.slice(scope.lastIndexOf('/') + 1));
  const permissions = names.filter((name) => name !== '.default');
  return { audience: audienceOf(tenant, resource, version), scope: permissions.join(' ') || defaultScope };
}

/** The audience of tokens for a resource: Azure services are named by their URL with a trailing slash. */
export function audienceOf({ clientId }: Tenant, resource: string, version: TokenVersion): string {
  const name = resource.replace(/\/+$/, '');
  if (name.startsWith('https://')) return `${name}/`;
  if (name !== '' && name !== clientId && name !== `api://${clientId}`) return name;
  return version === '1.0' ? `api://${clientId}` : clientId;
}
