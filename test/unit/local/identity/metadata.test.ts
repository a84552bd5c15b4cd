import { describe, expect, test } from 'vitest';
import { issuerOfFile, startIssuer, tenantId } from '../../../support/issuer.ts';

const issuer = issuerOfFile();

async function getJson(path: string, headers = {}) {
  const response = await fetch(issuer().url + path, { headers });
  return { status: response.status, body: await response.json() };
}

describe('the metadata document', () => {
  const shared = {
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

  test('of version 2.0 stands below the Authority', async () => {
    const base = `${issuer().url}/${tenantId}`;
    expect(issuer().authority).toBe(`${base}/v2.0`);
    expect(await getJson(`/${tenantId}/v2.0/.well-known/openid-configuration`)).toEqual({
      status: 200,
      body: {
        ...shared,
        issuer: `${base}/v2.0`,
        jwks_uri: `${base}/discovery/v2.0/keys`,
        authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
        token_endpoint: `${base}/oauth2/v2.0/token`,
      },
    });
  });

  test('of version 1.0 stands beside it, with an issuer that ends in a slash', async () => {
    const base = `${issuer().url}/${tenantId}`;
    expect(await getJson(`/${tenantId}/.well-known/openid-configuration`)).toEqual({
      status: 200,
      body: {
        ...shared,
        issuer: `${base}/`,
        jwks_uri: `${base}/discovery/keys`,
        authorization_endpoint: `${base}/oauth2/authorize`,
        token_endpoint: `${base}/oauth2/token`,
      },
    });
  });

  test('of another tenant is not there', async () => {
    expect(await getJson('/common/v2.0/.well-known/openid-configuration')).toEqual({
      status: 404,
      body: { error: 'not_found' },
    });
  });
});

describe('the key document', () => {
  test('has the members that Entra ID gives, no private ones, and in version 2.0 the issuer', async () => {
    const { keyId, publicKey } = issuer().keyRing.current();
    const key = { ...publicKey.export({ format: 'jwk' }), use: 'sig', kid: keyId, x5t: keyId };
    expect(await getJson(`/${tenantId}/discovery/keys`)).toEqual({ status: 200, body: { keys: [key] } });
    expect(await getJson(`/${tenantId}/discovery/v2.0/keys`)).toEqual({
      status: 200,
      body: { keys: [{ ...key, issuer: issuer().authority }] },
    });
  });

  test('keeps an old key until it is withdrawn', async () => {
    const { keyRing, url, stop } = await startIssuer();
    const published = async () => {
      const { keys } = (await (await fetch(`${url}/${tenantId}/discovery/keys`)).json()) as {
        keys: { kid: string }[];
      };
      return keys.map(({ kid }) => kid);
    };
    const [first, second] = [keyRing.current(), keyRing.rotate()];
    expect(await published()).toEqual([first.keyId, second.keyId]);
    const third = keyRing.rotate({ withdraw: true });
    expect(await published()).toEqual([third.keyId]);
    await stop();
  });
});

describe('pages of other origins', () => {
  test.each([
    ['http://localhost:7071', 'http://localhost:7071'],
    ['https://127.0.0.1', 'https://127.0.0.1'],
    ['https://localhost.example.org', null],
    ['https://example.org', null],
    ['null', null],
  ])('%s may read what the explorer needs: %s', async (origin, allowed) => {
    const token = `${issuer().url}/${tenantId}/oauth2/v2.0/token`;
    const preflight = await fetch(token, { method: 'OPTIONS', headers: { origin } });
    const metadata = await fetch(`${issuer().authority}/.well-known/openid-configuration`, {
      headers: { origin },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, allowed]);
    expect(metadata.headers.get('access-control-allow-origin')).toBe(allowed);
    await metadata.body?.cancel();
  });
});
