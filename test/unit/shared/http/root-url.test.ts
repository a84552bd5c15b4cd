import { expect, test } from 'vitest';
import type { Mount } from '../../../../shared/http/description.ts';
import type { IncomingRequest } from '../../../../shared/http/request.ts';
import { matchTemplate, withQueryRoute } from '../../../../shared/http/serve.ts';
import { rootPath, rootUrl, siteUrl, withForwarded } from '../../../../shared/http/urls.ts';

const requestOf = (url: string, headers: Record<string, string> = {}): IncomingRequest => ({
  method: 'GET',
  url: new URL(url),
  parameters: {},
  body: null,
  headers: new Headers(headers),
});

const v7: Mount = { path: 'v7' };
const ofSite: Mount = { path: 'wp-json/tribe/events/v1', below: 'site' };

test('rootPath() joins the base path and the path of a mount', () => {
  const rows: readonly [Mount, string, string][] = [
    [v7, '/api', '/api/v7'],
    [v7, '', '/v7'],
    [{ path: '' }, '/svc/v1', '/svc/v1'],
    [{ path: '' }, '', ''],
    [ofSite, '/api', '/wp-json/tribe/events/v1'],
    [{ path: '', below: 'site' }, '/api', ''],
  ];
  expect(rows.map(([mount, basePath]) => [mount, basePath, rootPath(mount, basePath)])).toEqual(rows);
});

test('rootUrl() is the public URL of a mount', () => {
  const rows: readonly [Mount, string, string, string][] = [
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
  ];
  for (const [mount, publicUrl, basePath, expected] of rows) {
    const base = { config: { PUBLIC_BASE_URL: publicUrl }, basePath };
    expect(rootUrl('http://host:1', mount, base)).toBe(expected);
  }
});

test('siteUrl() is the origin of the public URL', () => {
  const rows = [
    ['', '/api', 'http://host:1'],
    ['https://example.org/site/API', '/api', 'https://example.org/site'],
    ['https://example.org/api', '/api', 'https://example.org'],
    ['https://example.org/records', '/api', 'https://example.org'],
    ['https://example.org', '', 'https://example.org'],
  ] as const;
  expect(
    rows.map(([publicUrl, basePath]) => [
      publicUrl,
      basePath,
      siteUrl('http://host:1', { config: { PUBLIC_BASE_URL: publicUrl }, basePath }),
    ]),
  ).toEqual(rows);
});

test('withForwarded() takes the headers of a proxy', () => {
  const rows: readonly [
    proto: string,
    host: string,
    forwardedPrefix: string,
    expected: string,
    expectedPrefix: string,
  ][] = [
    ['', '', '', 'http://host:1/a?b', ''],
    ['https', '', '', 'https://host:1/a?b', ''],
    [' HTTPS , http', '', '', 'https://host:1/a?b', ''],
    ['xhttps', '', '', 'http://host:1/a?b', ''],
    ['httpsx', '', '', 'http://host:1/a?b', ''],
    ['', 'www.Example.org', '', 'http://www.example.org/a?b', ''],
    ['https', 'a_b-1.example.org:8443,x', '', 'https://a_b-1.example.org:8443/a?b', ''],
    ['', '[::1]:80', '', 'http://[::1]/a?b', ''],
    ...['user@example.org', 'example.org/x', 'example.org:123456', 'x[::1]', '[::1]x', 'a b', '/', ':80'].map(
      (host): [string, string, string, string, string] => ['', host, '', 'http://host:1/a?b', ''],
    ),
    ['', 'example.org:99999', '', 'http://host:1/a?b', ''],
    ['', '', '/blog', 'http://host:1/a?b', '/blog'],
    ['', '', '/b/x.y~1-_/', 'http://host:1/a?b', '/b/x.y~1-_'],
    ...['blog', 'x/blog', '/', '//blog', '/blog//', '/a b', '/blog?x'].map(
      (prefix): [string, string, string, string, string] => ['', '', prefix, 'http://host:1/a?b', ''],
    ),
  ];
  for (const [proto, host, forwardedPrefix, expected, expectedPrefix] of rows) {
    const given = Object.entries({ proto, host, prefix: forwardedPrefix }).filter(
      ([, value]) => value !== '',
    );
    const headers = Object.fromEntries(given.map(([name, value]) => [`X-Forwarded-${name}`, value]));
    const { url, prefix, method } = withForwarded(requestOf('http://host:1/a?b', headers));
    expect([url.href, prefix, method], `${proto} ${host} ${forwardedPrefix}`).toEqual([
      expected,
      expectedPrefix,
      'GET',
    ]);
  }
});

test('matchTemplate() finds the values of a path', () => {
  const rows = [
    ['events/{id}', '/events/5', { id: '5' }],
    ['events/{id}', '/EVENTS//5/', { id: '5' }],
    ['events/{id}', '/events/a%2Fb%20c', { id: 'a/b c' }],
    ['events/{id}', '/events/a%252Fb%252Fc', { id: 'a/b/c' }],
    ['events/{id}', '/events/%zz', { id: '%zz' }],
    ['events', '/events', {}],
    ['events/{id}', '/events', undefined],
    ['events/{id}', '/events/5/6', undefined],
    ['events/{id}', '/venues/5', undefined],
    ['x{id}', '/x5', undefined],
    ['{id}x', '/5x', undefined],
  ] as const;
  expect(rows.map(([template, path]) => [template, path, matchTemplate(template, path)])).toEqual(rows);
});

test('withQueryRoute() asks at the root of the site alone', () => {
  const route = (url: URL) => (url.searchParams.has('r') ? new URL('/events', url) : undefined);
  const urls = ['http://host/?r', 'http://host/?x', 'http://host/a?r'].map(
    (url) => withQueryRoute(requestOf(url), route)?.url.href,
  );
  expect(urls).toEqual(['http://host/events', undefined, undefined]);
});
