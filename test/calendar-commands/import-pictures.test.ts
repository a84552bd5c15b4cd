/** `npm run calendar -- import --pictures`: the pictures of a site are copied, so that it can be switched off. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { defaultLimits, type Limits } from '../../scripts/calendar/import/limits.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { jpeg, png } from '../support/pictures.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';
import { type OldSite, oldContact, oldEvent, startOldSite } from './support/old-site.ts';

const sites: OldSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.stop()));
});

type Files = Record<string, Buffer | number | string | (() => Buffer | number)>;

/** Starts a site whose files are pictures, statuses, addresses to which they lead, or one of these at each request. */
async function siteWithFiles(files: Files) {
  const site = await startOldSite();
  sites.push(site);
  site.interfere = (path, response) => {
    const named = files[path];
    const file = typeof named === 'function' ? named() : named;
    if (file === undefined) return false;
    if (typeof file === 'number') response.writeHead(file).end();
    else if (typeof file === 'string') response.writeHead(302, { Location: file }).end();
    else response.writeHead(200, { 'Content-Type': 'image/png' }).end(file);
    return true;
  };
  return site;
}

async function newTarget(blobs = localBlobs()) {
  const settings = newCalendar(connectionStringOfTables());
  const config = readConfig({
    CALENDAR_SITE_URL: 'https://new.example.org',
    CALENDAR_TIME_ZONE: 'Asia/Kolkata',
    CALENDAR_BLOB_CONNECTION_STRING: blobs,
    CALENDAR_BLOB_CONTAINER: `pictures-${randomUUID().slice(0, 8)}`,
  });
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  const open = () => openTarget(config, settings);
  return {
    open,
    async import(site: OldSite, limits: Partial<Limits> = {}, options: object = {}, address = site.url) {
      const output: string[] = [];
      const outcome = await importCommand(address, await open(), {
        isDryRun: false,
        say: (line: string) => output.push(line),
        folder,
        copiesPictures: true,
        limits: { ...defaultLimits, ...limits },
        ...options,
      });
      return { outcome, output: output.join('\n') };
    },
    async event(id: number) {
      const target = await open();
      await target.records();
      const view = target.view('event', id) as Record<string, never> | undefined;
      target.close();
      return view;
    },
    /** Returns the images as they are stored. */
    async images() {
      const target = await open();
      const images = (await target.records()).filter((record) => record.kind === 'image');
      target.close();
      return images;
    },
    async blobs() {
      const target = await open();
      const names: string[] = [];
      for await (const { name } of target.pictures.list()) names.push(name);
      target.close();
      return names;
    },
  };
}

/** Returns a pattern of the address of a copied picture. */
const copyOf = (id: number | string, file: string) =>
  `https://new.example.org/wp-json/tribe/events/v1/pictures/${id}/[0-9a-f]{16}/${file}`;
const isCopyOf = (id: number, file: string) => expect.stringMatching(`^${copyOf(id, file)}$`);

test('copies pictures, their sizes and those of descriptions, and rewrites their addresses', async () => {
  const site = await siteWithFiles({
    '/wp-content/uploads/2025/hall.png': png(600, 400),
    '/wp-content/uploads/2025/hall-300x200.png': png(300, 200),
    '/wp-content/uploads/in-text.JPG': jpeg(80, 60),
    '/wp-content/uploads/a&b.png': png(8, 6),
  });
  const hall = `${site.url}/wp-content/uploads/2025/hall`;
  const text = `${site.url}/wp-content/uploads/in-text.JPG`;
  const encoded = `${site.url}/wp-content/uploads/a&amp;b.png`;
  const size = { width: 300, height: 200, 'mime-type': 'image/png', filesize: 9, url: `${hall}-300x200.png` };
  const gone = { ...size, url: `${hall}-900x600.png` };
  const image = { id: 77, url: `${hall}.png`, width: 600, height: 400, sizes: { medium: size, gone } };
  site.events.push(
    oldEvent(1, 'One', 'one', {
      image,
      description: `<p><a href="${hall}.png"><img src="${text}?w=3" alt="A" /></a> and https://example.org/x.png</p>`,
    }),
    oldEvent(2, 'Two', 'two', { image, excerpt: `<p><img src="${encoded}" alt="" /></p>` }),
    oldEvent(3, 'Three', 'three', { image: { id: 78, url: encoded.replace('&amp;', '&') } }),
  );
  const calendar = await newTarget();
  await calendar.import(site, {}, { copiesPictures: false });
  await calendar.import(site, {}, { isDryRun: true });
  expect(site.requests.filter((path) => path.includes('wp-content'))).toEqual([]);
  const { outcome, output } = await calendar.import(site);
  expect([outcome, output]).toEqual(['done', expect.stringContaining('pictures: 3 copied, 0 not')]);
  const event = await calendar.event(1);
  expect(event?.['image']).toMatchObject({
    id: 77,
    url: isCopyOf(77, 'hall.png'),
    width: 600,
    height: 400,
    filesize: png(600, 400).length,
    sizes: {
      medium: {
        width: 300,
        height: 200,
        'mime-type': 'image/png',
        filesize: png(300, 200).length,
        url: isCopyOf(77, 'hall-300x200.png'),
      },
    },
  });
  expect(Object.keys(event?.['image']?.['sizes'] ?? {})).toEqual(['medium']);
  expect(event?.['description']).toMatch(
    new RegExp(
      `<a href="${copyOf(77, 'hall.png')}"><img src="${copyOf('\\d+', 'in-text.jpg')}\\?w=3" alt="A" ?/?></a> and https://example.org/x.png`,
    ),
  );
  expect(JSON.stringify([event, await calendar.event(2)])).not.toContain(`${site.url}/wp-content`);
  expect(await calendar.blobs()).toHaveLength(4);

  // Again: nothing is fetched, and nothing is written.
  const requests = site.requests.length;
  const again = await calendar.import(site);
  expect(again.output).toContain('import: 0 new, 0 changed');
  expect(again.output).toContain('pictures: 0 copied, 0 not');
  expect(again.output).not.toMatch(/event\.(?:image|description|excerpt)/);
  expect(site.requests.slice(requests).filter((path) => path.includes('wp-content'))).toEqual([]);
});

