import { describe, expect, test } from 'vitest';
import { claimsIn, clientId, issuerOfFile, tenantId } from '../../../test/support/issuer.ts';
import type { Identity } from '../../identity/start.ts';

const issuer = issuerOfFile();

async function post({ url }: Identity, form: Record<string, string>, path = '/oauth2/v2.0/token') {
  const response = await fetch(`${url}/${tenantId}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return {
    status: response.status,
    cache: response.headers.get('cache-control'),
    body: (await response.json()) as Record<string, string>,
  };
}

const user = (more = {}) => ({
  grant_type: 'password',
  client_id: 'cli',
  username: 'alice@example.org',
  ...more,
});
const guid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

describe('tokens', () => {
  const now = Math.floor(Date.now() / 1000);
  const times = {
    iat: expect.closeTo(now, -2),
    nbf: expect.closeTo(now, -2),
    exp: expect.closeTo(now + 5400, -2),
  };
  const common = { ...times, oid: guid, sub: guid, tid: tenantId, uti: expect.stringMatching(/^[\w-]{22}$/) };

  test('of a user, version 2.0', async () => {
    const { status, cache, body } = await post(issuer(), user());
    expect({ status, cache, body }).toEqual({
      status: 200,
      cache: 'no-store',
      body: {
        token_type: 'Bearer',
        expires_in: 5400,
        scope: 'access_as_user',
        access_token: expect.any(String),
      },
    });
    expect(claimsIn(body['access_token'] ?? '')).toEqual({
      ...common,
      ver: '2.0',
      iss: issuer().authority,
      aud: clientId,
      azp: 'cli',
      azpacr: '0',
      scp: 'access_as_user',
      email: 'alice@example.org',
      preferred_username: 'alice@example.org',
      name: 'Alice Archer',
      roles: ['Calendar.Editor'],
    });
  });

  test.each<[Record<string, string>, string, object]>([
    [
      { scope: 'api://other/Read api://other/Write' },
      '/oauth2/v2.0/token',
      { aud: 'api://other', scp: 'Read Write' },
    ],
    [
      { scope: 'https://database.windows.net/.default' },
      '/oauth2/v2.0/token',
      { aud: 'https://database.windows.net/' },
    ],
    [{ resource: 'https://storage.azure.com' }, '/oauth2/token', { aud: 'https://storage.azure.com/' }],
  ])('for %j at %s', async (asked, path, claims) => {
    const { body } = await post(issuer(), user(asked), path);
    expect(claimsIn(body['access_token'] ?? '')).toMatchObject(claims);
  });
});

test.each<[Record<string, string>, number, string]>([
  [{}, 401, 'invalid_client'],
  [{ client_id: 'c', grant_type: 'constructor' }, 400, 'unsupported_grant_type'],
  [{ client_id: 'c', grant_type: 'password', username: 'alice' }, 400, 'invalid_grant'],
  [{ client_id: 'c', grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_grant'],
])('a request with %j is refused', async (form, status, error) => {
  expect(await post(issuer(), form)).toMatchObject({
    status,
    body: { error, error_description: expect.any(String) },
  });
});
