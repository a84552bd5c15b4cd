/** Who calls the calendar: bearer tokens, and Basic (RFC 7617) for clients that know only passwords. */

import { basicCredentials, type Caller as Identity, identityOf } from '../../../shared/auth/caller.ts';
import type { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import type { Config } from '../../../shared/config.ts';
import type { Authenticated } from '../../../shared/http/api.ts';
import type { RequestContext } from '../../../shared/http/request-context.ts';
import { anonymous, type Caller, type Role } from '../model/rights.ts';
import { createClientSignIn, type SignInOrigin } from './client-sign-in.ts';
import { createTokenRequest } from './token-endpoint.ts';

/** App roles of Entra ID, from the most to the least. */
const appRoles: readonly (readonly [string, Role])[] = [
  ['Calendar.Editor', 'editor'],
  ['Calendar.Author', 'author'],
  ['Calendar.Contributor', 'contributor'],
];

/** Finds out who sent a request. */
type Authenticate = (
  context: Pick<RequestContext<Caller>, 'request' | 'client'>,
  isRead: boolean,
) => Promise<Authenticated<Caller>>;

/**
 * Creates the authentication of the calendar: bearer tokens, and Basic (RFC 7617). A Basic password is a token or, by a setting, the
 * secret of an app registration.
 */
export function createAuthentication(config: Config, verifier: TokenVerifier): Authenticate {
  const signIn = createClientSignIn({ requestToken: createTokenRequest(config), verifier });

  function verify(authorization: string, origin: SignInOrigin): Promise<Identity> {
    const credentials = basicCredentials(authorization);
    if (credentials === undefined) return verifier.verify(authorization);
    // The name says nothing where the password is a token.
    if (isToken(credentials.password)) return verifier.verify(`Bearer ${credentials.password}`);
    return config.CALENDAR_BASIC ? signIn(credentials, origin) : verifier.verify(authorization);
  }

  return async ({ request, client }, isRead) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null || (isRead && isForeignBearer(authorization))) return { caller: anonymous };
    const verified = await verify(authorization, { url: request.url, client });
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
  const [header = '', ...parts] = text.split('.');
  return parts.length === 2 && isJsonObject(Buffer.from(header, 'base64url').toString());
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