test('copies only from the site itself, lists what it could not copy, and resumes', async () => {
  const other = await siteWithFiles({ '/secret.png': png() });
  const files: Files = {
    '/a.png': png(5, 5),
    '/gone.png': 404,
    '/page.png': Buffer.from('<html>'),
    '/large.png': Buffer.concat([png(), Buffer.alloc(100_000)]),
    '/away.png': `${other.url}/secret.png`,
    '/moved.png': '/a.png',
    '/circle.png': '/circle.png',
  };
  const site = await siteWithFiles(files);
  const names = [...Object.keys(files), `${other.url}/secret.png`];
  const urls = names.map((name) => (name.startsWith('/') ? site.url + name : name));
  site.events.push(
    ...urls.map((url, index) =>
      oldEvent(index + 1, `E${index}`, `e${index}`, { image: { id: 50 + index, url } }),
    ),
  );
  const calendar = await newTarget();
  const { outcome, output } = await calendar.import(site, { pictureBytes: 50_000 });
  expect(outcome).toBe('partlyDone');
  expect(output).toContain('pictures: 2 copied, 5 not');
  for (const reason of [
    `${site.url}/gone.png: the site answers 404`,
    `${site.url}/page.png: Cannot store the picture: it is no JPEG`,
    `${site.url}/large.png: Cannot store the picture: it is larger than 50000 bytes`,
    `${site.url}/away.png: it leads to another site: ${other.url}/secret.png`,
    `${site.url}/circle.png: it leads from one address to the next`,
  ])
    expect(output).toContain(reason);
  expect(other.requests).toEqual([]);
  expect((await calendar.event(8))?.['image']).toMatchObject({ url: `${other.url}/secret.png` });
  expect(await calendar.blobs()).toHaveLength(2);

  files['/gone.png'] = png(6, 6);
  expect((await calendar.import(site, { pictureBytes: 50_000 })).output).toContain(
    'pictures: 1 copied, 4 not',
  );
  expect((await calendar.event(2))?.['image']).toMatchObject({ url: isCopyOf(51, 'gone.png'), width: 6 });
});

test('asks a busy site again, three times at most, with a longer pause each time', async () => {
  let slow = 0;
  let cut = 0;
  const site = await siteWithFiles({
    '/slow.png': () => [503, 429][slow++] ?? png(),
    '/busy.png': 500,
    '/refused.png': 403,
  });
  const { interfere } = site;
  site.interfere = (path, response) => {
    if (path !== '/cut.png' || cut++ > 0) return interfere?.(path, response) ?? false;
    response.destroy();
    return true;
  };
  const names = ['slow', 'busy', 'refused', 'cut'];
  site.events.push(
    ...names.map((name, index) =>
      oldEvent(index + 1, name, name, { image: { id: 50 + index, url: `${site.url}/${name}.png` } }),
    ),
  );
  const waits: number[] = [];
  const wait = async (milliseconds: number) => void waits.push(milliseconds);
  const { output } = await (await newTarget()).import(site, {}, { wait });
  expect(output).toContain(`${site.url}/busy.png: the site answers 500`);
  expect(names.map((name) => site.requests.filter((path) => path === `/${name}.png`).length)).toEqual([
    3, 3, 1, 2,
  ]);
  expect(waits).toEqual([1_000, 2_000, 1_000, 2_000, 1_000]);
});

