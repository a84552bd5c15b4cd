/** The addresses that the pages of a site had: they lead to the pages here, whatever words the site had in them. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { useCalendarApp } from '../support/calendar-app.ts';
import { settingsOfOwnTable } from '../support/shared-emulators.ts';
import { type OldSite, oldContact, oldEvent, oldTerm, startOldSite } from './support/old-site.ts';

const table = settingsOfOwnTable();
const app = useCalendarApp(table);

const dates = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 12:00:00' };

let site: OldSite;

beforeEach(async () => {
  site = await startOldSite({ perPage: 50 });
});
afterEach(() => site.stop());

async function runImport(source: string | undefined = 'https://old.example.org'): Promise<string> {
  const output: string[] = [];
  const config = readConfig({
    ...table,
    CALENDAR_SITE_URL: 'https://new.example.org',
    CALENDAR_TIME_ZONE: 'UTC',
  });
  await importCommand(site.url, await openTarget(config), {
    isDryRun: false,
    say: (line) => output.push(line),
    folder: mkdtempSync(join(tmpdir(), 'addresses-')),
    source,
  });
  return output.join('\n');
}

/** Asks without following; the address that a reply leads to is without the site. */
async function open(path: string) {
  const { origin } = new URL(app.root);
  const reply = await fetch(origin + path, { redirect: 'manual' });
  await reply.arrayBuffer();
  return [reply.status, reply.headers.get('location')?.replace(origin, '')];
}

test('words of the site in its addresses, its folder and its renamed records', async () => {
  const old = 'https://old.example.org/kultur';
  const music = oldTerm(5, 'Music', 'music', { url: `${old}/arrangementer/category/music/` });
  const tag = oldTerm(7, 'Free', 'free', { taxonomy: 'post_tag', url: `${old}/emne/free/` });
  const hall = oldContact('venue', 12, 'Hall', { url: `${old}/sted/hall/` });
  const day = oldEvent(1, 'Day', 'day', { url: `${old}/arrangement/day/`, categories: [music], tags: [tag] });
  const draft = oldEvent(2, 'Private', 'private', { url: `${old}/arrangement/private/` });
  site.categories.push(music);
  site.tags.push(tag);
  site.venues.push(hall);
  site.events.push(day, draft, oldEvent(3, 'Same', 'same'));
  await runImport();
  const found = {
    '/kultur/arrangement/day/': [301, '/event/day/'],
    '/kultur/arrangement/day?ical=1': [301, '/event/day/?ical=1'],
    '/Kultur/Arrangement/DAY/feed/': [301, '/event/day/feed/'],
    '/kultur/sted/hall/': [301, '/venue/hall/'],
    '/kultur/emne/free/': [301, '/tag/free/'],
    '/kultur/arrangementer/': [301, '/events/'],
    '/kultur/arrangementer/month/2027-06/?ical=1': [301, '/events/month/2027-06/?ical=1'],
    '/kultur/arrangementer/category/music/': [301, '/events/category/music/'],
    '/kultur/': [404, undefined],
    '/kultur/arrangement/none/': [404, undefined],
    '/event/same/': [200, undefined],
    '/events/none/': [404, undefined],
  };
  for (const [path, reply] of Object.entries(found)) expect(await open(path), path).toEqual(reply);
  // A rename of the site, one of here, and what is withdrawn.
  Object.assign(day, { slug: 'great-day', url: `${old}/arrangement/great-day/` });
  Object.assign(draft, { status: 'draft' });
  await app.change('/events/3', { slug: 'not-the-same' });
  expect(await runImport()).toContain('event/3 (slug)');
  const later = {
    '/kultur/arrangement/day/': [301, '/event/great-day/'],
    '/kultur/arrangement/great-day/': [301, '/event/great-day/'],
    '/event/day/': [301, '/event/great-day/'],
    '/event/same/': [301, '/event/not-the-same/'],
    '/kultur/arrangement/private/': [404, undefined],
  };
  for (const [path, reply] of Object.entries(later)) expect(await open(path), path).toEqual(reply);
  // Nothing is decided again, and no view shows the addresses.
  expect(await runImport()).toContain('import: 0 new, 0 changed');
  expect(JSON.stringify((await app.call('GET', '/events/1', { as: 'editor' })).body)).not.toContain('kultur');
});

