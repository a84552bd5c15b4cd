/** `npm start` in a child process. */

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressIn, ended, endedWhole, useStarts } from '../../../support/npm-start.ts';

const runs = useStarts();

test('it takes over the state of a killed start, loads the sample calendar under the base path, serves like Flex Consumption, rejects a second start, and stops cleanly on Ctrl-C', async () => {
  // Another process has the number of the killed process.
  writeFileSync(join(runs.folder, 'running.pid'), String(process.pid));
  const { child, output } = await runs.start({
    environment: {
      SAMPLE_DATA: 'on',
      SERVICE_API_BASE_URL: '/svc/v1',
      CALENDAR_BASE_PATH: 'my/calendar',
      WEBSITE_CORS_ALLOWED_ORIGINS: '["https://a.example"]',
    },
    parameters: ['--flex', '--inspect=0'],
  });
  const list = /curl "(\S+per_page=3)"/.exec(output())?.[1] ?? output();
  expect(new URL(list).pathname).toBe('/svc/v1/my/calendar/events');
  const { total } = (await (await fetch(list)).json()) as { total: number };
  expect(total).toBeGreaterThan(0);

  const url = addressIn(output()) ?? '';
  const preflight = (origin: string) =>
    fetch(`${url}/health`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    });
  const allowed = async (origin: string) =>
    (await preflight(origin)).headers.get('access-control-allow-origin');
  expect(await allowed('https://a.example')).toBe('https://a.example');
  expect(await allowed('https://b.example')).toBeNull();
  const document = await fetch(`${url}/openapi.json`, { headers: { 'X-Forwarded-Proto': 'https' } });
  expect(await document.json()).toMatchObject({ servers: [{ url: url.replace('http:', 'https:') }] });

  expect((await fetch(`${url}/health`)).status).toBe(200);
  const [, debuggerHost = ''] = /ws:\/\/(127\.0\.0\.1:\d+)/.exec(output()) ?? [];
  expect((await fetch(`http://${debuggerHost}/json/list`)).status).toBe(200);

  const second = await runs.start();
  expect(second.output()).toBe(
    `npm start runs already: process ${child.pid} has the state in ${runs.folder}.\n` +
      'Stop that one, or start another one beside it: PORT=0 LOCAL_STATE=memory npm start\n',
  );
  expect(await ended(second.child, 'SIGTERM')).toBe(1);

  expect(await ended(child, 'SIGINT')).toBe(0);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

test('it prints the remedy when its port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { child, output } = await runs.start({ environment: { PORT: String(port) } });
  other.close();
  expect({ code: child.exitCode, said: output().trim() }).toEqual({
    code: 1,
    said: `Port ${port} is in use. Choose another one: PORT=0 npm start takes any that is free.`,
  });
});

test('a second start creates nothing anew, and a damaged file of the state is named with what to do', async () => {
  const environment = { SAMPLE_DATA: 'on' };
  const first = await runs.start({ environment });
  expect(first.output()).toContain('Creating the databases with their sample data');
  expect(await ended(first.child, 'SIGINT')).toBe(0);
  const second = await runs.start({ environment });
  expect(second.output()).toContain('Looking for what the databases lack');
  expect(second.output()).not.toMatch(/Creating the databases|Loading the sample calendar/);
  expect(await ended(second.child, 'SIGINT')).toBe(0);
  for (const file of [
    'sql-server/customization.sqlite',
    'tables/tables.json',
    'identity-key.pem',
    'lock.sqlite',
  ]) {
    const path = join(runs.folder, file);
    const before = readFileSync(path);
    writeFileSync(path, 'damaged, and long enough to be taken for what it is not'.repeat(20));
    const { child, output } = await runs.start({ environment });
    expect({ code: await ended(child, 'SIGTERM'), said: output() }).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^Cannot use the state of the last start: .* is damaged \(.*\)\.\nPut it back .* or delete that folder/,
      ),
    });
    expect(output()).toContain(path);
    writeFileSync(path, before);
  }
});

const npm = process.env['npm_execpath'];

test.runIf(npm !== undefined && process.platform !== 'win32')(
  'a SIGTERM to npm itself ends all that it has started',
  async () => {
    const { child, output } = await runs.start({ script: npm ?? '', parameters: ['start'] });
    const url = addressIn(output()) ?? output();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await endedWhole(child, 'SIGTERM');
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  },
);

test('settings that are wrong are named before anything starts, a line each', async () => {
  const { child, output } = await runs.start({
    environment: { DB_POOL_MAX: 'many', CALENDAR_TIME_ZONE: 'Mars/Olympus', SITE_COLOR: 'red-ish' },
  });
  expect(await ended(child, 'SIGTERM')).toBe(1);
  const lines = output().trim().split('\n');
  expect(lines.map((line) => /[A-Z]+_[A-Z_]+/.exec(line)?.[0]).toSorted()).toEqual([
    'CALENDAR_TIME_ZONE',
    'DB_POOL_MAX',
    'SITE_COLOR',
  ]);
});

test('npm run sql beside a start that is not there yet says so', async () => {
  const { child } = await runs.start({ until: 'Starting the emulators' });
  const beside = await runs.start({ script: 'scripts/sql.ts', parameters: ['--database', 'main'] });
  expect({ code: await ended(beside.child, 'SIGTERM'), said: beside.output() }).toEqual({
    code: 1,
    said: 'npm start is still starting. Run this again when it says that the app answers.\n',
  });
  await endedWhole(child, 'SIGTERM');
});
