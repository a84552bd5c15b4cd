/** Recurring events of a site with Events Calendar Pro: each is a series here, and its old addresses lead to its dates. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { useCalendarApp } from '../support/calendar-app.ts';
import { settingsOfOwnTable } from '../support/shared-emulators.ts';
import { type OldSite, oldEvent, oldOccurrences, startOldSite } from './support/old-site.ts';

type Json = ReturnType<typeof JSON.parse>;

const table = settingsOfOwnTable();
const app = useCalendarApp(table);

let site: OldSite;
beforeEach(async () => {
  site = await startOldSite({ perPage: 3 });
});
afterEach(() => site.stop());

/** Each test has a source of its own, and words of its own. */
let sources = 0;

function sourceOf(word: string) {
  sources += 1;
  const source = `https://${word}.example.org`;
  const first = 10_000_000 + sources * 1_000;
  const days = ['2031-03-04', '2031-03-11', '2031-04-01', '2031-04-08'];
  const author = String(sources);
  const at = (view: Json): Json => ({
    ...view,
    author,
    url: view.url.replace('https://old.example.org', source),
  });
  return {
    first,
    days,
    occurrences: (title: string, slug: string, of = days, id = first, fields = {}) =>
      oldOccurrences(id, title, slug, of, fields).map(at),
    event: (id: number, title: string, slug: string, fields = {}) => at(oldEvent(id, title, slug, fields)),
    async import(options: Partial<Parameters<typeof importCommand>[2]> = {}): Promise<string> {
      const output: string[] = [];
      const config = readConfig({
        ...table,
        CALENDAR_SITE_URL: 'https://new.example.org',
        CALENDAR_TIME_ZONE: 'UTC',
      });
      await importCommand(site.url, await openTarget(config), {
        isDryRun: false,
        say: (line) => output.push(line),
        folder: mkdtempSync(join(tmpdir(), 'series-')),
        wait: async () => {},
        source,
        ...options,
      });
      return output.join('\n');
    },
  };
}

/** Asks without following; the address that a reply leads to is without the site. */
async function open(path: string) {
  const { origin } = new URL(app.root);
  const reply = await fetch(origin + path, { redirect: 'manual' });
  await reply.arrayBuffer();
  return [reply.status, reply.headers.get('location')?.replace(origin, '')];
}

async function seriesOf(title: string): Promise<Json> {
  const { body } = await app.call('GET', '/series?per_page=50', { as: 'editor' });
  const [found, ...others] = body.series.filter((series: Json) => series.title === title);
  expect(others).toEqual([]);
  return (await app.call('GET', `/series/${found.id}`, { as: 'editor' })).body;
}

const datesOf = ({ dates }: Json) =>
  dates.map(({ recurrence_id: day, start_date: start }: Json) => [day, start.slice(0, 10)]);

async function titled(search: string): Promise<Json[]> {
  const query = `start_date=2020-01-01&end_date=2040-01-01&per_page=50&search=${encodeURIComponent(search)}`;
  const { body } = await app.call('GET', `/events?${query}`);
  return body.events.toSorted((a: Json, b: Json) => (a.start_date < b.start_date ? -1 : 1));
}