test('knows its own pictures with http, https and www, and copies each of them once, with the time', async () => {
  const site = await siteWithFiles({ '/a.png': png(), '/wp-content/b.png': png(3, 2) });
  const host = `localhost:${new URL(site.url).port}`;
  const otherUrls = [`http://not${host}/a.png`, `http://localhost:1/a.png`, `https://${host}.org/a.png`];
  const ownUrls = [
    `https://www.${host}/wp-content/b.png`,
    `https://${host}/wp-content/b.png`,
    `http://${host}/wp-content/b.png`,
  ];
  site.events.push(
    oldEvent(1, 'One', 'one', {
      image: { id: 77, url: `http://${host}/a.png` },
      description: [`https://www.${host}/a.png`, ...otherUrls, ...ownUrls]
        .map((url) => `<p><img src="${url}" alt="" /></p>`)
        .join(''),
    }),
    oldEvent(2, 'Two', 'two', { image: { id: 78, url: otherUrls[0] } }),
  );
  const calendar = await newTarget();
  const before = Math.floor(Date.now() / 1_000);
  const { output } = await calendar.import(site, {}, { source: `https://www.${host}` }, `http://${host}`);
  expect(output).toContain('pictures: 2 copied, 0 not');
  const { image, description } = (await calendar.event(1)) ?? {};
  expect(String(description).match(/(?<=src=")[^"]+/g)).toEqual([
    String(image?.['url']),
    ...otherUrls,
    ...ownUrls.map(() => expect.stringMatching(`^${copyOf('\\d+', 'b\\.png')}$`)),
  ]);
  for (const { stored } of (await calendar.images()).filter(({ id }) => id !== 78)) {
    const { date = '', date_utc = '', modified, modified_utc, title } = stored ?? {};
    expect(title).toMatch(/^[ab]$/);
    expect([modified, modified_utc]).toEqual([date, date_utc]);
    const seconds = Date.parse(`${date_utc}Z`) / 1_000;
    expect(Date.parse(`${date}Z`) / 1_000 - seconds).toBe(5.5 * 3_600);
    expect(seconds).toBeGreaterThanOrEqual(before);
  }
});

test('writes nothing where pictures cannot be stored', async () => {
  const site = await siteWithFiles({});
  site.events.push(oldEvent(1, 'One', 'one'));
  const calendar = await newTarget('');
  await expect(calendar.import(site)).rejects.toThrow('CALENDAR_BLOB_ENDPOINT');
  expect(await calendar.event(1)).toBeUndefined();
});

test('takes no number that the site gives next, to a record or to a user', async () => {
  const site = await siteWithFiles({ '/text.png': png(8, 6), '/more.png': png(3, 2) });
  const text = (name: string) => `<p><img src="${site.url}/${name}.png" alt="" /></p>`;
  site.events.push(oldEvent(1, 'One', 'one', { description: text('text') }));
  const calendar = await newTarget();
  await calendar.import(site);
  // The next records and the next user of the site have the next numbers.
  site.events.push(oldEvent(2, 'Two', 'two', { author: '4', description: text('more') }));
  site.venues.push(oldContact('venue', 3, 'Hall', { author: '5' }));
  const { outcome, output } = await calendar.import(site);
  expect([outcome, output]).toEqual(['done', expect.stringContaining('import: 4 new, 0 changed')]);
  expect(await calendar.event(2)).toMatchObject({ title: 'Two', author: '4' });
  expect((await calendar.images()).map(({ id }) => id)).toEqual([2_000_000_000, 2_000_000_001]);
});

test('moves what an earlier version has put under the next numbers of the site out of the way', async () => {
  const site = await siteWithFiles({ '/text.png': png(8, 6) });
  const description = `<p><img src="${site.url}/text.png" alt="" /></p>`;
  site.events.push(oldEvent(1, 'One', 'one', { description }));
  const calendar = await newTarget();
  await calendar.import(site);
  // As the earlier version did: the copy is image 2, and the import is author 4.
  const target = await calendar.open();
  await target.records();
  const [image] = [...target.replica.images()];
  const author = target.replica.author(2_000_000_000);
  const event = target.replica.posts.event.get(1)?.record;
  if (image?.stored === undefined || author === undefined || event === undefined) throw new TypeError();
  const old = { ...image, id: 2, stored: { ...image.stored, author: 4 } };
  const text = String(event.description).replace(`/${image.id}/`, '/2/');
  await target.store(() => [{ ...author, id: 4 }, old, { ...event, description: text }]);
  for (const record of [image, author]) await target.remove(record);
  target.close();
  site.events.push(oldEvent(2, 'Two', 'two', { author: '4' }));
  const dryRun = await calendar.import(site, {}, { isDryRun: true });
  expect(dryRun.output).toContain('image/2 was made by an earlier import');
  const { outcome, output } = await calendar.import(site);
  expect(outcome).toBe('done');
  expect(output).toContain('moved to image/2000000000');
  expect(output).toContain('moved to author/2000000000');
  expect(output).toContain('pictures: 0 copied, 0 not');
  expect(await calendar.event(1)).toMatchObject({
    description: expect.stringMatching(copyOf(2_000_000_000, 'text.png')),
  });
  expect(await calendar.event(2)).toMatchObject({ title: 'Two', author: '4' });
  expect((await calendar.images()).map(({ id, stored }) => [id, stored?.author])).toEqual([
    [2_000_000_000, 2_000_000_000],
  ]);
});
