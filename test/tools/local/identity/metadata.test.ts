import { describe, expect, test } from 'vitest';
import { issuerOfFile, tenantId } from '../../../support/issuer.ts';

const issuer = issuerOfFile();

const getJson = async (path: string) => (await fetch(issuer().url + path)).json();

describe('the key document', () => {
  test('has the members that Entra ID gives, no private ones, and in version 2.0 the issuer', async () => {
    const { keyId, publicKey } = issuer().keyRing.current();
    const key = { ...publicKey.export({ format: 'jwk' }), use: 'sig', kid: keyId, x5t: keyId };
    expect(await getJson(`/${tenantId}/discovery/keys`)).toEqual({ keys: [key] });
    expect(await getJson(`/${tenantId}/discovery/v2.0/keys`)).toEqual({
      keys: [{ ...key, issuer: issuer().authority }],
    });
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
