import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claimsIn, clientId, issuerOfFile, tenantId } from '../../../test/support/issuer.ts';

const issuer = issuerOfFile();
const verifier = 'a-proof-key-of-at-least-forty-three-characters';
const redirectUri = 'http://localhost:7071/api/swagger/oauth2-redirect.html';

const honest = {
  client_id: 'explorer',
  response_type: 'code',
  redirect_uri: redirectUri,
  scope: `openid api://${clientId}/access_as_user`,
  state: 'a state & more',
  nonce: 'n',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

/** The honest request with changes; a parameter that is undefined is left out. */
function changed(changes: Record<string, string | undefined>): URLSearchParams {
  const parameters = new URLSearchParams(honest);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters;
}

function authorize(issuerUrl: string, changes = {}, choice?: Record<string, string>) {
  const url = `${issuerUrl}/${tenantId}/oauth2/v2.0/authorize?${changed(changes)}`;
  const post = choice === undefined ? {} : { method: 'POST', body: new URLSearchParams(choice) };
  return fetch(url, { redirect: 'manual', ...post });
}

async function codeFor(issuerUrl: string, email: string): Promise<string> {
  const response = await authorize(issuerUrl, {}, { email });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

async function redeem(issuerUrl: string, changes: Record<string, string>) {
  const form = {
    grant_type: 'authorization_code',
    client_id: 'explorer',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  };
  const response = await fetch(`${issuerUrl}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

describe('signing in', () => {
  test('sends the chosen user back with a code, which gives tokens once', async () => {
    const { url } = issuer();
    const response = await authorize(url, {}, { email: 'dorte@example.org' });
    const target = new URL(response.headers.get('location') ?? '');
    expect([response.status, target.origin + target.pathname, target.searchParams.get('state')]).toEqual([
      303,
      redirectUri,
      'a state & more',
    ]);
    const code = target.searchParams.get('code') ?? '';
    const { status, body } = await redeem(url, { code });
    expect(status).toBe(200);
    expect(claimsIn(body['access_token'] ?? '')).toMatchObject({
      aud: clientId,
      azp: 'explorer',
      email: 'dorte@example.org',
      roles: ['Calendar.Contributor'],
      scp: 'access_as_user',
    });
    expect(claimsIn(body['id_token'] ?? '')).toMatchObject({
      aud: 'explorer',
      nonce: 'n',
      name: 'Dorte Dahl',
    });
    expect(await redeem(url, { code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test.each<Record<string, string>>([
    { code_verifier: 'another-proof-key-of-at-least-forty-three-chars' },
    { client_id: 'another' },
  ])('gives no token for %j', async (changes) => {
    const { url } = issuer();
    const code = await codeFor(url, 'alice@example.org');
    expect(await redeem(url, { code, ...changes })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });
});

describe('a request that cannot be answered', () => {
  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: undefined }, 'invalid_request'],
  ])('goes back to the application: %j', async (changes, error) => {
    const response = await authorize(issuer().url, changes, { email: 'alice@example.org' });
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual([error, null]);
  });
});