test('a site that is followed has no address that is one of here, whatever it calls its pages', async () => {
  const old = 'https://old.example.org';
  site.events.push(oldEvent(1, 'Theirs', 'theirs', { url: `${old}/arrangement/theirs/` }));
  await runImport();
  const { id: mayor } = await app.create('events', { ...dates, title: 'Mayor', slug: 'mayor' });
  const { id: renamed } = await app.create('events', { ...dates, title: 'Renamed', slug: 'before' });
  await app.change(`/events/${renamed}`, { slug: 'after' });
  const claimed = [
    '/event/mayor/',
    '/event/mayor/feed/',
    '/event/before/',
    '/event/before/2031-05-01/',
    '/event/',
    '/venue/',
    '/edit/',
    '/edit/event/',
    '/records/',
    '/calendar/',
    '/api/',
    '/api/v8.0/diaries/',
    '/wp-json/',
    '/wp-json/tribe/',
    '/wp-json/tribe/events/v1/events/',
    '/wp-content/uploads/',
    '/arrangement/theirs-too/',
  ];
  for (const [index, path] of claimed.entries())
    site.events.push(oldEvent(100 + index, `Claim ${index}`, `claim-${index}`, { url: old + path }));
  site.categories.push(
    oldTerm(300, 'Lists', 'lists', { url: `${old}/event/category/lists/` }),
    oldTerm(301, 'More', 'more', { url: `${old}/wp-json/category/more/` }),
  );
  const paths = [...claimed, '/tag/']
    .flatMap((path) => [path, `${path}none/`, `${path}none/feed/`])
    .filter((path) => !path.startsWith('/arrangement/theirs-too/'));
  const visited = async () => {
    const found: Record<string, unknown> = {};
    for (const path of paths) found[path] = await open(path);
    return found;
  };
  const before = await visited();
  const report = await runImport();
  // All that lead nowhere are named, and no other.
  const [, named = ''] =
    /^Addresses of the source that lead nowhere here.*?: (.*) \(\d+\)\.$/m.exec(report) ?? [];
  const refused = claimed.slice(0, -1).map((path, index) => `event/${100 + index} (${path})`);
  expect(named.split(', ').toSorted()).toEqual(
    [...refused, 'category/301 (/wp-json/category/more/)'].toSorted(),
  );
  expect(await open('/arrangement/theirs-too/')).toEqual([301, '/event/claim-16/']);
  expect(await visited()).toEqual(before);
  // What nobody may open any more leads nowhere.
  await app.change(`/events/${mayor}`, { status: 'private' });
  await app.change(`/events/${renamed}`, { status: 'draft' });
  const withdrawn = {
    '/event/mayor/': [404, undefined],
    '/event/mayor/feed/': [403, undefined],
    '/event/before/': [404, undefined],
    '/event/before/2031-05-01/': [404, undefined],
  };
  for (const [path, reply] of Object.entries(withdrawn)) expect(await open(path), path).toEqual(reply);
});

