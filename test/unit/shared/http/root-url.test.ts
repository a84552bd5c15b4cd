import { expect, test } from 'vitest';
import { rootPath, rootUrl, siteUrl } from '../../../../shared/http/context.ts';
import type { Mount } from '../../../../shared/http/description.ts';

const v7: Mount = { path: 'v7' };
const ofSite: Mount = { path: 'wp-json/tribe/events/v1', below: 'site' };

test.each<[Mount, string, string]>([
  [v7, '/api', '/api/v7'],
  [v7, '', '/v7'],
  [{ path: '' }, '/svc/v1', '/svc/v1'],
  [{ path: '' }, '', ''],
  [ofSite, '/api', '/wp-json/tribe/events/v1'],
  [{ path: '', below: 'site' }, '/api', ''],
])('rootPath() of %j under "%s" is "%s"', (mount, basePath, expected) => {
  expect(rootPath(mount, basePath)).toBe(expected);
});

test.each<[Mount, string, string, string]>([
  [v7, '', '/api', 'http://host:1/api/v7'],
  [{ path: '' }, '', '/api', 'http://host:1/api'],
  [v7, '', '', 'http://host:1/v7'],
  [v7, 'https://example.org/records', '/api', 'https://example.org/records/v7'],
  [ofSite, 'https://example.org/records', '/api', 'http://host:1/wp-json/tribe/events/v1'],
  [
    { ...ofSite, publicUrl: () => 'https://calendar.example.org/v1' },
    'https://example.org/records',
    '/api',
    'https://calendar.example.org/v1',
  ],
])('rootUrl() of %j with the public URL "%s" under "%s" is %s', (mount, publicUrl, basePath, expected) => {
  const base = { config: { PUBLIC_BASE_URL: publicUrl }, basePath };
  expect(rootUrl('http://host:1', mount, base)).toBe(expected);
});

test.each([
  ['', '/api', 'http://host:1'],
  ['https://example.org/site/API', '/api', 'https://example.org/site'],
  ['https://example.org/api', '/api', 'https://example.org'],
  ['https://example.org/records', '/api', 'https://example.org'],
  ['https://example.org', '', 'https://example.org'],
])('siteUrl() of the public URL "%s" under "%s" is %s', (publicUrl, basePath, expected) => {
  expect(siteUrl('http://host:1', { config: { PUBLIC_BASE_URL: publicUrl }, basePath })).toBe(expected);
});
