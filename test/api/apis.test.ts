/** APIS: an app that serves one of the two APIs has nothing of the other, and says so at its paths. */

import { join } from 'node:path';
import { startFunctionsHost } from '@records-and-calendar/functions-host';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fixedSettings, tenantId } from '../../local/index.ts';

/** Starts the built app without what it depends on, and with none of the settings of the API that it does not serve. */
async function start(settings: Readonly<Record<string, string>>): Promise<string> {
  const { CALENDAR_SITE_URL: _url, SERVICE_API_USERNAME: _name, ...common } = fixedSettings;
  const host = await startFunctionsHost({
    app: join(import.meta.dirname, '..', '..'),
    port: 0,
    settings: { ...common, AppRegistration__Authority: `http://127.0.0.1:1/${tenantId}`, ...settings },
  });
  onTestFinished(() => host.stop());
  return host.url;
}

async function problemAt(url: string, method = 'GET') {
  const reply = await fetch(url, { method, headers: { authorization: 'Bearer nonsense' } });
  const { code, detail } = (await reply.json()) as { code?: string; detail?: string };
  return [reply.status, code, detail];
}

const notServed = (name: string) => [
  404,
  'api-not-served',
  `Cannot answer: the ${name} API is not served here.`,
];

describe.each([
  {
    apis: 'records',
    other: 'calendar',
    settings: { SERVICE_API_USERNAME: 'records-service', DB_SERVER: '127.0.0.1,1' },
    ownPaths: ['/api/v7/authorized', '/api/v8.0/diaries/1/custom-data'],
    paths: [
      '/api/tribe/events/v1',
      '/api/tribe/events/v1/events',
      '/wp-json',
      '/wp-json/tribe/events/v1/events/1',
      '/events/?ical=1',
      '/?rest_route=/tribe/events/v1/events',
    ],
    document: '/api/swagger/records.json',
    missing: '/api/swagger/calendar.json',
    dependencies: ['database', 'identity-provider'],
  },
  {
    apis: 'calendar',
    other: 'records',
    settings: { CALENDAR_SITE_URL: 'https://calendar.example.org' },
    ownPaths: ['/api/tribe/events/v1/events', '/wp-json/tribe/events/v1/venues'],
    paths: [
      '/api/v7',
      '/api/v8.0/authorized',
      '/api/v8.0/documents/1/custom-data',
      '/api/v7/reference-data/custom',
    ],
    document: '/api/swagger/calendar.json',
    missing: '/api/swagger/records.json',
    dependencies: ['calendar', 'identity-provider'],
  },
])('with APIS=$apis', ({ apis, other, settings, ownPaths, paths, document, missing, dependencies }) => {
  test(`the ${apis} API alone is there`, async () => {
    const url = await start({ APIS: apis, ...settings });
    for (const path of paths)
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect([path, await problemAt(url + path, method)]).toEqual([path, notServed(other)]);
    for (const path of ownPaths) {
      const { status } = await fetch(url + path, { method: 'OPTIONS' });
      expect([path, status < 300]).toEqual([path, true]);
    }

    const health = (await (await fetch(`${url}/api/health`)).json()) as { dependencies: object };
    expect(Object.keys(health.dependencies).sort()).toEqual(dependencies);

    const all = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: object };
    const isOfCalendar = Object.keys(all.paths).filter((path) => path.startsWith('/tribe/'));
    const isOfRecords = Object.keys(all.paths).filter((path) => path.startsWith('/v8.0/'));
    expect([isOfRecords.length > 0, isOfCalendar.length > 0]).toEqual([
      apis === 'records',
      apis === 'calendar',
    ]);
    expect((await fetch(url + document)).status).toBe(200);
    expect(await problemAt(url + missing)).toEqual([404, 'no-such-path', expect.any(String)]);
    expect((await fetch(`${url}/api/swagger`)).status).toBe(200);
  });
});

test('an APIS that is unusable is named wherever one asks', async () => {
  const url = await start({ APIS: 'records,mail' });
  for (const path of ['/api/health', '/api/v7/diaries/1', '/api/tribe/events/v1/events', '/'])
    expect([path, await (await fetch(url + path)).text()]).toEqual([
      path,
      expect.stringContaining(
        'The setting APIS is not usable: it must be one or more of records, calendar, separated by commas.',
      ),
    ]);
});

test('what has an unusable setting of its own leaves the rest as it is: pages are there as they are by default, and the calendar names it', async () => {
  const url = await start({ PAGES: 'perhaps', CALENDAR_BASE_PATH: 'a/{b}' });
  const paths = ['/', '/calendar', '/api/swagger', '/api/openapi.json'];
  const replies = await Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
  expect(replies).toEqual([200, 500, 200, 200]);
  const reply = await fetch(`${url}/api/tribe/events/v1/events`);
  expect(await reply.json()).toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('CALENDAR_BASE_PATH'),
  });
});
