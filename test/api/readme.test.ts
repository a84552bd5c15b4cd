/** The README's example calls, as they stand there. */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';

const app = useApp({ sampleCalendar: true });

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const block = /```sh\n(TOKEN=[^`]+)```/.exec(readme)?.[1] ?? '';
const calls = block
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.startsWith('curl '));
const canRun = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

/** Runs a line in a shell; fails when the reply is an error. */
async function run(line: string): Promise<unknown> {
  const here = line
    .replace('curl ', 'curl --silent --show-error --fail ')
    .replace('http://localhost:7071/api', app.base);
  const shell = spawn('sh', ['-c', here], {
    env: { PATH: process.env['PATH'], TOKEN: app.token('alice@example.org') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(shell.stdout));
}

describe.runIf(canRun)('the example calls of the README', () => {
  test('read custom data, replace a value, find cases, and read the calendar', async () => {
    const [read = '', put = '', search = '', events = ''] = calls;
    expect(calls).toHaveLength(4);
    expect(await run(read)).toHaveProperty('invoiceHistory');
    expect(await run(put)).toEqual(['road']);
    expect(await run(search)).toMatchObject([{ id: 'case-school' }]);
    expect(await run(events)).toMatchObject({ events: { length: 3 } });
  });
});

test('the sample calendar has pictures, which pages show and everybody may read', async () => {
  const { json } = await app.call('GET', '/tribe/events/v1/events?search=Jazz&start_date=2020-01-01');
  const [event] = (json as { events: { slug: string; image: { url: string; width: number } }[] }).events;
  expect(event?.image).toMatchObject({ width: 960, url: expect.stringMatching(/\/harbour-at-dusk\.png$/) });
  const picture = await fetch(event?.image.url ?? '');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  const page = await fetch(`${new URL(app.base).origin}/event/${event?.slug}/`, {
    headers: { Accept: 'text/html' },
  });
  expect(await page.text()).toMatch(/<img src="[^"]*\/harbour-at-dusk\.png"/);
});