test('a recurring event is a series, and its addresses lead to the right dates', async () => {
  const source = sourceOf('choir');
  const { first, days } = source;
  site.events.push(
    ...source.occurrences('Choir', 'choir'),
    source.event(7, 'Links', 'links', {
      description: `<p><a href="https://choir.example.org/event/choir/2031-04-01/">one</a> <a href="https://choir.example.org/event/choir/">all</a></p>`,
    }),
  );
  const output = await source.import();
  expect(output).toContain('import: 6 new, 0 changed');
  expect(output).not.toContain('event.slug');
  expect(output).toContain('series: 1, of 4 occurrences of recurring events');
  const series = await seriesOf('Choir');
  expect(series).toMatchObject({ rrule: '', rdate: days, total: 4 });
  expect(datesOf(series)).toEqual(days.map((day) => [day, day]));
  const events = await titled('Choir');
  expect(events.map(({ id, slug }) => [id, slug])).toEqual(
    days.map((day, index) => [first + index, `choir-${day}`]),
  );
  const found = {
    '/event/choir/2031-04-01/': [301, '/event/choir-2031-04-01/'],
    '/event/choir/2031-04-01/?ical=1': [301, '/event/choir-2031-04-01/?ical=1'],
    '/event/choir/': [301, '/event/choir-2031-03-04/'],
    '/event/choir/all/': [301, '/event/choir-2031-03-04/'],
    '/event/choir/feed/': [301, '/event/choir-2031-03-04/feed/'],
    '/event/choir/2029-01-01/': [301, '/event/choir-2031-03-04/'],
    '/series/choir/': [301, '/event/choir-2031-03-04/'],
    '/?tribe_events=choir': [301, '/event/choir-2031-03-04/'],
    '/event/choir-2031-04-01/': [200, undefined],
    '/event/choirs/': [404, undefined],
  };
  for (const [path, reply] of Object.entries(found)) expect(await open(path), path).toEqual(reply);
  const [links] = await titled('Links');
  expect(links.description).toContain(`/?post_type=tribe_events&amp;p=${first + 2}"`);
  expect(links.description).toContain(`/?post_type=tribe_events&amp;p=${first}"`);
  // What is taken away is not led to.
  await app.call('DELETE', `/events/${first}`, { as: 'editor' });
  expect(await open('/event/choir/')).toEqual([301, '/event/choir-2031-03-11/']);
  expect(await open('/event/choir/2031-03-04/')).toEqual([410, undefined]);
  expect(await source.import()).toContain('0 new, 0 changed');
});

test('a second import doubles and undoes nothing, and follows what is added, moved and cancelled there', async () => {
  const source = sourceOf('yoga');
  const { first, days } = source;
  site.events.push(...source.occurrences('Yoga', 'yoga'));
  await source.import();
  expect(await source.import()).toContain('import: 0 new, 0 changed, 5 unchanged');
  // One date alone, this and later, and all.
  const series = await seriesOf('Yoga');
  const change = async (index: number, scope: string, fields: object) => {
    const body = { event: series.dates[index].event, scope, ...fields };
    expect((await app.change(`/series/${series.id}`, body)).status).toBe(200);
  };
  await change(1, 'this', { title: 'Yoga for one' });
  await change(2, 'later', { cost: '50' });
  await change(0, 'all', { website: 'https://yoga.example.com/' });
  const before = await seriesOf('Yoga');
  expect(await source.import()).toContain('import: 0 new, 0 changed');
  expect(await seriesOf('Yoga')).toEqual(before);
  // There: another text, a date more, the third an hour later, and the last cancelled.
  const added = source.occurrences('Yoga', 'yoga', ['2031-04-15'], first + 90);
  site.events.push(...added);
  for (const event of site.events) event['description'] = '<p>New text.</p>';
  Object.assign(site.events[2] ?? {}, {
    start_date: '2031-04-01 20:00:00',
    utc_start_date: '2031-04-01 18:00:00',
  });
  site.events.splice(3, 1);
  const output = await source.import({ prunesMissing: true });
  expect(output).toContain('import: 1 new, 3 changed');
  expect(output).toContain(`Deleted in the source: event/${first + 3}`);
  const events = await titled('Yoga');
  const shown = events.map(({ title, cost, start_date, description, website }) => [
    title,
    cost,
    start_date,
    description.includes('New text'),
    website,
  ]);
  const here = 'https://yoga.example.com/';
  expect(shown).toEqual([
    ['Yoga', '', '2031-03-04 19:00:00', true, here],
    ['Yoga for one', '', '2031-03-11 19:00:00', true, here],
    ['Yoga', '$50', '2031-04-01 20:00:00', true, here],
    ['Yoga', '$50', '2031-04-15 19:00:00', true, here],
  ]);
  const after = await seriesOf('Yoga');
  expect(after.rdate).toEqual([...days.slice(0, 3), '2031-04-15']);
  expect((await open('/event/yoga/2031-04-08/'))[0]).toBe(410);
  expect(await open('/event/yoga/2031-04-15/')).toEqual([301, '/event/yoga-2031-04-15/']);
  expect(await source.import({ prunesMissing: true })).toContain('import: 0 new, 0 changed');
});

