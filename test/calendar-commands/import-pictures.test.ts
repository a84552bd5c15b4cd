/** `npm run calendar -- import --pictures`: the pictures of a site are copied, so that it can be switched off. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import { keyOf } from '../../functions/calendar/model/image-url.ts';
import { maxKeys, withEarlierKeys } from '../../functions/calendar/model/picture-keys.ts';
import type { ImageRecord } from '../../functions/calendar/model/records.ts';
import { siteOf } from '../../functions/calendar/model/site.ts';
import type { StoredPicture } from '../../functions/calendar/model/values.ts';
import { Calendar } from '../../functions/calendar/operations/calendar.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { defaultLimits, type Limits } from '../../scripts/calendar/import/limits.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { jpeg, png, webp } from '../support/pictures.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';
import { remove, store } from './support/as-editor.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, startOldSite } from './support/old-site.ts';

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
    /** Opens the calendar as the app does. */
    app: () =>
      new Calendar({
        site: siteOf('https://new.example.org', 'Asia/Kolkata'),
        openLog: (replica) => openLog(settings, { replica }),
      }),
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
      `<a href="${copyOf(77, 'hall.png')}"><img src="${copyOf('\\d+', 'in-text.JPG')}\\?w=3" alt="A" ?/?></a> and https://example.org/x.png`,
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

test('a copied picture, and each of its sizes, has the type of its bytes, whatever the site calls it', async () => {
  const site = await siteWithFiles({
    '/wp-content/uploads/sea.png': webp(600, 400),
    '/wp-content/uploads/sea-300x200.png': jpeg(300, 200),
    '/wp-content/uploads/sea-150x150.jpg': png(150, 150),
  });
  const sea = `${site.url}/wp-content/uploads/sea`;
  const size = { width: 300, height: 200, 'mime-type': 'image/png', filesize: 9, url: `${sea}-300x200.png` };
  const sizes = { medium: size, thumbnail: { ...size, url: `${sea}-150x150.jpg` } };
  const image = { id: 77, url: `${sea}.png`, width: 600, height: 400, sizes };
  site.events.push(oldEvent(1, 'One', 'one', { image }));
  const calendar = await newTarget();
  await calendar.import(site);
  expect(await calendar.images()).toMatchObject([
    {
      stored: { mime_type: 'image/webp', file: 'sea.webp', blob: expect.stringMatching(/\.webp$/) },
      sizes: {
        medium: {
          'mime-type': 'image/jpeg',
          file: 'sea-300x200.jpg',
          url: expect.stringMatching(/\.jpg$/),
        },
        thumbnail: {
          'mime-type': 'image/png',
          file: 'sea-150x150.png',
          url: expect.stringMatching(/\.png$/),
        },
      },
    },
  ]);
});

test('a picture that was copied anew many times keeps the keys of its latest copies', () => {
  const blobOf = (copy: number) => `${String(copy).padStart(36, '0')}.png`;
  const stored = (copy: number) => ({ blob: blobOf(copy) }) as StoredPicture;
  const copies = Array.from({ length: maxKeys + 5 }, (_, copy) => stored(copy));
  let image: ImageRecord = { kind: 'image', id: 1, url: '', stored: stored(-1) };
  for (const copy of copies) image = withEarlierKeys({ kind: 'image', id: 1, url: '', stored: copy }, image);
  expect(image.earlier_keys).toEqual(copies.slice(-maxKeys - 1, -1).map(keyOf));
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
  await store(target, [
    { ...author, id: 4 },
    old,
    { ...event, description: text, translations: { sv: { description: text } } },
  ]);
  await remove(target, [image, author]);
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
  const after = await calendar.open();
  await after.records();
  expect(after.replica.posts.event.get(1)?.record.translations?.sv?.['description']).toContain(
    '/pictures/2000000000/',
  );
  after.close();
  expect(await calendar.event(2)).toMatchObject({ title: 'Two', author: '4' });
  expect((await calendar.images()).map(({ id, stored }) => [id, stored?.author])).toEqual([
    [2_000_000_000, 2_000_000_000],
  ]);
});

