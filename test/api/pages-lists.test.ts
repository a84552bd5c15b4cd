/** The lists of events for citizens: which events they show, in which order, and where their links lead. */

import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({ CALENDAR_TIME_ZONE: 'Europe/Copenhagen' });

async function read(query: string) {
  const reply = await fetch(new URL(`/calendar?${query}`, app.root), { headers: { Accept: 'text/html' } });
  const text = (await reply.text()).replaceAll('&amp;', '&');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const link = (rel: string) => all(new RegExp(`<a rel="${rel}" href="([^"]*)"`, 'g'))[0];
  return {
    status: reply.status,
    events: all(/<h3><a href="[^"]*\/event\/([\w-]+)\//g),
    days: all(/<div class="date-block"[^>]*><span>[^<]*<\/span><b>(.*?)<\/b>/g),
    times: all(/<time [^>]*>(.*?)<\/time>/g),
    months: all(/<h2 class="month">(.*?)<\/h2>/g),
    previous: link('prev'),
    next: link('next'),
    showAll: all(/<a href="([^"]*)">(?:Show all events|Vis alle begivenheder)</g)[0],
    showPast: all(/<a href="([^"]*)">Show past events</g)[0],
    heading: all(/<h1>(.*?)<\/h1>/g)[0],
    count: all(/<p class="muted" role="status">(.*?)<\/p>/g)[0],
    chips: all(/<a class="chip[^"]*" href="([^"]*)" aria-current/g),
    cards: all(/<li class="card[^"]*">.*?\/event\/([\w-]+)\//g),
    tabs: all(/<a href="([^"]*)"(?: aria-current="true")?>(?:List|Month|Week)</g),
    current: all(/aria-current="true">(List|Month|Week)</g),
    excerpts: all(/<p class="excerpt">(.*?)<\/p>/g),
    hidden: all(/<input type="hidden" name="(\w+)"/g),
    hasOpenFilters: text.includes('<details open>'),
    chosen: all(/<option(?=[^>]* selected)[^>]* value="([^"]*)"/g),
    feed: all(/href="webcal:\/\/[^"]*events\.ics([^"]*)"/g)[0],
  };
}

const create = (slug: string, start_date: string, end_date: string, more = {}) =>
  app.create('events', { title: slug, slug, start_date, end_date, ...more });

