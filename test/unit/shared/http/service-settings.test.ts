/** The obstacles to serving below the base path. `test/api/base-path.test.ts` has the replies. */

import { expect, test } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { readServiceSettings, trustedProxies } from '../../../../shared/http/service-settings.ts';

const usable = { SERVICE_API_BASE_URL: '/api' };
const noPrefix = { AzureFunctionsJobHost__extensions__http__routePrefix: '' };
const settingsOf = (environment: Readonly<Record<string, string>>) =>
  readServiceSettings(readConfig(environment), environment);

test.each(['', '/', '//'])('nothing does where the host adds %j', (prefix) => {
  expect(
    settingsOf({ ...usable, AzureFunctionsJobHost__extensions__http__routePrefix: prefix }).prefixRefusal,
  ).toBeUndefined();
});

test.each([
  ['SERVICE_API_BASE_URL', ''],
  ['SERVICE_API_BASE_URL', 'https://example.org/api'],
  ['SERVICE_API_BASE_URL', '/admin'],
  ['APIS', 'mail'],
  ['TRUST_FORWARDED_HEADERS', 'perhaps'],
])('%s=%s does', (name, value) => {
  expect(settingsOf({ ...usable, ...noPrefix, [name]: value }).settingsRefusal).toMatchObject({
    code: 'configuration',
    facts: { setting: name },
  });
});

test.each([
  ['AzureFunctionsJobHost__extensions__http__routePrefix', 'other'],
  ['AzureFunctionsJobHost__extensions__http__routePrefix', 'api'],
  ['AzureFunctionsJobHost:extensions:http:routePrefix', 'api'],
  ['azurefunctionsjobhost__Extensions__HTTP__routeprefix', '/a/b/'],
])('the app setting %s=%s does', (name, value) => {
  expect(settingsOf({ ...usable, [name]: value }).prefixRefusal).toMatchObject({
    code: 'base-url-mismatch',
    message: expect.stringContaining(`the app setting ${name} puts a route prefix before every path.`),
    hint: `Remove the app setting ${name}.`,
  });
});

test.each([
  ['on a developer machine', 'false', {}, 0],
  ['behind the front end of Azure', 'false', { WEBSITE_SITE_NAME: 'app' }, 1],
  ['behind a gateway alone', 'true', {}, 1],
  ['behind the front end of Azure and a gateway', 'true', { WEBSITE_SITE_NAME: 'app' }, 2],
])('the proxies that are trusted %s', (_, TRUST_FORWARDED_HEADERS, environment, count) => {
  const settings = readServiceSettings(readConfig({ TRUST_FORWARDED_HEADERS }), {});
  expect(trustedProxies(settings, environment)).toBe(count);
});