test('gives people who write here numbers that the site gives no user, and moves those who have one', async () => {
  const site = await siteWithFiles({});
  site.events.push(oldEvent(50, 'One', 'one', { author: '3' }));
  const calendar = await newTarget();
  /** Writes an event as a person who signs in to the calendar does. */
  const writeAs = async (subject: string): Promise<string> => {
    const app = calendar.app();
    const dates = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
    const request = { caller: { role: 'editor', subject }, siteUrl: '', root: 'http://localhost' } as const;
    const { text } = await app.create('event', {
      ...request,
      language: undefined,
      parameters: { title: `Of ${subject}`, ...dates },
    });
    app.close();
    return JSON.parse(text).author;
  };
  expect(await writeAs('early')).toBe('1');
  await calendar.import(site);
  expect(await writeAs('early')).toBe('1');
  expect(await writeAs('late')).toBe('2000000001');
  // The site has a user with the number of a person here, and its library has a picture of one.
  site.venues.push(oldContact('venue', 90, 'Hall', { author: '1' }));
  const { outcome, output } = await calendar.import(site);
  expect([outcome, output]).toEqual([
    'done',
    expect.stringContaining(
      'author/1 is a person who writes here under the number of a user of the source: moved to author/2000000002',
    ),
  ]);
  expect([await writeAs('early'), await writeAs('late'), await writeAs('last')]).toEqual([
    '2000000002',
    '2000000001',
    '2000000003',
  ]);
  expect((await calendar.import(site)).output).toContain('import: 0 new, 0 changed');
  const target = await calendar.open();
  const subjects = (await target.records()).flatMap((record) =>
    record.kind === 'author' ? [[record.id, record.subject]] : [],
  );
  target.close();
  expect(Object.fromEntries(subjects)).toEqual({
    1: `import:${site.url}#1`,
    3: `import:${site.url}#3`,
    2000000001: 'late',
    2000000002: 'early',
    2000000003: 'last',
    ...Object.fromEntries(subjects.filter(([, subject]) => subject === 'import')),
  });
});

test('keeps what is created here between two imports, with its slugs, whatever the site creates', async () => {
  const site = await siteWithFiles({});
  site.events.push(oldEvent(50, 'One', 'one'));
  const calendar = await newTarget();
  await calendar.import(site);
  const app = calendar.app();
  const create = async (kind: 'event' | 'venue' | 'category', parameters: object) => {
    const caller = { role: 'editor', subject: 'person' } as const;
    const request = { caller, siteUrl: '', root: 'http://localhost', language: undefined };
    const { text } = await app.create(kind, { ...request, parameters: { ...parameters } });
    return JSON.parse(text);
  };
  const dates = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
  const hall = await create('venue', { venue: 'Hall' });
  const jazz = await create('category', { name: 'Jazz' });
  const concert = await create('event', {
    title: 'Concert',
    ...dates,
    venue: hall.id,
    categories: [jazz.id],
  });
  app.close();
  // The site has records with the next numbers, and with the same names.
  site.venues.push(oldContact('venue', 51, 'Hall'));
  site.categories.push(oldTerm(1, 'Jazz', 'jazz'));
  site.events.push(
    oldEvent(52, 'Concert', 'concert', { venue: site.venues[0], categories: site.categories }),
  );
  const { outcome, output } = await calendar.import(site);
  expect([outcome, output]).toEqual([
    'done',
    expect.stringContaining(
      'a record of here has theirs: category/1 (jazz), venue/51 (hall), event/52 (concert)',
    ),
  ]);
  const [theirs, ours] = [await calendar.event(52), await calendar.event(concert.id)];
  expect(theirs).toMatchObject({
    slug: 'concert-52',
    venue: { id: 51, slug: 'hall-51' },
    categories: [{ id: 1, slug: 'jazz-1' }],
  });
  expect(ours).toMatchObject({
    title: 'Concert',
    slug: 'concert',
    venue: { id: hall.id, slug: 'hall' },
    categories: [{ id: jazz.id, slug: 'jazz' }],
  });
  expect((await calendar.import(site)).output).toContain('import: 0 new, 0 changed');
});

const size = (url: string, width: number, height: number) => ({
  width,
  height,
  'mime-type': 'image/png',
  filesize: 9,
  url,
});

