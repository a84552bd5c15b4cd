/** Where the service stands: the route prefix of host.json, which the settings may override. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fixedSettings, tenantId } from '../../local/defaults.ts';
import { startFunctionsHost } from '../../local/functions-host/start.ts';

const root = join(import.meta.dirname, '..', '..');
const app = mkdtempSync(join(tmpdir(), 'app-'));
for (const name of ['package.json', 'dist']) cpSync(join(root, name), join(app, name), { recursive: true });
afterAll(() => rmSync(app, { recursive: true }));

/** Starts the built app with a host.json. Returns the address of the host, and what it answers to a path. */
async function startWith(hostJson: unknown, settings: Readonly<Record<string, string>>) {
  writeFileSync(join(app, 'host.json'), JSON.stringify(hostJson));
  const host = await startFunctionsHost({
    app,
    port: 0,
    settings: {
      ...fixedSettings,
      AppRegistration__Authority: `http://127.0.0.1:1/${tenantId}`,
      ...settings,
    },
  });
  onTestFinished(() => host.stop());
  const get = async (path: string) => {
    const reply = await fetch(`${host.address}${path}`);
    return { status: reply.status, json: (await reply.json()) as Record<string, unknown> };
  };
  return { address: host.address, get };
}

const overriding = 'AzureFunctionsJobHost__extensions__http__routePrefix';

test.each([
  ['nothing', {}, {}, '/api'],
  ['no prefix', { extensions: { http: {} } }, {}, '/api'],
  ['a prefix', { extensions: { http: { routePrefix: 'records' } } }, {}, '/records'],
  ['a prefix of two segments', { extensions: { http: { routePrefix: 'a/b' } } }, {}, '/a/b'],
  ['an empty prefix', { extensions: { http: { routePrefix: '' } } }, {}, ''],
  [
    'a prefix that a setting overrides',
    { extensions: { http: { routePrefix: 'records' } } },
    { [overriding]: 'other' },
    '/other',
  ],
])('host.json that says %s puts the service at its base path', async (_, hostJson, settings, basePath) => {
  const { address, get } = await startWith(hostJson, { SERVICE_API_BASE_URL: basePath || '/', ...settings });
  const { status, json } = await get(`${basePath}/openapi.json`);
  expect([status, json['servers']]).toEqual([200, [{ url: `${address}${basePath}` }]]);
});

test.each([
  ['/api', '/records', 'Set SERVICE_API_BASE_URL to /records, or change routePrefix in host.json.'],
  ['/', '/records', 'Set SERVICE_API_BASE_URL to /records, or change routePrefix in host.json.'],
  ['/api', '', 'Set SERVICE_API_BASE_URL to /, or change routePrefix in host.json.'],
])('SERVICE_API_BASE_URL=%s under %s is told what it should be', async (setting, basePath, hint) => {
  const hostJson = { extensions: { http: { routePrefix: basePath } } };
  const { get } = await startWith(hostJson, { SERVICE_API_BASE_URL: setting });
  expect(await get(`${basePath}/health`)).toMatchObject({
    status: 404,
    json: { code: 'base-url-mismatch', hint },
  });
});

test.each(['api', '/api', '/api/', 'api/'])('SERVICE_API_BASE_URL may be written %s', async (setting) => {
  const { get } = await startWith({}, { SERVICE_API_BASE_URL: setting });
  expect((await get('/api/openapi.json')).status).toBe(200);
});
