import { describe, expect, test } from 'vitest';
import { authorizationUri, checkTenant, metadataUrls } from '../../../../shared/auth/authority.ts';

const tenant = '11111111-2222-4333-8444-555555555555';

describe('metadataUrls()', () => {
  const entra = 'https://login.microsoftonline.com';
  test('finds the documents of both versions', () => {
    for (const authority of [
      `${entra}/${tenant}`,
      `${entra}/${tenant}/`,
      `${entra}/${tenant}/v2.0`,
      `${entra}/${tenant}/v2.0/`,
      `${entra}/common/v2.0`,
      `${entra}/common`,
      `${entra}/organizations/v2.0`,
      `${entra}/consumers`,
    ]) {
      const { '1.0': v1, '2.0': v2 } = metadataUrls(authority, tenant);
      expect([v1.href, v2.href], authority).toEqual([
        `${entra}/${tenant}/.well-known/openid-configuration`,
        `${entra}/${tenant}/v2.0/.well-known/openid-configuration`,
      ]);
    }
  });

  test('keeps a query, and a tenant that is named by its domain', () => {
    const { '2.0': v2 } = metadataUrls(`${entra}/example.org/v2.0?appid=1`, tenant);
    expect(v2.href).toBe(`${entra}/example.org/v2.0/.well-known/openid-configuration?appid=1`);
  });

  test('accepts addresses of this machine', () => {
    for (const authority of [
      'http://localhost:1/t',
      'http://127.0.0.1:1/t',
      'http://127.9.9.9/t',
      'http://[::1]:1/t',
    ]) {
      expect(metadataUrls(authority, tenant)['2.0'].protocol).toBe('http:');
    }
  });

  test('refuses other addresses', () => {
    for (const [authority, problem] of [
      ['http://login.example.org/t', 'must be an https URL'],
      ['http://127.0.0.1.example.org/t', 'must be an https URL'],
      ['http://localhost.example.org/t', 'must be an https URL'],
      ['http://mylocalhost/t', 'must be an https URL'],
      ['http://127.0.0.1.a.localhost/t', 'must be an https URL'],
      ['ftp://localhost/t', 'must be an https URL'],
      ['login.example.org/t', 'must be an https URL'],
      [entra, 'must have the tenant in its path'],
      [`${entra}/v2.0`, 'must have the tenant in its path'],
    ] as const) {
      expect(() => metadataUrls(authority, tenant), authority).toThrow(
        expect.objectContaining({
          kind: 'misconfigured',
          code: 'configuration',
          message: `The setting AppRegistration__Authority is not usable: it ${problem}.`,
        }),
      );
    }
  });
});

describe('checkTenant()', () => {
  const other = '22222222-2222-4333-8444-555555555555';
  const host = 'https://login.example.org';

  test('takes addresses that name no other tenant', () => {
    for (const url of [
      `${host}/${tenant}/v2.0`,
      `${host}/${tenant.toUpperCase()}`,
      `${host}/${other}/${tenant}`,
      `${host}/example.org/v2.0`,
      `${host}/x${other}`,
      `${host}/${other}x`,
      `${host}/a?${tenant}`,
    ]) {
      expect(() => checkTenant(url, tenant)).not.toThrow();
    }
  });

  test('refuses another tenant', () => {
    for (const url of [
      `${host}/${other}`,
      `${host}/${other.replace('4333', 'ABCD')}/v2.0`,
      `${host}/a?${other}`,
    ]) {
      expect(() => checkTenant(url, tenant.toUpperCase()), url).toThrow(
        expect.objectContaining({ code: 'configuration', facts: { setting: 'AppRegistration__TenantId' } }),
      );
    }
  });
});

test('people sign in to the tenant itself', () => {
  const entra = 'https://login.microsoftonline.com';
  for (const authority of [`${entra}/${tenant}/v2.0`, `${entra}/${tenant}/`, `${entra}/common/v2.0?appid=1`])
    expect(authorizationUri(authority, tenant)).toBe(`${entra}/${tenant}/oauth2/authorize`);
  expect(() => authorizationUri('http://example.org/x', tenant)).toThrow('must be an https URL');
});
