/** Who calls the calendar: from the `Authorization` header to a role. */

import { basicCredentials } from '../../shared/auth/authorization-header.ts';
import { type Caller as Identity, identityOf } from '../../shared/auth/caller.ts';
import { createClientSignIn } from '../../shared/auth/client-sign-in.ts';
import { createTokenRequest } from '../../shared/auth/token-endpoint.ts';
import type { TokenVerifier } from '../../shared/auth/token-verifier.ts';
import { anonymous, type Caller, type Role } from '../../shared/calendar/model/rights.ts';
import type { Config } from '../../shared/config.ts';
import type { Authenticated } from '../../shared/http/api.ts';
import type { IncomingRequest } from '../../shared/http/request.ts';

/** App roles of Entra ID, from the most to the least. */
const appRoles: readonly (readonly [string, Role])[] = [
  ['Calendar.Editor', 'editor'],
  ['Calendar.Author', 'author'],
  ['Calendar.Contributor', 'contributor'],
];

/** Finds out who sent a request. */
export type Authenticate = (request: IncomingRequest, isRead: boolean) => Promise<Authenticated<Caller>>;

/** Creates the authentication of the calendar: bearer tokens, and Basic (RFC 7617), whose password is a token or, where the settings say so, the secret of an app registration. */
export function createAuthentication(config: Config, verifier: TokenVerifier): Authenticate {
  const signIn = createClientSignIn({ requestToken: createTokenRequest(config), verifier });

  function verify({ url }: IncomingRequest, authorization: string): Promise<Identity> {
    const credentials = basicCredentials(authorization);
    if (credentials === undefined) return verifier.verify(authorization);
    // The name says nothing where the password is a token.
    if (isToken(credentials.password)) return verifier.verify(`Bearer ${credentials.password}`);
    return config.CALENDAR_BASIC ? signIn(credentials, url) : verifier.verify(authorization);
  }

  return async (request, isRead) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null || (isRead && isForeignBearer(authorization))) return { caller: anonymous };
    const verified = await verify(request, authorization);
    const role = appRoles.find(([name]) => verified.roles.includes(name))?.[1] ?? 'reader';
    const { objectId, name = objectId } = verified;
    return { caller: { role, subject: objectId, name }, identity: identityOf(verified) };
  };
}

/** Checks whether a bearer token is none of ours: some clients send the text `null`, or a key that other sites gave them, with everything. */
function isForeignBearer(authorization: string): boolean {
  const [isBearer, token = ''] = /^\s*bearer\b\s*(.*)$/i.exec(authorization) ?? [];
  return isBearer !== undefined && !isToken(token.trim());
}

/** Checks whether a text looks like a JSON Web Token (RFC 7519 section 3.1). */
function isToken(text: string): boolean {
  const [header = '', ...others] = text.split('.');
  return others.length === 2 && isJsonObject(Buffer.from(header, 'base64url').toString());
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
