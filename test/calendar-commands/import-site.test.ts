import { mkdtempSync, readdirSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { exportCalendar } from '../../scripts/calendar/export.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTarget, type Target } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar, openTestLog, put } from '../support/calendar-log.ts';
import { connectionStringOfTables } from '../support/shared-emulators.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, oldUser, startOldSite } from './support/old-site.ts';
import { withoutNotes } from './support/without-notes.ts';

const config = readConfig({
  CALENDAR_SITE_URL: 'https://new.example.org',
  CALENDAR_TIME_ZONE: 'Europe/Copenhagen',
});
const sites: OldSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.stop()));
});

/** Starts a site with a tree of categories, entities, a draft, an unlisted venue, and more events than a page has. */
async function oldSite(): Promise<OldSite> {
  const site = await startOldSite();
  sites.push(site);
  const hall = oldContact('venue', 31, 'Old Hall', { address: '1 Street', geo_lat: 55.5, geo_lng: 0 });
  const barn = oldContact('venue', 32, 'Barn', { status: 'draft' });
  const choir = oldContact('organizer', 41, 'Choir &amp; Band', { email: 'choir@example.org' });
  const music = oldTerm(7, 'Music &amp; Dance', 'music', { color: '#aa0000' });
  const jazz = oldTerm(9, 'Jazz', 'jazz', { parent: 7 });
  const late = oldTerm(8, 'Late', 'late', { parent: 9 });
  const tag = oldTerm(5, 'Free entry', 'free-entry');
  site.venues.push(hall);
  site.organizers.push(choir);
  site.categories.push(late, jazz, music);
  site.tags.push(tag, oldTerm(6, 'Unused', 'unused', { count: 0 }));
  site.events.push(
    oldEvent(101, 'Tom &#038; Jerry&#8217;s night', 'tom-jerry', {
      categories: [jazz, late],
      tags: [tag],
      venue: hall,
      organizer: [choir],
      cost: '$10 &ndash; $20',
      cost_details: { currency_symbol: '$', values: ['10', '20'] },
      image: { id: 77, url: 'https://old.example.org/wp-content/a.jpg', extension: 'jpg', sizes: {} },
      website: 'https://band.example.org/',
    }),
    oldEvent(102, 'In the barn', 'in-the-barn', { venue: barn, all_day: true }),
    oldEvent(103, 'Nowhere', 'nowhere', { venue: [], cost: 'Free', author: '4' }),
    oldEvent(104, 'Far away', 'fj%c3%a6rn', { start_date: '1999-01-01 10:00:00' }),
    oldEvent(105, 'Not yet', '', { status: 'draft', date_utc: '0000-00-00 00:00:00' }),
  );
  return site;
}

/** Runs an import into a calendar. Returns its output. */
async function run(
  subject: string,
  settings: ReturnType<typeof newCalendar>,
  options: Partial<Parameters<typeof importCommand>[2]> = {},
) {
  const output: string[] = [];
  const target = await openTarget(config, settings);
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  const wait = async () => {};
  await importCommand(subject, target, {
    isDryRun: false,
    say: (line) => output.push(line),
    wait,
    folder,
    ...options,
  });
  return output.join('\n');
}

/** Queries a calendar like a new process. */
async function query<T>(settings: ReturnType<typeof newCalendar>, select: (target: Target) => T): Promise<T> {
  const target = await openTarget(config, settings);
  await target.records();
  const value = select(target);
  target.close();
  return value;
}

const createCalendar = () => newCalendar(connectionStringOfTables());