test('occurrences that are numbered anew, and a site that loses its plugin, double nothing', async () => {
  const source = sourceOf('dance');
  const { first, days } = source;
  site.events.push(...source.occurrences('Dance', 'dance'));
  await source.import();
  await app.change(`/events/${first}`, { title: 'Dance here' });
  const ids = async () => (await titled('Dance')).map(({ id, title }) => [id, title]);
  const before = await ids();
  // The second has the number of the first by now, and so on.
  const later = source.occurrences('Dance', 'dance', [...days.slice(1), '2031-05-06']);
  site.events.splice(0, 4, ...later);
  const shifted = await source.import({ prunesMissing: true });
  expect(shifted).toContain('import: 1 new, 0 changed');
  expect(shifted).toContain(`Deleted in the source: event/${first}`);
  expect(await ids()).toEqual([...before.slice(1), [1_500_000_000, 'Dance']]);
  expect(await source.import({ prunesMissing: true })).toContain('import: 0 new, 0 changed');
  // All of them have other numbers.
  site.events.splice(
    0,
    4,
    ...source.occurrences('Dance', 'dance', [...days.slice(1), '2031-05-06'], first + 500),
  );
  expect(await source.import({ prunesMissing: true })).toContain('import: 0 new, 0 changed');
  expect(await ids()).toEqual([...before.slice(1), [1_500_000_000, 'Dance']]);
  // Without its plugin the site has one event, in the place of them all.
  const [one] = source.occurrences('Dance', 'dance', days.slice(1, 2), 70);
  site.events.splice(0, 4, { ...one, url: 'https://dance.example.org/event/dance/' });
  const alone = await source.import();
  expect(alone).toContain('import: 0 new, 0 changed');
  expect((await ids()).length).toBe(4);
  expect((await seriesOf('Dance')).total).toBe(4);
  // It comes back.
  site.events.splice(0, 1, ...later);
  expect(await source.import()).toContain('import: 0 new, 0 changed');
  expect((await ids()).length).toBe(4);
});

test('a single event that becomes a recurring one keeps its number, and one of two on a day stands beside the series', async () => {
  const source = sourceOf('talk');
  const { first, days } = source;
  const [one] = source.occurrences('Talk', 'talk', days.slice(0, 1), 80);
  const alone = { ...one, url: 'https://talk.example.org/event/talk/' };
  site.events.push(alone);
  await source.import();
  expect(await open('/event/talk/')).toEqual([200, undefined]);
  const matinee = source.occurrences('Talk', 'talk', ['2031-03-11'], first + 40, {
    url: 'https://talk.example.org/event/talk/2031-03-11/2/',
    start_date: '2031-03-11 21:00:00',
  });
  site.events.splice(0, 1, ...source.occurrences('Talk', 'talk'), ...matinee);
  const output = await source.import();
  expect(output).toContain('import: 4 new, 1 changed');
  expect(output).toContain(
    `Occurrences beside their series, which has one on a day and 500 in all: event/${first + 40}`,
  );
  const events = await titled('Talk');
  expect(events.map(({ id, slug }) => [id, slug])).toEqual([
    [80, 'talk-2031-03-04'],
    [first + 1, 'talk-2031-03-11'],
    [first + 40, 'talk-2031-03-11-2'],
    [first + 2, 'talk-2031-04-01'],
    [first + 3, 'talk-2031-04-08'],
  ]);
  expect(await open('/event/talk/')).toEqual([301, '/event/talk-2031-03-04/']);
  expect(await open('/event/talk/2031-03-11/2/')).toEqual([301, '/event/talk-2031-03-11-2/']);
  expect(await source.import()).toContain('import: 0 new, 0 changed');
});