/** Puts a file on a site, as it was changed at a minute. */
function putFile(site: OldSite, path: string, bytes: Buffer, minute = 0): string {
  site.files.set(path, { bytes, changed: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
  return site.url + path;
}

test('copies a picture anew whose file was edited or replaced in the site, and removes the old bytes', async () => {
  const site = await startOldSite();
  sites.push(site);
  const folder = '/wp-content/uploads';
  const url = putFile(site, `${folder}/x.png`, png(60, 40));
  const small = putFile(site, `${folder}/x-30x20.png`, png(30, 20));
  const image = { id: 77, url, filesize: png(60, 40).length, sizes: { medium: size(small, 30, 20) } };
  const description = `<p><img src="${small}" alt="" /></p>`;
  const event = oldEvent(1, 'One', 'one', { image, description });
  const shows = oldEvent(2, 'Two', 'two', { description: `<p><img src="${url}" alt="" /></p>` });
  site.events.push(event, shows);
  const calendar = await newTarget();
  await calendar.import(site);
  const first = await calendar.blobs();
  expect(first).toHaveLength(2);

  // "Edit image" keeps the number and renames the files; the old ones stay on the disk of the site.
  const edited = putFile(site, `${folder}/x-e1795.png`, png(50, 50));
  const editedSmall = putFile(site, `${folder}/x-e1795-25x25.png`, png(25, 25));
  Object.assign(image, {
    url: edited,
    filesize: png(50, 50).length,
    sizes: { medium: size(editedSmall, 25, 25) },
  });
  Object.assign(event, { description: `<p><img src="${editedSmall}" alt="" /></p>` });
  expect((await calendar.import(site)).outcome).toBe('done');
  expect(await calendar.event(1)).toMatchObject({
    image: {
      url: isCopyOf(77, 'x-e1795.png'),
      width: 50,
      sizes: { medium: { url: isCopyOf(77, 'x-e1795-25x25.png') } },
    },
    description: expect.stringMatching(copyOf(77, 'x-e1795-25x25.png')),
  });
  const second = await calendar.blobs();
  expect(first.filter((blob) => second.includes(blob))).toEqual([]);
  // The text of the second event shows the original, which is there still.
  expect(await calendar.event(2)).toMatchObject({
    description: expect.stringMatching(copyOf('\\d+', 'x.png')),
  });
  const addressOf = async () => String((await calendar.event(1))?.['image']?.['url']);

  // Other bytes at the same address: told by the size in the view, or by the time of the file alone.
  const before = await addressOf();
  putFile(site, `${folder}/x-e1795.png`, png(40, 40), 0);
  Object.assign(image, { filesize: 12_345 });
  await calendar.import(site);
  const bySize = await addressOf();
  expect(bySize).not.toBe(before);
  putFile(site, `${folder}/x-e1795.png`, png(45, 45), 1);
  await calendar.import(site);
  expect(await addressOf()).not.toBe(bySize);
  expect(await calendar.event(1)).toMatchObject({
    image: { width: 45, height: 45 },
    description: expect.stringMatching(copyOf(77, 'x-e1795-25x25.png')),
  });
  const { output } = await calendar.import(site);
  expect(output).toContain('pictures: 0 copied, 0 not');
  const texts = JSON.stringify([await calendar.event(1), await calendar.event(2)]);
  expect(texts).not.toContain('/wp-content/');
});

test('shows a replaced picture in texts that were edited here, and between its write and that of the texts', async () => {
  const site = await startOldSite();
  sites.push(site);
  const folder = '/wp-content/uploads';
  const image: Record<string, unknown> = {
    id: 77,
    url: putFile(site, `${folder}/x.png`, png(60, 60)),
    filesize: 60,
    sizes: { medium: size(putFile(site, `${folder}/x-30x30.png`, png(30, 30)), 30, 30) },
  };
  const description = `<p><img src="${image['url']}" alt="" /><img src="${site.url}${folder}/x-30x30.png" alt="" /></p>`;
  site.events.push(
    oldEvent(1, 'One', 'one', { image, description }),
    oldEvent(2, 'Two', 'two', { description: `<p><img src="${image['url']}" alt="" /></p>` }),
  );
  const calendar = await newTarget();
  await calendar.import(site);
  // An editor changes the text here, which no later import writes.
  const app = calendar.app();
  const caller = { role: 'editor', subject: 'person' } as const;
  const request = { caller, siteUrl: '', root: 'http://localhost', language: undefined };
  const text = String((await calendar.event(1))?.['description']).replace('</p>', ' edited</p>');
  await app.update('event', { id: 1 }, { ...request, parameters: { description: text } });
  app.close();
  const shown = async () => {
    const texts = await Promise.all(
      [1, 2].map(async (id) => String((await calendar.event(id))?.['description'])),
    );
    expect(texts[0]).toContain('edited');
    return texts.flatMap((text) => Array.from(text.matchAll(/(?<=src=")[^"]+/g), ([src]) => src));
  };
  // "Edit image" of the site, imported without pictures: its own address counts until there is a copy.
  Object.assign(image, { url: putFile(site, `${folder}/x-e1.png`, png(50, 50)), filesize: 50, sizes: {} });
  Object.assign(site.events[1] ?? {}, { description: `<p><img src="${image['url']}" alt="" /></p>` });
  await calendar.import(site, {}, { copiesPictures: false });
  expect(await shown()).toEqual([image['url'], image['url'], image['url']]);
  await calendar.import(site);
  const copies = [isCopyOf(77, 'x-e1.png'), isCopyOf(77, 'x-e1.png'), isCopyOf(77, 'x-e1.png')];
  expect(await shown()).toEqual(copies);
  // Other bytes at the same address, in a run that ends before it writes the texts.
  const [before] = await shown();
  putFile(site, `${folder}/x-e1.png`, png(45, 45), 1);
  const target = await calendar.open();
  let isCopied = false;
  const killed = importCommand(
    site.url,
    {
      ...target,
      decide: (decision) =>
        target.decide((draft) => {
          const result = decision(draft);
          const { puts } = draft.decision(undefined);
          if (isCopied && puts.some(({ key }) => !key.startsWith('image/'))) throw new Error('killed');
          isCopied ||= puts.some(({ json }) => json.includes('x-e1'));
          return result;
        }),
    },
    {
      isDryRun: false,
      say: () => {},
      folder: mkdtempSync(join(tmpdir(), 'killed-')),
      copiesPictures: true,
      limits: defaultLimits,
    },
  );
  await expect(killed).rejects.toThrow('killed');
  expect(await shown()).toEqual(copies);
  expect(await shown()).not.toContain(before);
  await calendar.import(site);
  expect((await calendar.import(site)).output).toContain('import: 0 new, 0 changed');
  expect(await shown()).toEqual(copies);
});

test('refers to the pages of events that are here, and lists other pages of the site that texts lead to', async () => {
  const site = await siteWithFiles({});
  const to = (path: string, text: string) => `<a href="${path}">${text}</a>`;
  const description = [
    to(`${site.url}/event/two/`, 'two'),
    to('/event/two#times', 'path'),
    to(`${site.url}/?post_type=tribe_events&amp;p=2`, 'number'),
    to(`${site.url}/venue/hall/`, 'hall'),
    to(`${site.url}/about/?a=1&amp;b=2`, 'about'),
    to('https://else.example.org/event/two/', 'else'),
  ].join(' ');
  site.events.push(
    oldEvent(1, 'One', 'one', { url: `${site.url}/event/one/`, description: `<p>${description}</p>` }),
    oldEvent(2, 'Two', 'two', {
      url: `${site.url}/event/two/`,
      excerpt: `<p>${to(`${site.url}/event/one/`, 'one')}</p>`,
    }),
  );
  site.venues.push(oldContact('venue', 3, 'Hall', { url: `${site.url}/venue/hall/` }));
  const calendar = await newTarget();
  const { output } = await calendar.import(site, {}, { copiesPictures: false });
  expect(output).toContain(
    `Links to pages that end with the old site: event/1 ${site.url}/about/?a=1&b=2 (1).`,
  );
  expect(output).not.toMatch(/event\.(?:description|excerpt): /);
  const shown = String((await calendar.event(1))?.['description']);
  const here = 'https://new.example.org/?post_type=';
  expect(Array.from(shown.matchAll(/href="([^"]*)"/g), ([, link]) => link)).toEqual([
    `${here}tribe_events&amp;p=2`,
    `${here}tribe_events&amp;p=2#times`,
    `${here}tribe_events&amp;p=2`,
    `${here}tribe_venue&amp;p=3`,
    `${site.url}/about/?a=1&amp;b=2`,
    'https://else.example.org/event/two/',
  ]);
  expect((await calendar.event(2))?.['excerpt']).toContain(`href="${here}tribe_events&amp;p=1"`);
  const again = await calendar.import(site, {}, { copiesPictures: false });
  expect(again.output).toContain('import: 0 new, 0 changed');
});

test('refers to the pages of records that are websites, and lists other pages and files of the site', async () => {
  const site = await siteWithFiles({});
  const url = (path: string) => site.url + path;
  site.events.push(
    oldEvent(1, 'One', 'one', { url: url('/event/one/'), website: url('/event/two/#times') }),
    oldEvent(2, 'Two', 'two', {
      url: url('/event/two/'),
      website: url('/?post_type=tribe_events&#038;p=1'),
      venue: oldContact('venue', 3, 'Hall', { url: url('/venue/hall/'), website: url('/event/one/') }),
      organizer: [oldContact('organizer', 4, 'Club', { website: url('/about/?a=1&b=2') })],
    }),
    oldEvent(5, 'Five', 'five', { url: url('/event/five/'), website: url('/event/five/') }),
    oldEvent(6, 'Six', 'six', { website: url('/wp-content/uploads/flyer.jpg') }),
    oldEvent(7, 'Seven', 'seven', { website: 'https://else.example.org/event/two/' }),
  );
  const calendar = await newTarget();
  const { output } = await calendar.import(site);
  expect(output).not.toMatch(/website: /);
  expect(output).toContain(
    `Links to pages that end with the old site: organizer/4 ${url('/about/?a=1&b=2')} (1).`,
  );
  expect(output).toContain(`not copied: event/6 ${url('/wp-content/uploads/flyer.jpg')} (1).`);
  const websites = async () => {
    const events = await Promise.all([1, 2, 5, 7].map((id) => calendar.event(id)));
    const app = calendar.app();
    const request = { siteUrl: '', root: 'http://localhost', language: undefined, parameters: {} };
    const { value } = await app.read('venue', { id: 3 }, { ...request, caller: { role: 'reader' } });
    app.close();
    const hall = JSON.parse(value.text);
    return [...events.map((event) => event?.['website']), hall.website, hall.json_ld.sameAs];
  };
  const here = 'https://new.example.org/?post_type=tribe_events&p=';
  const expected = [
    `${here}2#times`,
    `${here}1`,
    'https://new.example.org/event/five/',
    'https://else.example.org/event/two/',
    `${here}1`,
    `${here}1`,
  ];
  expect(await websites()).toEqual(expected);
  expect((await calendar.import(site)).output).toContain('import: 0 new, 0 changed');
  expect(await websites()).toEqual(expected);
});

test('deletes the copies of pictures that the site has deleted, once nothing shows them', async () => {
  const site = await startOldSite();
  sites.push(site);
  const url = putFile(site, '/wp-content/uploads/gone.png', png(60, 40));
  const medium = putFile(site, '/wp-content/uploads/gone-30x20.png', png(30, 20));
  const text = putFile(site, '/wp-content/uploads/text.png', png(5, 5));
  const stays = putFile(site, '/wp-content/uploads/stays.png', png(7, 7));
  const image = { id: 77, url, sizes: { medium: size(medium, 30, 20) } };
  const one = oldEvent(1, 'One', 'one', { image, description: `<p><img src="${text}" alt="" /></p>` });
  site.events.push(one, oldEvent(2, 'Two', 'two', { image: { id: 78, url: stays } }));
  const calendar = await newTarget();
  await calendar.import(site);
  expect(await calendar.blobs()).toHaveLength(4);
  // Nothing shows 78, but its site has it still.
  for (const event of site.events) event['image'] = false;
  Object.assign(one, {
    description: '',
    modified: '2030-01-01 00:00:00',
    modified_utc: '2030-01-01 00:00:00',
  });
  for (const deleted of [url, medium, text]) site.files.delete(new URL(deleted).pathname);
  const first = await calendar.import(site);
  expect(first.output).toContain('unchanged here, and --prune-missing deletes them: ');
  expect(await calendar.blobs()).toHaveLength(4);
  const { outcome, output } = await calendar.import(site, {}, { prunesMissing: true });
  expect(outcome).toBe('done');
  expect(output).toContain(
    `Pictures deleted in the source, which nothing shows: they are deleted here too: ${url}, ${text} (2).`,
  );
  expect((await calendar.images()).map(({ id }) => id)).toEqual([78]);
  expect(await calendar.blobs()).toHaveLength(1);
  expect((await calendar.import(site, {}, { prunesMissing: true })).output).not.toContain('Pictures deleted');
});

test('has the texts, date and author of a picture from the media library, also those that change later', async () => {
  const site = await startOldSite();
  sites.push(site);
  const url = putFile(site, '/wp-content/uploads/x.png', png(60, 40));
  const large = putFile(site, '/wp-content/uploads/t.png', png(80, 40));
  const small = putFile(site, '/wp-content/uploads/t-40x20.png', png(40, 20));
  const unseen = putFile(site, '/wp-content/uploads/unseen.png', png(9, 9));
  const item = (id: number, source_url: string, fields: object) => ({
    id,
    author: 7,
    date_gmt: '2024-05-01T10:00:00',
    modified_gmt: '2024-05-02T10:00:00',
    source_url,
    media_details: { width: 60, height: 40, sizes: {} },
    ...fields,
  });
  const texts = {
    title: { raw: 'Rock & Roll', rendered: 'Rock &#038; Roll' },
    caption: { raw: 'By <em>Ann</em>', rendered: '<p>By <em>Ann</em></p>\n' },
    description: { rendered: '<p class="attachment"><a href="x"><img src="y"></a></p>\n<p>Long</p>\n' },
    alt_text: 'The hall',
    slug: 'the-hall',
    post: 1,
  };
  const x = item(77, url, texts);
  site.media.push(
    x,
    // WordPress writes the type of a size in another way than an event does.
    item(78, large, {
      media_details: {
        sizes: { small: { width: 40, height: 20, mime_type: 'image/png', source_url: small } },
      },
    }),
    item(79, unseen, {}),
  );
  const image = { id: 77, url };
  site.events.push(
    oldEvent(1, 'One', 'one', { image }),
    oldEvent(2, 'Two', 'two', {
      description: `<p><img src="${small}" srcset="/wp-content/uploads/t.png 2x" alt="" /></p>`,
    }),
  );
  const calendar = await newTarget();
  const { output } = await calendar.import(site);
  expect(output).toContain(`nothing shows, and that are not copied: ${unseen} (1).`);
  const stored = async () => new Map((await calendar.images()).map((record) => [record.id, record.stored]));
  expect((await stored()).get(77)).toMatchObject({
    title: 'Rock &amp; Roll',
    caption: expect.stringContaining('<em>Ann</em>'),
    description: expect.stringContaining('Long'),
    alt_text: 'The hall',
    slug: 'the-hall',
    post: 1,
    author: 7,
    date_utc: '2024-05-01 10:00:00',
    date: '2024-05-01 15:30:00',
    modified_utc: '2024-05-02 10:00:00',
  });
  expect((await stored()).get(77)?.description).not.toContain('attachment');
  // A size that a text shows is one of its picture, which has its number in the site.
  expect([...(await stored()).keys()]).toEqual([77, 78]);
  expect(await calendar.event(2)).toMatchObject({
    description: expect.stringMatching(copyOf(78, 't-40x20.png')),
  });
  Object.assign(x, {
    alt_text: 'The stage',
    caption: { raw: '', rendered: '' },
    modified_gmt: '2024-06-01T10:00:00',
  });
  await calendar.import(site, {}, { copiesPictures: false });
  const changed = (await stored()).get(77);
  expect([changed?.alt_text, changed?.caption, changed?.title]).toEqual([
    'The stage',
    undefined,
    'Rock &amp; Roll',
  ]);
  expect((await calendar.import(site)).output).not.toContain('the texts of');
});

test('keeps the sizes of a picture with a long name, or one beyond ASCII, apart', async () => {
  const site = await startOldSite();
  sites.push(site);
  const names = ['a'.repeat(140), 'bøgetræ'];
  for (const [index, name] of names.entries()) {
    const file = (end: string) => `/wp-content/uploads/${encodeURIComponent(name)}${end}.png`;
    putFile(site, file(''), png(60, 40));
    putFile(site, file('-30x20'), png(30, 20));
    putFile(site, file('-15x10'), png(15, 10));
    // Views have such addresses as they are typed.
    const url = (end: string) => `${site.url}/wp-content/uploads/${name}${end}.png`;
    const sizes = { medium: size(url('-30x20'), 30, 20), thumbnail: size(url('-15x10'), 15, 10) };
    const image = { id: 77 + index, url: url(''), sizes };
    site.events.push(oldEvent(index + 1, `E${index}`, `e${index}`, { image }));
  }
  const calendar = await newTarget();
  await calendar.import(site);
  for (const image of await calendar.images()) {
    expect(Object.keys(image.sizes ?? {})).toEqual(['medium', 'thumbnail']);
    const files = [image.stored?.file, ...Object.values(image.sizes ?? {}).map(({ file }) => file)];
    expect(new Set(files).size).toBe(3);
  }
});

test('shows the copies of pictures with names beyond ASCII in texts, however these write the names', async () => {
  const site = await startOldSite();
  sites.push(site);
  const name = 'b\u00f8getr\u00e6-\u00e5.png';
  putFile(site, `/wp-content/uploads/${encodeURIComponent(name)}`, png(6, 4));
  const url = `${site.url}/wp-content/uploads/${name}`;
  const forms = [url, encodeURI(url), encodeURI(url.normalize('NFD')), `/wp-content/uploads/${name}`];
  const description = forms.map((form) => `<p><img src="${form}" alt="" /></p>`).join('');
  site.events.push(
    oldEvent(1, 'One', 'one', { image: { id: 77, url: encodeURI(url) }, description }),
    oldEvent(2, 'Two', 'two', { image: { id: 77, url }, description }),
  );
  const calendar = await newTarget();
  expect((await calendar.import(site)).output).toContain('pictures: 1 copied, 0 not');
  const { output } = await calendar.import(site);
  expect(output).toContain('import: 0 new, 0 changed');
  for (const id of [1, 2]) {
    const text = String((await calendar.event(id))?.['description']);
    expect(text.match(/(?<=src=")[^"]+/g)).toEqual(forms.map(() => isCopyOf(77, 'bogetrae-a.png')));
  }
});

test.each([
  ['hall.jpeg', 'hall.jpeg', 'jpeg'],
  ['HALL.JPG', 'HALL.JPG', 'JPG'],
  ['hall.png', 'hall.jpg', 'jpg'],
])('names the copy of a JPEG %s %s', async (name, file, extension) => {
  const site = await startOldSite();
  sites.push(site);
  const url = putFile(site, `/wp-content/uploads/${name}`, jpeg(60, 40));
  site.events.push(oldEvent(1, 'One', 'one', { image: { id: 77, url } }));
  const calendar = await newTarget();
  await calendar.import(site);
  expect((await calendar.event(1))?.['image']).toMatchObject({ url: isCopyOf(77, file), extension });
});

test('copies paths and addresses without a scheme, lists files that stay, and says in a dry run what it would copy', async () => {
  const site = await startOldSite();
  sites.push(site);
  const url = putFile(site, '/wp-content/uploads/a.png', png(6, 4));
  putFile(site, '/wp-content/uploads/b.png', png(5, 4));
  const host = new URL(site.url).host;
  const pdf = `${site.url}/wp-content/uploads/programme.pdf`;
  site.events.push(
    oldEvent(1, 'One', 'one', {
      description: `<p><img src="//${host}/wp-content/uploads/a.png" alt="" /><img src="/wp-content/uploads/b.png" alt="" /></p><p><a href="${pdf}">P</a> <a href="/wp-content/uploads/talk.mp3">T</a></p>`,
    }),
  );
  const calendar = await newTarget();
  const { output: dryRun } = await calendar.import(site, {}, { isDryRun: true });
  expect(dryRun).toContain('pictures: 2 would be copied');
  expect(dryRun).toContain(`would be copied: ${url}`);
  const { output } = await calendar.import(site);
  expect(output).toContain('pictures: 2 copied, 0 not');
  const files = `event/1 ${pdf}, event/1 ${site.url}/wp-content/uploads/talk.mp3 (2)`;
  expect(output).toContain(`Files of the site that are not copied: ${files}.`);
  const { description } = (await calendar.event(1)) ?? {};
  expect(String(description).match(/(?<=src=")[^"]+/g)).toEqual([
    expect.stringMatching(copyOf('\\d+', 'a.png')),
    expect.stringMatching(copyOf('\\d+', 'b.png')),
  ]);
  expect((await calendar.import(site)).output).toContain('import: 0 new, 0 changed');
});

test('the report names all that dies with the old site, whole, as text and as JSON', async () => {
  const site = await startOldSite({ perPage: 50 });
  sites.push(site);
  const uploads = '/wp-content/uploads';
  const endings = ['pdf', 'gpx', 'csv', 'txt', 'tif', 'heic', 'rar', '7z', 'kml', 'PDF'];
  const paths = endings.map((ending) => `${uploads}/file.${ending}`);
  const links = [...paths, ...Array.from({ length: 30 }, (_, index) => `/files/${index}.docx`)];
  const html = [
    ...links.map((path) => `<a href="${path}">a</a>`),
    '<a href="plan.pdf">b</a> <a href="../../about/">c</a> <img src="inner/a.jpg" alt=""> <a href="#top">d</a>',
    `<a href="/team/">e</a> <a href="${uploads}/no-ending">f</a> <a href="page.php">g</a> <a href="mailto:a@b.example">h</a>`,
  ].join(' ');
  site.events.push(
    oldEvent(1, 'One', 'one', { description: `<p>${html}</p>`, url: `${site.url}/event/one/` }),
  );
  const calendar = await newTarget();
  const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'moves', 'out');
  const { output } = await calendar.import(site, {}, { report: file });
  expect(output).toContain(`All lists are whole in ${file}.txt and ${file}.json.`);
  const at = (path: string) => `event/1 ${site.url}${path}`;
  const files = [...links, `${uploads}/no-ending`, '/event/one/plan.pdf', '/event/one/inner/a.jpg'].map(at);
  const pages = ['/about/', '/team/', '/event/one/page.php'].map(at);
  const report = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
  const lists = new Map<string, string[]>(
    report.lists.map((list: { name: string; items: string[] }) => [list.name, list.items]),
  );
  expect(report).toMatchObject({ source: site.url, isDryRun: false, created: 2 });
  expect(lists.get('filesLeft')?.toSorted()).toEqual(files.toSorted());
  expect(lists.get('linksThatEnd')?.toSorted()).toEqual(pages.toSorted());
  const text = readFileSync(`${file}.txt`, 'utf8');
  for (const line of [...files, ...pages]) expect(text).toContain(`\n  ${line}\n`);
  expect(statSync(`${file}.txt`).mode & 0o777).toBe(0o600);
});

