import { describe, expect, test } from 'vitest';
import { claimsIn, issuerOfFile, tenantId } from '../../../support/issuer.ts';

const issuer = issuerOfFile();
const now = Math.floor(Date.now() / 1000);

async function requestToken(parameters: Record<string, string>, header = issuer().identityHeader) {
  const url = `${issuer().identityEndpoint}?${new URLSearchParams(parameters)}`;
  const response = await fetch(url, { headers: { 'x-identity-header': header } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the managed identity endpoint', () => {
  test.each([
    ['https://database.windows.net', 'https://database.windows.net/'],
    ['https://database.windows.net/', 'https://database.windows.net/'],
    ['https://storage.azure.com', 'https://storage.azure.com/'],
  ])('gives a token for %s and repeats the resource exactly', async (resource, audience) => {
    const { status, body } = await requestToken({ 'api-version': '2019-08-01', resource });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        expires_on: expect.stringMatching(/^\d{10}$/),
        resource,
        token_type: 'Bearer',
        client_id: expect.any(String),
      },
    });
    const claims = claimsIn(String(body['access_token']));
    expect(claims).toMatchObject({
      aud: audience,
      iss: `${issuer().url}/${tenantId}/`,
      ver: '1.0',
      idtyp: 'app',
      appid: body['client_id'],
    });
    expect(Number(body['expires_on'])).toBe(claims['exp']);
    expect(claims['exp']).toBeGreaterThan(now + 3600);
  });

  test.each<[string, object, string | undefined, number]>([
    ['a wrong header', {}, 'wrong', 401],
    ['another api-version', { 'api-version': '2017-09-01' }, undefined, 400],
    ['no resource', { resource: '' }, undefined, 400],
    ['an unknown identity', { object_id: 'x' }, undefined, 400],
  ])('refuses %s', async (_name, parameters, header, statusCode) => {
    const accepted = { 'api-version': '2019-08-01', resource: 'https://database.windows.net' };
    expect(await requestToken({ ...accepted, ...parameters }, header)).toEqual({
      status: statusCode,
      body: { statusCode, message: expect.any(String), correlationId: expect.any(String) },
    });
  });
});
