/** Where the service stands: below the base path that SERVICE_API_BASE_URL names, while every other address is ours, too. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionsHost, startFunctionsHost } from '@records-and-calendar/functions-host';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fixedSettings, tenantId } from '../../local/index.ts';

type Settings = Readonly<Record<string, string>>;

const root = join(import.meta.dirname, '..', '..');

/** Starts the built app, with another host.json where one is given, and without its dependencies. */
async function start(settings: Settings, hostJson?: unknown): Promise<FunctionsHost> {
  return startFunctionsHost({
    app: hostJson === undefined ? root : copiedAppWith(hostJson),
    port: 0,
    settings: { ...fixedSettings, AppRegistration__Authority: `http://127.0.0.1:1/${tenantId}`, ...settings },
  });
}

let copiedApp: string | undefined;
afterAll(() => {
  if (copiedApp !== undefined) rmSync(copiedApp, { recursive: true });
});

/** Returns the folder of a copy of the built app, one for all tests, with this host.json. */
function copiedAppWith(hostJson: unknown): string {
  copiedApp ??= copyApp();
  writeFileSync(join(copiedApp, 'host.json'), JSON.stringify(hostJson));
  return copiedApp;
}

function copyApp(): string {
  const app = mkdtempSync(join(tmpdir(), 'app-'));
  for (const name of ['package.json', 'dist']) cpSync(join(root, name), join(app, name), { recursive: true });
  return app;
}

async function startForTest(settings: Settings, hostJson?: unknown): Promise<string> {
  const host = await start(settings, hostJson);
  onTestFinished(() => host.stop());
  return host.url;
}

/** Status, media type and code of what an address answers. */
async function outcome(url: string, method = 'GET') {
  const reply = await fetch(url, { method });
  const text = await reply.text();
  const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined;
  return [reply.status, reply.headers.get('content-type')?.split(';', 1)[0], code];
}

const problem = 'application/problem+json';
const nothing = [404, problem, 'no-such-path'];
const mismatch = [404, problem, 'base-url-mismatch'];
const calendarNothing = [404, 'application/json', 'rest_no_route'];

/** Expects the calendar at a path below a base path. */
async function expectCalendar(url: string, basePath: string, calendar: string): Promise<void> {
  const root = `${calendar && '/'}${calendar}`;
  const doc = (await (await fetch(`${url}${basePath}${root}/doc`)).json()) as { servers: unknown };
  const index = (await (await fetch(`${url}${basePath}${root}`)).json()) as { routes: object };
  expect(doc.servers).toEqual([{ url: `${url}${basePath}${root}` }]);
  expect(Object.keys(index.routes).slice(0, 2)).toEqual([`/${calendar}`, `${root}/doc`]);
}

// The settings may be written without their first slash and with a last one: test/unit/shared/config.test.ts has more ways.
describe.each([
  ['/svc/v1', '/svc/v1', '/api', '/events/v2/', 'events/v2'],
  ['/', '', '/api', 'tribe/events/v1', 'tribe/events/v1'],
])('under the base path %s', (setting, basePath, otherBasePath, calendarSetting, calendar) => {
  let host: FunctionsHost;
  beforeAll(async () => {
    host = await start({ SERVICE_API_BASE_URL: setting, CALENDAR_BASE_PATH: calendarSetting });
  });
  afterAll(() => host.stop());
  const at = (path: string) => `${host.url}${path}`;

  test('every path of the document is there', async () => {
    const reply = await fetch(at(`${basePath}/openapi.json`));
    const { servers, paths } = (await reply.json()) as { servers: unknown; paths: Record<string, object> };
    expect(servers).toEqual([{ url: at(basePath) }]);
    const missing: string[] = [];
    for (const path of Object.keys(paths)) {
      const { status } = await fetch(at(basePath + path.replaceAll(/\{\w+\}/g, '1')), { method: 'OPTIONS' });
      if (status === 404) missing.push(path);
    }
    expect([missing, Object.keys(paths).length > 40]).toEqual([[], true]);
  });

  test('links of the calendar name the root by which the request came', () =>
    expectCalendar(host.url, basePath, calendar));

  test('the explorer finds its documents and its files', async () => {
    const page = await (await fetch(at(`${basePath}/swagger`))).text();
    const files = [...page.matchAll(/(?:src|href)="([^"]+\?v=[^"]+)"/g)].map(([, file = '']) => file);
    const documents = [...page.matchAll(/&quot;url&quot;:&quot;([^&]+)&quot;/g)].map(([, url = '']) => url);
    expect([files.length, documents.length]).toEqual([5, 4]);
    for (const file of [...files, ...documents])
      expect([file, (await fetch(new URL(file, at(`${basePath}/swagger`)))).status]).toEqual([file, 200]);
  });

  test.each(['GET', 'PUT', 'OPTIONS'])(
    '%s of a path that is none is answered in the shape of its API',
    async (method) => {
      const paths = ['/nope', '/v7', '/v7/nope', '/v7//diaries', '/V8.0/nope/x/y'];
      for (const path of paths)
        expect([path, await outcome(at(basePath + path), method)]).toEqual([path, nothing]);
      for (const path of [`/${calendar}/nope`, `/${calendar}//events`, `/${calendar.toUpperCase()}/nope`])
        expect([path, await outcome(at(basePath + path), method)]).toEqual([path, calendarNothing]);
    },
  );

  test('a path that another base path would lead to says where the service is', async () => {
    const ends = ['/health', '/V7/diaries', '/v8.0/nope', `/${calendar}/events/1`, '/swagger'];
    for (const path of ends) {
      for (const other of [otherBasePath, `${basePath}/x/y`, `${basePath}${otherBasePath}`])
        expect([path, await outcome(at(other + path))]).toEqual([path, mismatch]);
    }
    const reply = await fetch(at(`${otherBasePath}/v7/diaries`), { method: 'POST', body: '{}' });
    expect(await reply.json()).toMatchObject({
      status: 404,
      detail: `Cannot answer: this path has another base path; the service is hosted under ${setting}.`,
    });
  });

  // Under no base path, everything is inside.
  if (basePath !== '')
    test('outside of the base path a problem says where the service is', async () => {
      const reply = await fetch(at('/nope'), { headers: { 'X-Request-Id': 'test-1' } });
      expect(await reply.json()).toEqual({
        type: 'urn:problem:no-such-path',
        title: 'Not Found',
        status: 404,
        detail: `Cannot answer: no endpoint is at this path; the service is hosted under ${setting}.`,
        instance: 'urn:request:test-1',
        code: 'no-such-path',
      });
    });

  test('the base path in other letters is no other one', async () => {
    for (const path of ['/x//v8.0/diaries', '//v8.0/diaries', '//V7/diaries'])
      expect([path, await outcome(at(basePath.toUpperCase() + path))]).toEqual([
        path,
        await outcome(at(basePath + path)),
      ]);
  });

  test('everything else is answered by us, with a body', async () => {
    for (const path of ['/favicon.ico', '/humans.txt', '/a/b/c/', '/a//b', '/%C3%A5', '/.env'])
      expect([path, await outcome(at(path))]).toEqual([path, nothing]);
    expect(await outcome(at('/robots.txt'))).toEqual([200, 'text/plain', undefined]);
    for (const path of ['/', '/?x=y', `${basePath}/`])
      expect([path, await outcome(at(path))]).toEqual([path, [200, 'text/html', undefined]]);
    expect(await outcome(at('/'), 'DELETE')).toEqual([405, problem, 'method-not-allowed']);
    expect(await outcome(at('/admin/nope'))).toEqual(nothing);
    expect(await outcome(at('/admin/host/status'))).toEqual([401, undefined, undefined]);
  });
});

