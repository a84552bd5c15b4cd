/** The token endpoint (RFC 6749 section 3.2): one small function per grant. */

import type { Authorization } from './authorization.ts';
import { applicationClaims, type Claims, lifetime, userClaims } from './claims.ts';
import type { Clients } from './clients.ts';
import { type Call, type Handler, json, type Reply } from './http.ts';
import { audienceOf, type Resource, requestedResource } from './resource.ts';
import type { Tenant, TokenVersion } from './tenant.ts';

export interface TokenEndpointOptions {
  readonly tenant: Tenant;
  readonly authorization: Authorization;
  readonly clients: Clients;
  /** Signs claims as a token. */
  readonly sign: (claims: Claims) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const emailAddress = /^[^\s@]+@[^\s@]+$/;

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

/**
 * Creates the token endpoint of a version; the version of the endpoint is that of the tokens.
 * Grants: `authorization_code` with a proof key, `client_credentials` of a registered client, and `password`
 * (any e-mail address as `username`, any password). The last two take `roles`, separated by spaces: ours, not the standard's; the second
 * then takes any client that is not registered, with any secret.
 */
export function tokenEndpoint(version: TokenVersion, options: TokenEndpointOptions): Handler {
  const { tenant, authorization, clients, sign, now } = options;

  const grants: Readonly<Record<string, (call: Call, clientId: string) => Reply>> = {
    authorization_code({ form }, clientId) {
      const grant = authorization.redeem(clientId, form);
      if (grant === undefined) return refusal('invalid_grant', 'The code or its proof key is not valid.');
      const resource = requestedResource(tenant, grant.scope, version);
      const access = userClaims(tenant, { ...facts(resource, clientId), email: grant.email });
      return granted(access, resource, idToken(access, grant.scope, clientId, grant.nonce));
    },

    client_credentials(call, clientId) {
      const isRegistered = clients.isRegistered(clientId);
      const roles = isRegistered ? clients.rolesOf(clientId, clientSecretOf(call)) : rolesOf(call.form);
      if (roles === undefined) return unknownClient(isRegistered);
      const resource = resourceOf(call.form);
      return granted(applicationClaims(tenant, { ...facts(resource, clientId), roles }), resource);
    },

    password({ form }, clientId) {
      const email = form.get('username');
      if (!email) return refusal('invalid_request', 'The parameter username is missing.');
      if (!emailAddress.test(email))
        return refusal('invalid_grant', 'The username is not an e-mail address.');
      const resource = resourceOf(form);
      return granted(
        userClaims(tenant, { ...facts(resource, clientId), email, roles: rolesOf(form) }),
        resource,
      );
    },
  };

  /** Version 1.0 names the `resource`, version 2.0 a `scope` of it. */
  function resourceOf(form: URLSearchParams): Resource {
    const resource = form.get('resource');
    const requested = requestedResource(tenant, form.get('scope') ?? '', version);
    return resource === null ? requested : { ...requested, audience: audienceOf(tenant, resource, version) };
  }

  function facts({ audience, scope }: Resource, callingApp: string) {
    return { version, audience, scope, callingApp, now: now() / 1000 };
  }

  function idToken(access: Claims, scope: string, clientId: string, nonce: string | null) {
    if (!scope.split(' ').includes('openid')) return {};
    const { scp: _scp, roles: _roles, ...identity } = access;
    return { id_token: sign({ ...identity, aud: clientId, ...(nonce === null ? {} : { nonce }) }) };
  }

  function granted(claims: Claims, { scope }: Resource, more: Record<string, string> = {}): Reply {
    const token = { token_type: 'Bearer', expires_in: lifetime, scope, access_token: sign(claims), ...more };
    return json(200, token, noStore);
  }

  return (call) => {
    const clientId = clientIdOf(call);
    if (clientId === '') return refusal('invalid_client', 'The request names no client.');
    const grantType = call.form.get('grant_type') ?? '';
    const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined;
    return grant?.(call, clientId) ?? refusal('unsupported_grant_type', 'The grant type is not known.');
  };
}

/** Reads `roles`, names separated by spaces; undefined when it is not sent. */
export function rolesOf(form: URLSearchParams): string[] | undefined {
  return form
    .get('roles')
    ?.split(/\s+/)
    .filter((role) => role !== '');
}

/** From the form, or from HTTP Basic (RFC 6749 section 2.3.1). */
function clientIdOf(call: Call): string {
  return call.form.get('client_id') ?? basicOf(call)[0] ?? '';
}

function clientSecretOf(call: Call): string {
  return call.form.get('client_secret') ?? basicOf(call)[1] ?? '';
}

function basicOf({ headers: { authorization = '' } }: Call): string[] {
  const [, basic = ''] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  return Buffer.from(basic, 'base64').toString().split(':');
}

/** As Entra ID has it: 401 for a wrong secret, 400 for a client that the tenant does not know. */
function unknownClient(isRegistered: boolean): Reply {
  if (isRegistered) return refusal('invalid_client', 'AADSTS7000215: Invalid client secret provided.');
  return refusal('unauthorized_client', 'AADSTS700016: The application was not found in the directory.');
}

function refusal(error: string, description: string): Reply {
  return json(error === 'invalid_client' ? 401 : 400, { error, error_description: description }, noStore);
}
