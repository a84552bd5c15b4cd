/** The app without functions/wordpress/: one line of functions/index.ts turns it off, and nothing else needs it. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionsHost, startFunctionsHost } from '@records-and-calendar/functions-host';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildInto } from '../../scripts/build.ts';
import { useApp } from '../support/app.ts';
import { png } from '../support/pictures.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'without-wordpress-'));
const app = useApp();
let host: FunctionsHost;

beforeAll(async () => {
  const line = /^const wordpress = wordpressApis\(.*$/m;
  await buildInto(join(folder, 'dist'), [
    {
      name: 'without-wordpress',
      setup({ onLoad }) {
        onLoad({ filter: /functions[\\/]index\.ts$/ }, ({ path }) => {
          const source = readFileSync(path, 'utf8');
          expect(source.match(line)).not.toBeNull();
          const contents = source
            .replace(/^import .*wordpress.*$/m, '')
            .replace(line, 'const wordpress = undefined;');
          return { contents, loader: 'ts' };
        });
      },
    },
  ]);
  for (const name of ['package.json', 'host.json']) copyFileSync(join(root, name), join(folder, name));
  host = await startFunctionsHost({ app: folder, port: 0, settings: app.stack.settings });
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

test('serves the calendar, its pictures and its pages, and nothing of WordPress', async () => {
  const calendar = `${host.url}/api/tribe/events/v1`;
  const headers = { Authorization: `Bearer ${app.token('alice@example.org', ['Calendar.Editor'])}` };
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(png())]), 'a.png');
  const picture = await fetch(`${calendar}/pictures`, { method: 'POST', headers, body: form });
  const { id, url } = (await picture.json()) as { id: number; url: string };
  expect([picture.status, (await fetch(url)).status]).toEqual([201, 200]);
  const event = await fetch(`${calendar}/events`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      title: 'Alone',
      start_date: '2031-01-01 10:00',
      end_date: '2031-01-01 11:00',
      image: id,
    }),
  });
  expect(event.status).toBe(201);
  const statusOf = async (path: string) =>
    (await fetch(host.url + path, { headers: { ...headers, Accept: 'text/html' }, redirect: 'manual' }))
      .status;
  const found = [
    '/api/tribe/events/v1/events',
    '/wp-json/tribe/events/v1/events',
    '/api/tribe/events/v1/users/me',
    '/api/tribe/events/v1/events.ics',
    '/calendar',
    '/event/alone',
    '/edit',
    '/wp-json/wp/v2/media',
    '/wp-json',
    '/events/feed/',
  ];
  expect(await Promise.all(found.map(async (path) => [path, await statusOf(path)]))).toEqual([
    ['/api/tribe/events/v1/events', 200],
    ['/wp-json/tribe/events/v1/events', 200],
    ['/api/tribe/events/v1/users/me', 200],
    ['/api/tribe/events/v1/events.ics', 200],
    ['/calendar', 200],
    ['/event/alone', 200],
    ['/edit', 200],
    ['/wp-json/wp/v2/media', 404],
    ['/wp-json', 404],
    ['/events/feed/', 404],
  ]);
});