test('names pictures that another host serves for the site, and copies them from hosts that the operator names', async () => {
  const site = await siteWithFiles({});
  const server = await siteWithFiles({
    '/bucket/hall.png': png(60, 40),
    '/bucket/hall-30x20.png': png(30, 20),
    '/bucket/text.png': png(8, 6),
  });
  const [hall, text] = [`${server.url}/bucket/hall.png`, `${server.url}/bucket/text.png`];
  const small = {
    width: 30,
    height: 20,
    'mime-type': 'image/png',
    url: `${server.url}/bucket/hall-30x20.png`,
  };
  site.events.push(
    oldEvent(1, 'One', 'one', {
      image: { id: 77, url: hall, sizes: { medium: small } },
      description: `<p><img src="${text}?w=3" alt="A" /></p>`,
    }),
  );
  const calendar = await newTarget();
  const named = await calendar.import(site);
  expect(named.outcome).toBe('done');
  expect(named.output).toContain('Pictures on other hosts, which are not copied');
  for (const address of [`image/77 ${hall}`, `event/1 ${text}`]) expect(named.output).toContain(address);
  expect(await calendar.blobs()).toEqual([]);

  const trusted = { picturesFrom: [new URL(server.url).host] };
  const copied = await calendar.import(site, {}, trusted);
  expect(copied.output).toContain('pictures: 2 copied, 0 not');
  expect(copied.output).not.toContain('Pictures on other hosts');
  const event = await calendar.event(1);
  expect(event?.['image']).toMatchObject({ id: 77, url: isCopyOf(77, 'hall.png') });
  expect(event?.['description']).toMatch(new RegExp(copyOf('\\d+', 'text.png')));
  expect(JSON.stringify(event)).not.toContain(server.url);
  for (const options of [trusted, {}, { copiesPictures: false }]) {
    expect((await calendar.import(site, {}, options)).output).toContain('import: 0 new, 0 changed');
    expect(await calendar.event(1)).toEqual(event);
  }
});
