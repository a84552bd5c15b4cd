/** Authorization codes (RFC 6749 section 4.1) with proof keys (RFC 7636), for the pages that sign people in. */

import { createHash, randomBytes } from 'node:crypto';
import { type Call, type Handler, isLoopback, type Reply } from './http.ts';
import { signInPage, signInProblem } from './sign-in-page.ts';
import type { Tenant } from './tenant.ts';

const codeLifetime = 5 * 60 * 1000;

/** What a code stands for. */
export interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
  readonly nonce: string | null;
  readonly email: string;
}

/** The authorization endpoint, and its memory of the codes that it gave out. */
export interface Authorization {
  /** Shows the choice of users; a sample user whom `login_hint` names (OpenID Connect Core 3.1.2.1) is chosen already. */
  readonly show: Handler;
  /** Sends the chosen user's code back to the application. */
  readonly choose: Handler;
  /** Returns what a code was given out for, once; undefined when the code, or what proves its owner, is wrong. */
  redeem(clientId: string, form: URLSearchParams): Grant | undefined;
}

/** Creates the authorization endpoint. `now` is in milliseconds since 1970. */
export function createAuthorization(tenant: Tenant, now: () => number): Authorization {
  const grants = new Map<string, Grant & { expires: number }>();

  function giveOut(grant: Grant): string {
    for (const [code, { expires }] of grants) if (expires <= now()) grants.delete(code);
    const code = randomBytes(32).toString('base64url');
    grants.set(code, { ...grant, expires: now() + codeLifetime });
    return code;
  }

  return {
    show(call) {
      const hint = call.url.searchParams.get('login_hint');
      const hinted = tenant.users.find(({ email }) => email === hint);
      const problem = problemOf(call);
      if (problem !== undefined) return problem;
      if (hinted !== undefined) return sendBack(call, { code: giveOut(grantOf(call, hinted.email)) });
      return signInPage(tenant.users, `${call.url.pathname}${call.url.search}`);
    },
    choose(call) {
      const problem = problemOf(call);
      if (problem !== undefined) return problem;
      const email = call.form.get('email');
      if (email === null || email === '') return signInProblem('No user was chosen.');
      return sendBack(call, { code: giveOut(grantOf(call, email)) });
    },
    redeem(clientId, form) {
      const code = form.get('code') ?? '';
      const grant = grants.get(code);
      grants.delete(code);
      const good = grant?.clientId === clientId && grant.expires > now() && isOwner(grant, form);
      return good ? grant : undefined;
    },
  };
}

/** A client that cannot be trusted with an answer sees a page; other mistakes go back to the application. */
function problemOf(call: Call): Reply | undefined {
  const query = call.url.searchParams;
  if (!query.get('client_id')) return signInProblem('The request names no application (client_id).');
  if (!isLoopback(query.get('redirect_uri') ?? ''))
    return signInProblem('The URL to return to (redirect_uri) is not on this machine.');
  if (query.get('response_type') !== 'code') return sendBack(call, { error: 'unsupported_response_type' });
  const proofKey = /^[A-Za-z0-9_-]{43}$/.test(query.get('code_challenge') ?? '');
  if (!proofKey || query.get('code_challenge_method') !== 'S256')
    return sendBack(call, {
      error: 'invalid_request',
      error_description: 'A proof key is required: code_challenge with code_challenge_method S256.',
    });
  return undefined;
}

function sendBack({ url }: Call, parameters: Record<string, string>): Reply {
  const target = new URL(url.searchParams.get('redirect_uri') ?? '');
  const state = url.searchParams.get('state');
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  if (state !== null) target.searchParams.set('state', state);
  return { status: 303, headers: { location: target.href, 'cache-control': 'no-store' } };
}

function grantOf({ url: { searchParams: query } }: Call, email: string): Grant {
  return {
    clientId: query.get('client_id') ?? '',
    redirectUri: query.get('redirect_uri') ?? '',
    challenge: query.get('code_challenge') ?? '',
    scope: query.get('scope') ?? '',
    nonce: query.get('nonce'),
    email,
  };
}

function isOwner({ redirectUri, challenge }: Grant, form: URLSearchParams): boolean {
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return proof === challenge && form.get('redirect_uri') === redirectUri;
}
