import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, variables } from '../../../shared/config.ts';

const names = Object.keys(variables) as (keyof typeof variables)[];

describe('readConfig()', () => {
  test('does not look at a setting before it is used', () => {
    expect(() => readConfig({})).not.toThrow();
  });

  test.each([
    ['DB_SERVER', 'database-connection'],
    ['DB_TRUSTED_CONNECTION', 'database-connection'],
    ['SERVICE_API_USERNAME', 'configuration'],
    ['AppRegistration__TenantId', 'configuration'],
  ] as const)('names %s when it is missing or empty', (name, code) => {
    for (const environment of [{}, { [name]: '' }]) {
      expect(() => readConfig(environment)[name]).toThrow(
        expect.objectContaining({
          kind: 'misconfigured',
          code,
          message: `The setting ${name} is missing.`,
          facts: { setting: name },
        }),
      );
    }
  });

  test.each([
    ['DB_TRUSTED_CONNECTION', 'TRUE', true],
    ['DB_TRUSTED_CONNECTION', 'false', false],
    ['DB_POOL_MAX', '25', 25],
    ['DB_SERVER', 'host\\instance', 'host\\instance'],
    ['AppRegistration__Audiences', 'api://a, api://b', ['api://a', 'api://b']],
    ['PUBLIC_BASE_URL', 'https://api.example.org/api/', 'https://api.example.org/api'],
  ] as const)('reads %s=%s', (name, text, value) => {
    expect(readConfig({ [name]: text })[name]).toEqual(value);
  });

  test.each([
    ['DB_TRUSTED_CONNECTION', 'yes', 'must be true or false'],
    ['DB_POOL_MAX', '-1', 'must be a whole number above 0'],
    ['DB_POOL_MAX', '0', 'must be a whole number above 0'],
    ['DB_POOL_MAX', '1e3', 'must be a whole number above 0'],
    ['CALENDAR_STALE_IF_ERROR', '1.5', 'must be a whole number'],
    ['AppRegistration__TenantId', 'example.onmicrosoft.com', 'must be a GUID'],
    ['PUBLIC_BASE_URL', 'example.org', 'must be an absolute http(s) address'],
    ['AppRegistration__Authority', 'file:///etc', 'must be an absolute http(s) address'],
  ] as const)('refuses %s=%s and does not repeat the value', (name, text, reason) => {
    expect(() => readConfig({ [name]: text })[name]).toThrow(
      `The setting ${name} is not usable: it ${reason}.`,
    );
  });
});

describe('local.settings.json.example', () => {
  const { Values } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../local.settings.json.example'), 'utf8'),
  ) as {
    Values: Record<string, string>;
  };
  const ofTheHost = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage', 'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'];

  test('names every setting and no other', () => {
    expect(Object.keys(Values).toSorted()).toEqual([...names, ...ofTheHost].toSorted());
  });

  test.each(names)('has a usable value for %s', (name) => {
    expect(() => readConfig(Values)[name]).not.toThrow();
  });
});
