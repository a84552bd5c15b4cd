/** An import over HTTP whose process is killed, again and again, and then run to its end: nothing twice, nothing lost, nothing left in clear. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';
import { settingsOfOwnTable } from '../support/shared-emulators.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, oldUser, startOldSite } from './support/old-site.ts';

const app = useCalendarApp();
const main = join(import.meta.dirname, '../../scripts/calendar/main.ts');
const settings = { ...settingsOfOwnTable(), CALENDAR_NAME: 'killed', CALENDAR_SITE_URL: '' };
const state = mkdtempSync(join(tmpdir(), 'killed-'));
const uploads = '/wp-content/uploads/2026/03';
const pictures = 12;
const secret = 'Nobody may read this draft';

let site: OldSite;
let here: string;

beforeAll(async () => {
  site = await startOldSite({ perPage: 50 });
  const put = (name: string, width: number, height: number) => {
    site.files.set(`${uploads}/${name}`, {
      bytes: png(width, height),
      changed: new Date(Date.UTC(2026, 0, 1)),
    });
    return `${site.url}${uploads}/${name}`;
  };
  site.categories.push(oldTerm(1, 'Jazz', 'jazz'));
  site.venues.push(oldContact('venue', 90, 'Hall'));
  for (let number = 1; number <= pictures; number += 1) {
    const id = 100 + number;
    const url = put(`p${number}.png`, 60 + number, 40);
    const medium = put(`p${number}-30x20.png`, 30, 20);
    const text = put(`t${number}.png`, 9 + number, 9);
    const size = { width: 30, height: 20, 'mime-type': 'image/png', filesize: 9, url: medium };
    site.events.push(
      oldEvent(number, `E${number}`, `e${number}`, {
        image: { id, url, sizes: { medium: size } },
        description: `<p>${number} <img src="${text}" alt="" /></p>`,
        categories: [...site.categories],
        venue: site.venues[0] ?? [],
      }),
    );
    const details = { width: 60 + number, height: 40, sizes: { medium: { ...size, source_url: medium } } };
    const facts = { author: 3, date_gmt: '2024-05-01T10:00:00', modified_gmt: '2024-05-02T10:00:00' };
    site.media.push({ id, source_url: url, alt_text: `alt ${number}`, media_details: details, ...facts });
  }
  site.events.push(oldEvent(50, 'Draft', 'draft', { status: 'draft', description: `<p>${secret}</p>` }));
  here = new URL((await app.another(settings)).calendar).origin;
});
afterAll(() => site.stop());

/** Runs the import, and kills it at a request to the site, or at a line of its output. */
async function run(isTime: (event: { request?: string; output?: string }) => boolean = () => false) {
  const words = ['import', site.url, '--pictures', '--user', oldUser.user, '--password', oldUser.password];
  const env = { ...process.env, ...settings, LOCAL_STATE: state, NO_COLOR: '1' };
  const child = spawn(process.execPath, [main, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const check = (event: { request?: string; output?: string }) => {
    if (isTime(event)) child.kill('SIGKILL');
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      check({ output: text });
    });
  site.interfere = (request) => {
    check({ request });
    return false;
  };
  const [status, signal] = await once(child, 'close');
  site.interfere = undefined;
  return { status, signal, output };
}

/** Returns whether the file of a number of requests is asked for. */
function atFile(count: number) {
  let asked = 0;
  return ({ request = '' }) => {
    if (request.includes(uploads)) asked += 1;
    return request.includes(uploads) && asked === count;
  };
}

/** Asks as anybody, or with a token, without following. */
async function get(path: string, token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const reply = await fetch(path.startsWith('http') ? path : here + path, { redirect: 'manual', headers });
  return {
    status: reply.status,
    location: reply.headers.get('location'),
    bytes: Buffer.from(await reply.arrayBuffer()),
  };
}

const jsonAt = async (path: string, token?: string) => JSON.parse((await get(path, token)).bytes.toString());

test('an import that is killed at any point and run again has all, once', async () => {
  const points = [
    ({ request = '' }) => request.includes('/venues'),
    ({ output = '' }) => output.includes(' new, '),
    ({ output = '' }) => output.includes('written: '),
    atFile(1),
    atFile(4),
    atFile(7),
    ({ request = '' }) => request.includes('/wp/v2/media'),
    atFile(2 * pictures + 5),
  ];
  for (const point of points) {
    expect((await run(point)).signal).toBe('SIGKILL');
    const left = readdirSync(join(state, 'import')).filter((name) => name.endsWith('.records'));
    expect(left).toEqual([]);
  }
  const { status, output } = await run();
  expect([status, output]).toEqual([0, expect.stringMatching(/pictures: \d+ copied, 0 not/)]);
  for (const name of readdirSync(join(state, 'import')))
    expect(readFileSync(join(state, 'import', name), 'utf8')).not.toContain(secret);

  const list = await jsonAt('/wp-json/tribe/events/v1/events?start_date=2020-01-01&per_page=50');
  expect(list.events.map(({ id }: { id: number }) => id)).toEqual(
    site.events.filter(({ status }) => status === 'publish').map(({ id }) => id),
  );
  const media = await jsonAt('/wp-json/wp/v2/media?per_page=100&orderby=id&order=asc', app.token('editor'));
  expect(
    media.slice(0, pictures).map(({ id, alt_text }: { id: number; alt_text: string }) => [id, alt_text]),
  ).toEqual(site.media.map(({ id, alt_text }) => [id, alt_text]));
  expect(media).toHaveLength(2 * pictures);
  // Each file at its old address has the same bytes.
  for (const [path, { bytes }] of site.files) {
    const { status, location } = await get(path);
    expect([path, status]).toEqual([path, 301]);
    const copy = await get(location ?? '');
    expect([path, copy.status, copy.bytes.equals(bytes)]).toEqual([path, 200, true]);
  }
  for (const event of list.events) {
    expect(JSON.stringify(event)).not.toContain('wp-content');
    const [, src = ''] = /src="([^"]+)"/.exec(event.description) ?? [];
    const text = site.files.get(`${uploads}/t${event.id}.png`)?.bytes;
    expect((await get(src)).bytes.equals(text ?? Buffer.alloc(0))).toBe(true);
  }
  const again = await run();
  expect([again.status, again.output]).toEqual([0, expect.stringContaining('import: 0 new, 0 changed')]);
  expect(again.output).toContain('pictures: 0 copied, 0 not');
});