test('a site without words in its addresses names dates in their queries, and its other pages are none of them', async () => {
  const source = sourceOf('plain');
  const { first, days } = source;
  const address = 'https://plain.example.org/?';
  const links = [
    'tribe_events=plain&#038;eventDate=2031-04-01',
    'tribe_events=plain',
    'page_id=7',
    'cat=3',
    '',
  ];
  site.events.push(
    ...source.occurrences('Plain', 'plain').map((event, index) => ({
      ...event,
      url: `${address}tribe_events=plain&eventDate=${days[index]}`,
    })),
    source.event(97, 'Linking plainly', 'linking-plainly', {
      url: `${address}tribe_events=linking-plainly`,
      description: links.map((query) => `<a href="${address}${query}">x</a>`).join(' '),
    }),
  );
  const report = await source.import();
  expect(report).not.toContain('event.website');
  const [linking] = await titled('Linking plainly');
  const targets = Array.from(linking.description.matchAll(/href="([^"]*)"/g), ([, target]) => target);
  expect(targets.map((target) => target.replace(/^.*tribe_events&amp;p=/, ''))).toEqual([
    String(first + 2),
    String(first),
    `${address}page_id=7`,
    `${address}cat=3`,
    address,
  ]);
  expect(await open('/?tribe_events=plain&eventDate=2031-04-01&ical=1')).toEqual([
    301,
    '/event/plain-2031-04-01/?ical=1',
  ]);
  expect(await open('/?tribe_events=plain')).toEqual([301, '/event/plain-2031-03-04/']);
  expect(await open('/?tribe_events=plain&eventDate=2029-04-01')).toEqual([301, '/event/plain-2031-03-04/']);
  expect(await open('/event/plain/2031-04-01/')).toEqual([301, '/event/plain-2031-04-01/']);
  expect(await open('/?tribe_events=linking-plainly')).toEqual([301, '/event/linking-plainly/']);
  await app.call('DELETE', `/events/${first + 2}`, { as: 'editor' });
  expect(await open('/?tribe_events=plain&eventDate=2031-04-01')).toEqual([410, undefined]);
  expect(await source.import()).toContain('import: 0 new, 0 changed');
});

test('an occurrence has another slug where the source or a person here has its own', async () => {
  const source = sourceOf('fair');
  const { first, days } = source;
  const own = { title: 'Fair here', slug: 'fair-2031-04-01' };
  const times = { start_date: '2031-04-02 10:00:00', end_date: '2031-04-02 12:00:00' };
  const { id } = await app.create('events', { ...own, ...times });
  const special = source.event(95, 'Fair special', 'fair-2031-03-11', { start_date: '2031-03-12 19:00:00' });
  site.events.push(special, ...source.occurrences('Fair', 'fair'));
  expect(await source.import()).not.toContain('refused');
  const slugs = async () => (await titled('Fair')).map((event) => [event.id, event.slug]);
  const expected = [
    [first, 'fair-2031-03-04'],
    [first + 1, `fair-2031-03-11-${first + 1}`],
    [95, 'fair-2031-03-11'],
    [first + 2, `fair-2031-04-01-${first + 2}`],
    [id, 'fair-2031-04-01'],
    [first + 3, 'fair-2031-04-08'],
  ];
  expect(await slugs()).toEqual(expected);
  for (const index of [1, 2])
    expect(await open(`/event/fair/${days[index]}/`)).toEqual([
      301,
      `/event/fair-${days[index]}-${first + index}/`,
    ]);
  expect(await source.import()).toContain('import: 0 new, 0 changed');
  expect(await slugs()).toEqual(expected);
});

test('the latest 500 of more dates are a series, and what stands for all of them is no event', async () => {
  const source = sourceOf('daily');
  await site.stop();
  site = await startOldSite({ perPage: 50 });
  const days = Array.from({ length: 520 }, (_, index) =>
    new Date(Date.UTC(2029, 0, 1 + index)).toISOString().slice(0, 10),
  );
  const [whole] = source.occurrences('Daily', 'daily', days.slice(0, 1), 90, {
    url: 'https://daily.example.org/event/daily/2029-02-01/',
  });
  site.events.push(whole, ...source.occurrences('Daily', 'daily', days));
  const output = await source.import();
  expect(output).toContain('import: 521 new');
  expect(output).toContain('Recurring events as a whole, of which each date is imported: event/90 (1).');
  expect(output).toMatch(/Occurrences beside their series, .*\(20\)\./);
  const { body } = await app.call('GET', '/series?per_page=50', { as: 'editor' });
  const { id } = body.series.find(({ title }: Json) => title === 'Daily');
  const { total, rule_start, first_date, last_date } = (await app.call('GET', `/series/${id}`)).body;
  expect([total, rule_start, first_date, last_date]).toEqual([
    500,
    days[20],
    `${days[20]} 19:00:00`,
    `${days.at(-1)} 19:00:00`,
  ]);
  expect(await open(`/event/daily/${days[3]}/`)).toEqual([301, `/event/daily-${days[3]}/`]);
  expect(await source.import()).toContain('import: 0 new, 0 changed');
});