test('events keep the names that they have in feeds of the site, and those of here have their own', async () => {
  const old = 'https://old.example.org';
  const byNumber = `${old}/?post_type=tribe_events&p=501`;
  site.events.push(
    oldEvent(501, 'Named by number', 'named-by-number', { guid: byNumber }),
    oldEvent(502, 'Named by page', 'named-by-page', { guid: `${old}/event/named-by-page-2/` }),
  );
  await runImport();
  const soon = { start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00' };
  const { id } = await app.create('events', { ...soon, title: 'Named here' });
  const { origin } = new URL(app.root);
  const feed = await fetch(`${origin}/events/feed/?search=named&per_page=50`).then((reply) => reply.text());
  const guids = Array.from(feed.matchAll(/<guid isPermaLink="false">([^<]*)</g), ([, guid]) => guid);
  const expected = [
    byNumber.replace('&', '&amp;'),
    `${old}/event/named-by-page-2/`,
    `https://calendar.example.org/?post_type=tribe_events&amp;p=${id}`,
  ];
  expect(guids.toSorted()).toEqual(expected.toSorted());
  const post = await fetch(`${origin}/wp-json/wp/v2/tribe_events/501`).then((reply) => reply.json());
  expect(post).toMatchObject({ guid: { rendered: byNumber.replace('&', '&#038;') } });
  // What the source calls it later changes nothing; a copy is another event.
  Object.assign(site.events[0] ?? {}, { guid: `${old}/anew` });
  const { description, guid } = await app.create('events', { ...dates, title: 'Copy', copy_of: 501 });
  expect([description, guid]).toEqual(['<p>About 501.</p>', undefined]);
  await app.change('/events/501', { title: 'Named anew' });
  expect((await app.call('GET', '/events/501')).body.guid).toBe(byNumber);
  expect(await runImport()).toContain('import: 0 new, 0 changed');
});

test('earlier addresses of records that were renamed before the first import are known where texts link to them', async () => {
  const at = (path: string) => `${site.url}/arrangement/${path}/`;
  const from = { author: '40' };
  const text = [
    `<a href="${at('spring-2030')}">renamed</a>`,
    `<a href="/arrangement/spring-2029?x#top">with a query</a>`,
    `<a href="/arrangement/spring-2029#top">renamed before</a>`,
    `<a href="${at('nothing')}">nothing</a>`,
    `<a href="${at('away')}">away</a>`,
    `<a href="${site.url}/about/">another page</a>`,
  ].join(' ');
  site.events.push(
    oldEvent(701, 'Spring', 'spring', { ...from, url: at('spring') }),
    oldEvent(702, 'Linking', 'linking', { ...from, url: at('linking'), description: `<p>${text}</p>` }),
  );
  site.renamed.set('/arrangement/spring-2030/', at('spring'));
  site.renamed.set('/arrangement/spring-2029', at('spring-2030'));
  site.renamed.set('/arrangement/away/', 'https://away.example.org/');
  await runImport(site.url);
  const linking = async () => (await app.call('GET', '/events/702')).body.description;
  const reference = '/?post_type=tribe_events&amp;p=701';
  const before = await linking();
  expect(before.split(reference).length - 1).toBe(3);
  expect(before).toContain(`${reference}#top"`);
  for (const path of ['/arrangement/spring-2030/', '/arrangement/spring-2029/', '/arrangement/spring/'])
    expect(await open(path), path).toEqual([301, '/event/spring/']);
  expect(await open('/arrangement/nothing/')).toEqual([404, undefined]);
  // What is known is not asked again, and stays known where the source does not answer.
  const asked = () => site.requests.filter((path) => path.startsWith('/arrangement/spring-'));
  const count = asked().length;
  expect(count).toBeGreaterThan(0);
  site.renamed.clear();
  expect(await runImport(site.url)).toContain('import: 0 new, 0 changed');
  expect(asked().length).toBe(count);
  expect(await linking()).toBe(before);
});

test('the list of a site without categories is known by the page of an event', async () => {
  site.listPath = '/kalender/';
  site.events.push(
    oldEvent(801, 'Only', 'only', { author: '41', url: `${site.url}/forestilling/only/` }),
    oldEvent(802, 'More', 'more', { author: '41', url: `${site.url}/forestilling/more/` }),
  );
  site.tags.push(oldTerm(81, 'Gratis', 'gratis', { taxonomy: 'post_tag', url: `${site.url}/emne/gratis/` }));
  site.organizers.push(
    oldContact('organizer', 803, 'Choir', { author: '41', url: `${site.url}/udbyder/choir/` }),
  );
  await runImport(site.url);
  const found = {
    '/kalender/': [301, '/events/'],
    '/kalender/month/2027-06/?ical=1': [301, '/events/month/2027-06/?ical=1'],
    '/kalender/tag/gratis/': [301, '/events/tag/gratis/'],
    '/emne/gratis/': [301, '/tag/gratis/'],
    '/udbyder/choir/': [301, '/organizer/choir/'],
    '/forestilling/only/': [301, '/event/only/'],
  };
  for (const [path, reply] of Object.entries(found)) expect(await open(path), path).toEqual(reply);
  expect(await runImport(site.url)).toContain('import: 0 new, 0 changed');
  // A site cannot have a page of the service as its list.
  site.listPath = '/swagger/';
  await runImport(site.url);
  expect((await open('/swagger/none/'))[0]).toBe(404);
  expect(await open('/kalender/')).toEqual([301, '/events/']);
});
