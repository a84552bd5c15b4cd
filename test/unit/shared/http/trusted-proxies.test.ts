import { expect, test } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { trustedProxies } from '../../../../shared/http/trusted-proxies.ts';

test.each([
  ['on a developer machine', 'false', {}, 0],
  ['behind the front end of Azure', 'false', { WEBSITE_SITE_NAME: 'app' }, 1],
  ['behind a gateway alone', 'true', {}, 1],
  ['behind the front end of Azure and a gateway', 'true', { WEBSITE_SITE_NAME: 'app' }, 2],
])('the proxies that are trusted %s', (_, TRUST_FORWARDED_HEADERS, environment, count) => {
  expect(trustedProxies(readConfig({ TRUST_FORWARDED_HEADERS }), environment)).toBe(count);
});