describe('an import from a site', () => {
  test('copies ids, slugs, dates, authors, links and the tree of categories', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    const output = await run(site.url, settings);
    expect(output).toContain('Comparison');
    const { event, category, barn } = await query(settings, ({ view }) => ({
      event: view('event', 101),
      category: view('category', 8),
      barn: view('venue', 32),
    }));
    expect(event).toMatchObject({
      id: 101,
      slug: 'tom-jerry',
      title: 'Tom &#038; Jerry&#8217;s night',
      author: '3',
      date_utc: '2025-03-01 08:00:00',
      modified_utc: '2025-04-01 08:00:00',
      start_date: '2027-06-01 19:00:00',
      utc_start_date: '2027-06-01 17:00:00',
      image: { id: 77, url: 'https://old.example.org/wp-content/a.jpg' },
      categories: [
        { id: 9, parent: 7 },
        { id: 8, parent: 9 },
      ],
      tags: [{ id: 5 }],
      venue: { id: 31, geo_lat: 55.5, geo_lng: 0 },
      organizer: [{ id: 41, email: 'choir@example.org' }],
      website: 'https://band.example.org/',
    });
    expect(await query(settings, ({ view }) => [view('category', 7), view('tag', 6)])).toMatchObject([
      { color: '#aa0000' },
      { name: 'Unused' },
    ]);
    expect(category).toMatchObject({ name: 'Late', slug: 'late', parent: 9 });
    expect(barn).toMatchObject({ venue: 'Barn', status: 'draft' });
    expect(await query(settings, ({ view }) => view('event', 104))).toMatchObject({ slug: 'fj%c3%a6rn' });
  });

  test('copies drafts when signed in, and rejects a wrong password', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    await run(site.url, settings);
    expect(await query(settings, ({ view }) => view('event', 105))).toBeUndefined();
    await run(site.url, settings, oldUser);
    expect(await query(settings, ({ view }) => view('event', 105))).toMatchObject({
      status: 'draft',
      slug: 'not-yet',
    });
    await expect(run(site.url, settings, { ...oldUser, password: 'wrong' })).rejects.toThrow(
      'refuses these credentials',
    );
    await expect(run('http://old.example.org', settings, oldUser)).rejects.toThrow('over https only');
  });

  test('reserves all ids that the site may give later', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    await run(site.url, settings);
    const log = openTestLog(settings);
    await log.read();
    const ids = await log.write((takeId) => ({
      puts: [{ key: 'tag/1', json: '{}' }],
      deletes: [],
      result: [takeId('post'), takeId('term'), takeId('user')],
    }));
    expect(ids).toEqual([2_000_000_001, 2_000_000_001, 2_000_000_001]);
  });

  test('writes only changed records when it is repeated, and not those that are newer here', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    await run(site.url, settings);
    expect(await run(site.url, settings)).toContain('import: 0 new, 0 changed');
    Object.assign(site.events[1] ?? {}, { title: 'In the new barn', modified_utc: '2026-01-01 00:00:00' });
    expect(await run(site.url, settings)).toContain('import: 0 new, 1 changed');
    expect(await query(settings, ({ view }) => view('event', 102))).toMatchObject({
      title: 'In the new barn',
    });

    const log = openTestLog(settings);
    await log.read();
    const record = JSON.parse(log.replica.records.get('event/103') ?? '');
    await put(log, 'event/103', { ...record, title: 'Here', modified_utc: '2026-06-01 00:00:00' });
    expect(await run(site.url, settings)).toContain('left unchanged: event/103');
    expect(await query(settings, ({ view }) => view('event', 103))).toMatchObject({ title: 'Here' });
  });

  test('writes nothing in a dry run, nor when another record has an id', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    expect(await run(site.url, settings, { isDryRun: true })).toContain('new, 0 changed');
    expect(await query(settings, ({ replica }) => replica.records())).toEqual([]);

    await put(openTestLog(settings), 'organizer/103', {
      kind: 'organizer',
      id: 103,
      author: 1,
      status: 'publish',
      title: 'Mine',
      slug: 'mine',
      date: '2026-01-01 00:00:00',
      date_utc: '2026-01-01 00:00:00',
      modified: '2026-01-01 00:00:00',
      modified_utc: '2026-01-01 00:00:00',
    });
    await expect(run(site.url, settings)).rejects.toThrow('event/103 (nowhere)');
    expect(await query(settings, ({ replica }) => replica.records().length)).toBe(1);
  });

  test('resumes where it was interrupted, and waits for the time of Retry-After', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    site.interfere = (path, response) => {
      if (!path.includes('/events?') || !path.includes('page=2&')) return false;
      response.writeHead(waits.length % 2 === 0 ? 503 : 429, { 'Retry-After': '7' }).end('busy');
      return true;
    };
    await expect(run(site.url, settings, { folder, wait })).rejects.toThrow('answers 429');
    expect(waits).toEqual([7000, 7000, 7000, 7000, 7000]);
    expect(await query(settings, ({ replica }) => replica.records())).toEqual([]);

    const [pages = ''] = readdirSync(folder).map((name) => join(folder, name));
    expect(statSync(pages).mode & 0o777).toBe(0o600);
    site.interfere = undefined;
    expect(await run(site.url, createCalendar(), { folder, ...oldUser })).not.toContain('Resuming');
    const firstRequest = site.requests.length;
    const output = await run(site.url, settings, { folder, wait });
    expect(output).toContain('Resuming after');
    const again = site.requests.slice(firstRequest).filter((path) => path.includes('/v1/events?'));
    expect(again.filter((path) => /[?&]page=1&/.test(path))).toEqual([]);
    expect(await query(settings, ({ replica }) => replica.posts.event.size)).toBe(4);
  });

  test('that is resumed has what the site has by then, whatever it has read before', async () => {
    const site = await startOldSite({ perPage: 2 });
    sites.push(site);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
    site.events.push(...names.map((name, index) => oldEvent(index + 1, name, name)));
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    const options = { folder, wait: async () => {} };
    site.interfere = (path, response) =>
      path.includes('/v1/events?') && path.includes('page=4&') && !!response.writeHead(503).end('busy');
    const settings = createCalendar();
    await expect(run(site.url, settings, options)).rejects.toThrow('answers 503');
    site.interfere = undefined;
    const touched = { modified: '2026-05-01 00:00:00', modified_utc: '2026-05-01 00:00:00' };
    const change = (id: number, fields: object) =>
      Object.assign(site.events.find((event) => event['id'] === id) ?? {}, touched, fields);
    change(1, { status: 'draft' });
    change(2, { title: 'changed' });
    change(3, { post_password: 'sesame' });
    change(5, { status: 'trash' });
    site.events.splice(3, 1);
    site.events.unshift(oldEvent(20, 'new', 'new'));
    const output = await run(site.url, settings, options);
    expect(output).toContain('Resuming after 3 pages');
    const titles = await query(settings, ({ replica }) =>
      [...replica.posts.event.values()].map(({ record }) => `${record.title} ${record.status}`).sort(),
    );
    const rest = ['f', 'g', 'h', 'i', 'j', 'k', 'l'];
    expect(titles).toEqual(
      ['changed publish', ...rest.map((title) => `${title} publish`), 'new publish'].sort(),
    );
    // The event that has a password now is read as such by the next run, as behind one.
    await run(site.url, settings, options);
    const locked = await query(settings, ({ replica }) => replica.posts.event.get(3)?.record);
    expect(locked).toMatchObject({ status: 'private' });
    expect(locked?.description).toBeUndefined();
  });

  test('reads all again where WordPress does not say what has changed', async () => {
    const site = await oldSite();
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    const options = { folder, wait: async () => {} };
    site.interfere = (path, response) =>
      path.includes('/v1/events?') && path.includes('page=2&') && !!response.writeHead(503).end('busy');
    await expect(run(site.url, createCalendar(), options)).rejects.toThrow('answers 503');
    site.interfere = (path, response) =>
      path.includes('/wp/v2/') && !!response.writeHead(401).end('{"code":"rest_forbidden"}');
    const first = site.requests.length;
    expect(await run(site.url, createCalendar(), options)).not.toContain('Resuming');
    const pages = site.requests.slice(first).filter((path) => /\/v1\/events\?(?:.*&)?page=1&/.test(path));
    expect(pages).toHaveLength(1);
  });

  test('resumes again and again after a process that ended in the middle of a line', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    const options = { folder, wait: async () => {} };
    site.interfere = (path, response) =>
      path.includes('/events?') && path.includes('page=2&') && !!response.writeHead(503).end('busy');
    await expect(run(site.url, settings, options)).rejects.toThrow('answers 503');
    const [pages = ''] = readdirSync(folder).map((name) => join(folder, name));
    // The last page was not written to its end.
    truncateSync(pages, statSync(pages).size - 10);
    await expect(run(site.url, settings, options)).rejects.toThrow('answers 503');
    site.interfere = undefined;
    expect(await run(site.url, settings, options)).toContain('Resuming after');
    // Once by the first run, and once by the second.
    const firstPages = site.requests.filter((path) => /\/events\?(?:.*&)?page=1&/.test(path));
    expect(firstPages).toHaveLength(2);
    expect(await query(settings, ({ replica }) => replica.posts.event.size)).toBe(4);
  });

  test('waits until the date of Retry-After, ten minutes at most, and longer each time without it', async () => {
    const site = await oldSite();
    const waits: number[] = [];
    site.interfere = (_path, response) => {
      const date = new Date(Date.now() + 90_000).toUTCString();
      const retryAfter = [date, '9999', '', ''][waits.length];
      if (retryAfter === undefined) return false;
      const headers = retryAfter === '' ? {} : { 'Retry-After': retryAfter };
      return !!response.writeHead(503, headers).end('busy');
    };
    await run(site.url, createCalendar(), { wait: async (milliseconds) => void waits.push(milliseconds) });
    const [first = 0, ...others] = waits;
    expect(first).toBeGreaterThan(30_000);
    expect(first).toBeLessThanOrEqual(90_000);
    expect(others).toEqual([600_000, 4_000, 8_000]);
    site.interfere = (_path, response) => !!response.writeHead(403).end('{}');
    await expect(run(site.url, createCalendar())).rejects.toThrow('refuses these credentials');
  });

  test('reads pages again that an interrupted run has read more than six hours ago', async () => {
    const site = await oldSite();
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    site.interfere = (path, response) => {
      if (!path.includes('/v1/events?') || !path.includes('&page=1')) return false;
      response.writeHead(503).end('busy');
      return true;
    };
    await expect(run(site.url, createCalendar(), { folder })).rejects.toThrow('answers 503');
    const [pages = ''] = readdirSync(folder).map((name) => join(folder, name));
    const sevenHoursAgo = Date.now() / 1000 - 7 * 3_600;
    utimesSync(pages, sevenHoursAgo, sevenHoursAgo);
    site.interfere = undefined;
    expect(await run(site.url, createCalendar(), { folder })).not.toContain('Resuming');
  });

  test('is repeated with --watch, also after a run that failed', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    const waits: number[] = [];
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
      site.interfere = undefined;
      if (waits.length === 2) site.events.push(oldEvent(201, 'Later', 'later'));
      if (waits.length === 3) throw new TypeError('ended');
    };
    site.interfere = (_path, response) => !!response.writeHead(404).end();
    await expect(run(site.url, settings, { watch: '2h', wait })).rejects.toThrow('ended');
    expect(waits).toEqual([7_200_000, 7_200_000, 7_200_000]);
    expect(await query(settings, ({ view }) => view('event', 201))).toMatchObject({ title: 'Later' });
    for (const [watch, milliseconds] of [
      ['90s', 90_000],
      ['5m', 300_000],
    ] as const) {
      const once = async (pause: number) => {
        throw new TypeError(`ended after ${pause}`);
      };
      await expect(run(site.url, settings, { watch, wait: once })).rejects.toThrow(`after ${milliseconds}`);
    }
    await expect(run(site.url, settings, { watch: 'often' })).rejects.toThrow('--watch must be');
  });

  test('reports the fields that differ', async () => {
    const site = await oldSite();
    site.events.push(
      ...Array.from({ length: 25 }, (_, index) => 301 + index).map((id) =>
        oldEvent(id, 'Framed', `f${id}`, { description: '<p>Hi</p><IFRAME src="x"></IFRAME>' }),
      ),
      oldEvent(401, 'Dear', 'dear', {
        cost: '$5',
        cost_details: { currency_symbol: '€', currency_position: 'prefix', values: ['5'] },
      }),
    );
    const output = await run(site.url, createCalendar());
    expect(output).toMatch(/event\.cost_details: \d, for example \d+: \{.*\} there, \{.* here/);
    expect(output).toMatch(/event\.description: 25, for example 301/);
    expect(output).toMatch(/are removed from: event\/301, .*, event\/320, \.{3} \(25\)\./);
    expect(output).not.toContain('missing');
  });

  test('reads a site that has its API in the query', async () => {
    const site = await oldSite();
    site.interfere = (path, response) => path.startsWith('/wp-json') && !!response.writeHead(404).end('no');
    const settings = createCalendar();
    expect(await run(`${site.url}/`, settings, oldUser)).not.toContain('repeats earlier pages');
    expect(await query(settings, ({ replica }) => replica.posts.event.size)).toBe(5);
  });

  test('is rejected where no calendar exists', async () => {
    const site = await startOldSite();
    sites.push(site);
    site.interfere = (_path, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>');
      return true;
    };
    await expect(run(site.url, createCalendar())).rejects.toThrow('There is no calendar of this API at');
  });
});

describe('an export', () => {
  test('can be imported completely, without passwords', async () => {
    const site = await oldSite();
    const settings = createCalendar();
    const copy = createCalendar();
    await run(site.url, settings);
    const folder = mkdtempSync(join(tmpdir(), 'export-'));
    const file = join(folder, 'calendar.jsonl');
    await exportCalendar(file, await openTarget(config, settings));
    await run(file, copy);
    const records = ({ replica }: Target) => replica.records().map(withoutNotes);
    expect(await query(copy, records)).toEqual(await query(settings, records));
    await writeFile(file, '{"no":"export"}\n');
    await expect(run(file, copy)).rejects.toThrow('is no export of a calendar');

    const table = join(folder, 'events.csv');
    await exportCalendar(table, await openTarget(config, settings));
    expect(await readFile(table, 'utf8')).toMatch(/^\uFEFFid,title,.*\r\n101,/);
    expect([file, table].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);
  });
});