const hours = (count: number) =>
  new Date(Date.now() + count * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

describe('the list', () => {
  beforeAll(async () => {
    await create('long-over', hours(-72), hours(-71));
    await create('just-over', hours(-3), hours(-1));
    await create('goes-on', hours(-2), hours(2));
    await create('later', hours(48), hours(49));
    await create('soon', hours(24), hours(25));
    await create('hidden', hours(24), hours(25), { hide_from_listings: true });
    await create('draft', hours(24), hours(25), { status: 'draft' });
  });

  test('has what is not over, the first to come first, and then what is over, the latest first', async () => {
    const upcoming = await read('');
    expect(upcoming.events).toEqual(['goes-on', 'soon', 'later']);
    const past = await read(String(upcoming.previous?.slice(1)));
    expect(past.events).toEqual(['just-over', 'long-over']);
    expect((await read(String(past.previous?.slice(1)))).events).toEqual(upcoming.events);
    const tabs = ['?', '?view=month', '?view=week'];
    expect([upcoming.tabs, upcoming.current]).toEqual([tabs, ['List']]);
    expect([past.tabs, past.current]).toEqual([tabs, []]);
  });

  test.each(['0', '00', '-1', 'x', '1e3'])('has its first page for the page %s', async (page) => {
    expect((await read(`page=${page}`)).events).toEqual(['goes-on', 'soon', 'later']);
  });

  test('shows of an event its excerpt, else its description', async () => {
    const venue = await app.create('venues', { venue: 'Cellar' });
    const described = { venue: venue.id, description: '<p>All <b>of</b> it.</p>' };
    await create('with-excerpt', hours(30), hours(31), { ...described, excerpt: 'In short.' });
    await create('without-excerpt', hours(32), hours(33), described);
    await create('without-either', hours(34), hours(35), { venue: venue.id });
    expect((await read(`venue=${venue.id}`)).excerpts).toEqual(['In short.', 'All of it.']);
  });

  test('of an organizer has its events alone, as its feed has', async () => {
    const { id } = await app.create('organizers', { organizer: 'Choir' });
    await create('of-the-choir', hours(36), hours(37), { organizer: [id] });
    const { events, feed, hasOpenFilters } = await read(`organizer=${id}`);
    expect([events, feed, hasOpenFilters]).toEqual([['of-the-choir'], `?organizer=${id}`, true]);
  });

  test.each(['2027-13-45', '2027-02-30', '0000-00-00', '2027-1-1', 'soon'])(
    'of %s, which is no day, is that of all days',
    async (date) => {
      const all = await read('');
      const list = await read(`date=${date}`);
      expect(list.events).toEqual(all.events);
      expect(list.hasOpenFilters).toBe(false);
      for (const view of ['month', 'week'])
        expect(await read(`view=${view}&date=${date}`), view).toEqual(await read(`view=${view}`));
    },
  );

  test('of past events asked for a day is that from the day on', async () => {
    const { events, hidden } = await read('past=true&date=2090-01-01');
    expect([events, hidden]).toEqual([[], []]);
    const past = await read('past=true');
    expect(past.hidden).toEqual(['past']);
    const from = hours(-80).slice(0, 10);
    const onwards = await read(`past=true&date=${from}`);
    expect(onwards.events).toEqual((await read(`date=${from}`)).events);
    expect(onwards.events).toEqual(expect.arrayContaining(['long-over', 'soon']));
  });

  test('of nothing leads to all, without the filters, in the language that was chosen', async () => {
    const { events, showAll } = await read('search=nothing&translation_language=da');
    expect([events, showAll]).toEqual([[], '?translation_language=da']);
    expect((await read('view=week&date=2090-01-01')).showAll).toBeUndefined();
  });
});

describe('the front of the calendar', () => {
  const zone = 'Europe/Copenhagen';
  /** The present day where the calendar is, or one some days after it. */
  const day = (days = 0) =>
    new Intl.DateTimeFormat('sv', { timeZone: zone }).format(Date.now() + days * 86_400_000);
  const daysToMonday = () => (8 - new Date(day()).getUTCDay()) % 7 || 7;

  test('has the featured events that are to come on cards, each title once, and no filter has them', async () => {
    const featured = { featured: true, categories: ['Feast'] };
    for (const [hour, slug, title] of [
      [50, 'feast', 'Feast'],
      [60, 'feast-again', 'Feast'],
      [70, 'parade', 'Parade'],
      [-50, 'was-a-feast', 'Over'],
    ] as const)
      await create(slug, hours(hour), hours(hour + 1), { ...featured, title });
    expect((await read('')).cards).toEqual(['feast', 'parade']);
    for (const query of [
      'past=true',
      'categories=feast',
      'search=feast',
      'days=today',
      'page=2',
      'view=month',
    ])
      expect((await read(query)).cards, query).toEqual([]);
    // All of them, as at `/events/featured/` of a site of the plugin; what is chosen stays with a search, and can be taken back.
    const all = await read('featured=true&search=feast');
    expect([all.events, all.cards, all.hidden]).toEqual([['feast'], [], ['featured']]);
    expect(all.chips.at(-1)).toBe('?search=feast');
    expect(all.feed).toBe('?search=feast&featured=true');
    const { heading, events } = await read('featured=true');
    expect([heading, events]).toEqual(['Highlights', ['feast', 'parade']]);
    expect((await read('featured=true&past=true')).events).toEqual(['was-a-feast']);
    expect((await read('featured=perhaps')).status).toBe(200);
  });

  test('has twelve categories at once, more behind a switch, and the chosen one always in sight', async () => {
    const category = async (slug: string, more = {}): Promise<number> =>
      (await app.create('categories', { name: slug, slug, ...more })).id;
    const categories = [await category('a-chip-above')];
    categories.push(await category('chip-below', { parent: categories[0] }));
    for (let number = 10; number < 30; number += 1) categories.push(await category(`chip-${number}`));
    const event = await create('of-many-categories', hours(80), hours(81), { categories });
    const read = async (query: string) => {
      const page = await fetch(new URL(`/calendar?${query}`, app.root), { headers: { Accept: 'text/html' } });
      const [, chips = ''] =
        /<nav class="chips" aria-label="Category">(.*?)<\/nav>/s.exec(await page.text()) ?? [];
      const [shown = [], further = []] = chips
        .split('<details>')
        .map((part) => [...part.matchAll(/class="chip [^"]*" href="([^"]*)"/g)].map(([, href]) => href));
      return { shown, further };
    };
    const { shown, further } = await read('');
    expect(shown).toHaveLength(12);
    expect(shown).toContain('?categories=a-chip-above');
    expect(further).toContain('?categories=chip-29');
    expect([...shown, ...further]).not.toContain('?categories=chip-below');
    for (const chosen of ['chip-below', 'chip-29']) {
      const of = await read(`categories=${chosen}`);
      expect(of.shown[0]).toBe('?');
      expect(of.further).not.toContain('?');
    }
    for (const path of [`/events/${event.id}`, ...categories.map((id) => `/categories/${id}`)])
      await app.call('DELETE', path, { as: 'editor' });
  });

  test('has the days that people ask for, in the zone of the calendar', async () => {
    const tag = { tags: ['Days'], timezone: zone };
    const monday = daysToMonday();
    const at = async (slug: string, days: number) =>
      create(slug, `${day(days)} 23:30`, `${day(days)} 23:59`, tag);
    await at('in-today', 0);
    await at('on-sunday', monday - 1);
    await at('on-monday', monday);
    await at('on-next-sunday', monday + 6);
    await at('on-monday-after', monday + 7);
    const eventsOf = async (days: string) => (await read(`tags=days&days=${days}`)).events;
    expect(await eventsOf('today')).toContain('in-today');
    expect(await eventsOf('weekend')).toContain('on-sunday');
    expect(await eventsOf('nextWeek')).toEqual(['on-monday', 'on-next-sunday']);
    expect(await eventsOf('someday')).toHaveLength(5);
    for (const days of ['today', 'weekend']) expect(await eventsOf(days)).not.toContain('on-monday');
    const { heading, chips, count, tabs } = await read('tags=days&days=nextWeek');
    expect([heading, count, chips]).toEqual(['Next week', '2 events', ['?tags=days&days=nextWeek']]);
    expect(tabs).toEqual(['?tags=days', '?tags=days&view=month', '?tags=days&view=week']);
  });

  test('begins with a day that was chosen, however far away', async () => {
    await create('far-away', '2094-05-05 10:00', '2094-05-05 11:00', { tags: ['Far'] });
    await create('farther', '2094-05-06 10:00', '2094-05-06 11:00', { tags: ['Far'] });
    const { events, heading, count, hasOpenFilters, previous } = await read('tags=far&date=2094-05-06');
    expect([events, heading, count, hasOpenFilters]).toEqual([
      ['farther'],
      'From Thursday 6 May 2094',
      '1 event',
      true,
    ]);
    expect(previous).toBe('?tags=far&past=true');
    for (const date of ['', '2094-13', '2094-05-06x', '0000'])
      expect((await read(`tags=far&date=${date}`)).heading, date).toBe('Upcoming events');
  });

  test('repeats the words of a search as they were typed', async () => {
    const { heading } = await read('search=%3Cb%3E%26+%22far%22');
    expect(heading).toBe('Search results for “&lt;b>& &quot;far&quot;”');
  });

  test('offers past events where none is to come', async () => {
    await create('was-once', hours(-500), hours(-499), { tags: ['Once'] });
    const { events, showPast, showAll } = await read('tags=once&days=today');
    expect([events, showPast, showAll]).toEqual([[], '?tags=once&past=true', '?']);
    expect((await read(String(showPast?.slice(1)))).events).toEqual(['was-once']);
    expect((await read('tags=none')).showPast).toBeUndefined();
  });

  test('has the categories in their colours, of which the chosen one leads back', async () => {
    const { chips } = await read('categories=feast');
    expect(chips).toEqual(['?categories=feast', '?']);
  });
});

describe('the month and the week', () => {
  beforeAll(async () => {
    const day = (slug: string, start: string, end = start) => create(slug, start, end);
    await day('until-it-begins', '2091-02-27 20:00:00', '2091-03-01 00:00:00');
    await day('into-it', '2091-02-27 20:00:00', '2091-03-01 00:00:01');
    await day('its-first-second', '2091-03-01 00:00:00');
    await day('its-sunday', '2091-03-04 23:59:59');
    await day('its-monday', '2091-03-05 00:00:00');
    await day('its-last-second', '2091-03-31 23:59:59');
    await day('out-of-it', '2091-03-31 22:00:00', '2091-04-02 10:00:00');
    await day('through-it', '2091-02-01 10:00:00', '2091-04-30 10:00:00');
    await day('after-it', '2091-04-01 00:00:00');
  });

  test.each(['2091-03-01', '2091-03-15', '2091-03-31'])(
    'of %s: all that happens in the month',
    async (date) => {
      const { events, months, days, times } = await read(`view=month&date=${date}`);
      expect(events).toEqual([
        'through-it',
        'into-it',
        'its-first-second',
        'its-sunday',
        'its-monday',
        'out-of-it',
        'its-last-second',
      ]);
      expect(months).toEqual(['February 2091', 'March 2091']);
      // The day stands beside its first event alone.
      expect(days).toEqual(['1', '27', '1', '4', '5', '31']);
      expect(times.every((time) => time.includes('2091'))).toBe(true);
      const { tabs, current } = await read(`view=month&date=${date}&past=true`);
      expect([tabs, current]).toEqual([['?', '?view=month', '?view=week'], ['Month']]);
    },
  );

  test.each([
    ['2091-03-04', ['through-it', 'until-it-begins', 'into-it', 'its-first-second', 'its-sunday']],
    ['2091-03-05', ['through-it', 'its-monday']],
    ['2091-03-11', ['through-it', 'its-monday']],
    ['2091-04-01', ['through-it', 'out-of-it', 'its-last-second', 'after-it']],
  ])('of %s: all that happens from Monday to Sunday', async (date, expected) => {
    expect((await read(`view=week&date=${date}`)).events).toEqual(expected);
  });

  test('lead to those beside them, with the same filters', async () => {
    const filter = 'search=it&view=';
    const month = await read(`${filter}month&date=2091-01-31`);
    expect([month.previous, month.next]).toEqual([
      `?${filter}month&date=2090-12-01`,
      `?${filter}month&date=2091-02-01`,
    ]);
    expect(month.hidden).toEqual(['view']);
    const week = await read(`${filter}week&date=2091-01-03`);
    expect([week.previous, week.next]).toEqual([
      `?${filter}week&date=2090-12-25`,
      `?${filter}week&date=2091-01-08`,
    ]);
  });
});

test.each(['month', 'week'])(
  'the %s is followed from the present to both ends, which are a month beyond the events',
  async (view) => {
    await create('last-of-all', '2095-03-05 10:00:00', '2095-03-05 11:00:00');
    const robotsOf = async (date: string) =>
      (await fetch(new URL(`/calendar?view=${view}&date=${date}`, app.root))).headers.get('x-robots-tag');
    expect(await Promise.all(['2095-03-05', '2095-04-15', '2095-06-15', '1990-01-01'].map(robotsOf))).toEqual(
      ['all', 'all', 'noindex, nofollow', 'noindex, nofollow'],
    );
    const near = await read(`view=${view}&date=2095-03-15`);
    expect(near.next).toBeDefined();
    const last = await read(`view=${view}&date=2095-04-${view === 'month' ? '01' : '28'}`);
    expect([last.previous === undefined, last.next]).toEqual([false, undefined]);
    const first = new Date();
    first.setUTCMonth(first.getUTCMonth() - 1, 1);
    const start = await read(`view=${view}&date=${first.toISOString().slice(0, 10)}`);
    expect([start.previous, start.next === undefined]).toEqual([undefined, false]);
  },
);

test('events of a category without a colour have that of the top one above it, and others another', async () => {
  const art = await app.create('categories', { name: 'Art' });
  const other = await app.create('categories', { name: 'Music' });
  const below = await app.create('categories', { name: 'Painting', parent: art.id });
  const lowest = await app.create('categories', { name: 'Water', parent: below.id });
  for (const [index, { id }] of [art, below, lowest, other].entries())
    await create(`coloured-${index}`, `2092-01-0${index + 1}`, '2092-01-31', { categories: [id] });
  const reply = await fetch(new URL('/calendar?search=coloured', app.root));
  const colors = [...(await reply.text()).matchAll(/<li class="event (c-[0-9a-f]{6})"/g)].map(([, c]) => c);
  expect(colors).toHaveLength(4);
  expect(colors.slice(0, 3)).toEqual(Array(3).fill(colors[0]));
  expect(colors[3]).not.toBe(colors[0]);
});

describe('a list of several pages', () => {
  beforeAll(async () => {
    const venue = await app.create('venues', { venue: 'Hall' });
    for (let day = 0; day < 41; day += 1)
      await create(`many-${day}`, hours(24 * (100 + day)), hours(24 * (100 + day) + 1), {
        tags: ['Many'],
        categories: ['Big', 'Other'],
        venue: venue.id,
      });
  });

  test('leads from page to page, and keeps filters, their choice and the language', async () => {
    const query = 'categories=big&tags=many&translation_language=sv';
    const first = await read(query);
    expect(first.events).toEqual(Array.from({ length: 20 }, (_, day) => `many-${day}`));
    expect([first.previous, first.next]).toEqual([
      `?categories=big&tags=many&translation_language=sv&past=true`,
      `?categories=big&tags=many&translation_language=sv&page=2`,
    ]);
    expect([first.hidden, first.hasOpenFilters, first.chosen, first.feed]).toEqual([
      ['translation_language'],
      true,
      ['big', 'many'],
      '?categories=big&tags=many&translation_language=sv',
    ]);
    const second = await read(String(first.next?.slice(1)));
    expect([second.events[0], second.previous]).toEqual(['many-20', `?${query}`]);
    const third = await read(String(second.next?.slice(1)));
    expect([third.events, third.previous, third.next]).toEqual([['many-40'], `?${query}&page=2`, undefined]);
    for (const page of [4, 10, 40]) expect((await read(`${query}&page=${page}`)).status).toBe(404);
    const filters = 'search=nothing&categories=big&tags=many';
    expect((await read(`${filters}&view=month`)).showAll).toBe('?view=month');
  });
});

test('an event leads to its other dates, and to the next one of each other title in its categories', async () => {
  const series = { categories: ['Series'] };
  for (const [hour, slug, title] of [
    [200, 'choir', 'Choir'],
    [201, 'choir-again', 'Choir'],
    [202, 'jazz', 'Jazz'],
    [203, 'jazz-again', 'Jazz'],
  ] as const)
    await create(slug, hours(hour), hours(hour + 1), { ...series, title });
  const elsewhere = await app.create('venues', { venue: 'Elsewhere' });
  await create('choir-elsewhere', hours(204), hours(205), { title: 'Choir', venue: elsewhere.id });
  const page = await (await fetch(new URL('/event/choir/', app.root))).text();
  const slugsIn = (list: string) => {
    const [, items = ''] = new RegExp(`<ul class="${list}">(.*?)</ul>`, 's').exec(page) ?? [];
    return [...items.matchAll(/<a href="\/event\/([\w-]+)\//g)].map(([, slug]) => slug);
  };
  expect([slugsIn('other-dates'), slugsIn('cards')]).toEqual([['choir-again'], ['jazz']]);
});

test('the site map has events of all times', async () => {
  const map = await (await fetch(new URL('/sitemap.xml', app.root))).text();
  const slugs = [...map.matchAll(/\/event\/([\w-]+)\/</g)].map(([, slug]) => slug);
  expect(slugs).toEqual(expect.arrayContaining(['long-over', 'goes-on', 'after-it']));
  expect(slugs).not.toContain('draft');
});

test('the site map has all organizers of a calendar with more than a thousand', async () => {
  const numbers = Array.from({ length: 1001 }, (_, number) => number).values();
  // So many at once as no busy machine refuses.
  const create = async () => {
    for (const number of numbers)
      await app.create('organizers', { organizer: `Club ${number}`, slug: `club-${number}` });
  };
  await Promise.all(Array.from({ length: 8 }, create));
  const map = await (await fetch(new URL('/sitemap.xml', app.root))).text();
  expect(map.match(/\/organizer\/club-\d+\/</g)).toHaveLength(1001);
});