test('a SERVICE_API_BASE_URL that is unusable is named wherever one asks', async () => {
  const url = await startForTest({ SERVICE_API_BASE_URL: '/{id}' });
  for (const path of ['/', '/api/health', '/api/v7/diaries', '/api/tribe/events/v1']) {
    const reply = await fetch(`${url}${path}`);
    expect([path, reply.status, await reply.text()]).toEqual([
      path,
      path === '/api/health' ? 503 : 500,
      expect.stringContaining('The setting SERVICE_API_BASE_URL is not usable'),
    ]);
  }
});

describe('a calendar', () => {
  test.each([
    ['api/', '/api'],
    ['/', ''],
  ])('under %s itself leaves the service its paths', async (base, basePath) => {
    const url = await startForTest({ SERVICE_API_BASE_URL: base, CALENDAR_BASE_PATH: '/' });
    await expectCalendar(url, basePath, '');
    expect((await fetch(`${url}${basePath}/openapi.json`)).status).toBe(200);
  });

  test('at a path that is taken leaves the path to the service, and has none at the site where CALENDAR_SITE_ROOTS is none', async () => {
    const url = await startForTest({ CALENDAR_BASE_PATH: 'openapi.json', CALENDAR_SITE_ROOTS: 'none' });
    expect(await outcome(`${url}/wp-json/tribe/events/v1/events`)).toEqual(nothing);
    expect(await (await fetch(`${url}/api/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' });
    expect((await fetch(`${url}/api/openapi.json/doc`)).status).toBe(200);
  });
});

describe('a route prefix of the host', () => {
  // test/unit/shared/http/base-path.test.ts has those of app settings.
  test.each([
    [{ http: {} }, '/api'],
    [{ http: { routePrefix: 'x' } }, '/x'],
  ])('by host.json (%j) is noticed and named', async (extensions, prefix) => {
    const url = await startForTest({}, { extensions });
    for (const path of ['', '/nope', '/api/health', '/api/v7/diaries'])
      expect(await (await fetch(url + prefix + path)).json()).toMatchObject({
        status: 404,
        code: 'base-url-mismatch',
        hint: 'Set routePrefix in host.json to "".',
      });
  });

  test('that an app setting, in whatever letters, overrides with none is none', async () => {
    const override = 'azurefunctionsjobhost__Extensions__HTTP__routeprefix';
    const url = await startForTest({ [override]: '' }, { extensions: { http: { routePrefix: 'x' } } });
    expect((await fetch(`${url}/api/openapi.json`)).status).toBe(200);
  });
});

test('host.json has no route prefix, so that the base path is one setting', () => {
  const host = JSON.parse(readFileSync(join(root, 'host.json'), 'utf8')) as {
    extensions: { http: { routePrefix: string } };
  };
  expect(host.extensions.http.routePrefix).toBe('');
});
