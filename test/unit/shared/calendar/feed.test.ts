import { describe, expect, test } from 'vitest';
import { calendarInMemory, editor } from '../../../support/calendar-in-memory.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

function summaries(feed: string): string[] {
  return [...feed.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, summary = '']) => summary);
}

test('a feed is as it is stored in `feed.txt`; `npm test -- calendar/feed -u` stores it anew', async () => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const at = (start_date: string, end_date: string, timezone?: string) => ({
    start_date,
    end_date,
    timezone,
  });
  const hall = await calendar.create('venues', {
    ...{ venue: 'Hall &amp; <i>Yard</i>', address: 'Street 1', zip: '8000', city: 'Aarhus' },
    ...{ country: 'Denmark', geo_lat: 56.123_456_789, geo_lng: -0.000_000_04 },
  });
  const yard = await calendar.create('venues', { venue: 'Yard', city: 'Odense', geo_lat: 1 });
  const club = await calendar.create('organizers', {
    organizer: 'The "Club"; us',
    email: 'club@example.org',
  });
  const choir = await calendar.create('organizers', { organizer: 'Choir' });
  await calendar.create('events', {
    ...{
      title: 'Tea &amp; cake, <em>now</em>; \\',
      ...at('2030-06-01 10:00:00', '2030-06-01 12:30:15', 'Europe/Paris'),
    },
    ...{
      description: `<p>Line.<br>Next.</p><ul><li>${'long '.repeat(30)}</li></ul>\n\n<b>End</b>`,
      excerpt: 'Few.',
    },
    ...{
      venue: [hall.id, yard.id],
      organizer: [club.id, choir.id],
      categories: ['Tea & cake', 'B'],
      tags: ['t'],
    },
    ...{ image: 'https://example.org/a.png', cost: '5', website: 'https://tea.example.org' },
  });
  await calendar.create('events', {
    ...{ title: 'Days', excerpt: 'Only an excerpt', all_day: true, venue: yard.id, organizer: choir.id },
    ...at('2030-06-30', '2030-07-01', 'Europe/Paris'),
  });
  for (const zone of ['UTC', 'UTC+5:30', 'EST', 'Etc/GMT+1', 'America/New_York', 'Asia/Kolkata', '+02:00'])
    await calendar.create('events', {
      ...{ title: `In ${zone}`, ...at('2030-12-01 23:30:00', '2030-12-02 00:30:00', zone) },
    });
  // The rules of the zone were others then.
  await calendar.create('events', {
    title: 'Old',
    ...at('1950-07-01 10:00', '1950-07-01 11:00', 'Europe/Paris'),
  });
  const secret = { description: 'Hidden', access_password: 'secret', organizer: club.id };
  await calendar.create('events', { title: 'Secret', ...times, ...secret });
  await calendar.create('events', { title: 'Later', ...times, status: 'draft' });
  const dates = { start_date: '1900-01-01', end_date: '2040-01-01' };
  const shown = [await calendar.feed(dates)];
  for (const query of [
    { ...dates, password: 'secret', search: 'secret' },
    { ...dates, search: 'nothing' },
  ])
    shown.push(await calendar.feed(query));
  const { page } = await calendar.feedFor([], { ...dates, status: 'draft' }, editor);
  shown.push(Buffer.from(page?.bytes ?? []).toString());
  // The library of zones says when it was made.
  const text = shown
    .join('\n')
    .replaceAll('\r', '')
    .replaceAll(/(?<=X-LIC-LOCATION.*\n)LAST-MODIFIED.*\n/g, '');
  await expect(text).toMatchFileSnapshot('feed.txt');
});

describe('the feed', () => {
  test('has 1,000 events of a list on each page', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const summaries = async (page = 1) =>
      (await calendar.feed({ page })).match(/^SUMMARY:.*(?=\r?$)/gm) ?? [];
    // The last one in the order of lists is made first.
    await calendar.create('events', { title: 'Last', ...times, start_date: '2030-06-01 11:00:00' });
    for (let made = 1; made < 1000; made += 1)
      await calendar.create('events', { title: `Event ${made}`, ...times });
    const full = await summaries();
    expect([full.length, full[0], full.at(-1)]).toEqual([1000, 'SUMMARY:Event 1', 'SUMMARY:Last']);
    await calendar.create('events', { title: 'One more', ...times });
    const cut = await summaries();
    expect([cut.length, cut.at(-1)]).toEqual([1000, 'SUMMARY:One more']);
    expect(await summaries(2)).toEqual(['SUMMARY:Last']);
    expect((await calendar.list('events')).total).toBe(1001);
  });

  test.each([1, 2, 3, 4, 5, 6])('has headings of level %i as they are written', async (level) => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const description = `<h${level}>Who plays</h${level}><p>Everybody</p>`;
    await calendar.create('events', { title: 'E', ...times, description });
    expect((await calendar.feed()).match(/^DESCRIPTION:.*(?=\r)/gm)).toEqual([
      expect.stringMatching(/^DESCRIPTION:Who plays(?:\\n)+Everybody$/),
    ]);
  });

  test('names the address of a link once', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const link = (url: string, text: string) => `<a href="${url}">${text}</a>`;
    const [a, b] = ['https://a.example.org/x', 'https://b.example.org/y'];
    await calendar.create('events', {
      title: 'E',
      ...times,
      description: `<p>${link(a, a)} or ${link(b, 'b')}</p>`,
    });
    const unfolded = (await calendar.feed()).replaceAll('\r\n ', '');
    expect(unfolded.match(/^DESCRIPTION:.*(?=\r)/gm)).toEqual([`DESCRIPTION:${a} or b (${b})`]);
  });

  test.each([
    ['choir@example.org', 'mailto:choir@example.org'],
    ['choir', 'https://calendar.example.org/organizer/choir/'],
    ['a choir@example.org', 'https://calendar.example.org/organizer/choir/'],
    ['choir@example.org,', 'mailto:choir@example.org,'],
    ['@example.org', 'https://calendar.example.org/organizer/choir/'],
    ['<choir@example.org>', 'https://calendar.example.org/organizer/choir/'],
    [undefined, 'https://calendar.example.org/organizer/choir/'],
  ])('names an organizer with the e-mail address %j by %s', async (email, organizer) => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const { id } = await calendar.create('organizers', { organizer: 'Choir' });
    await calendar.put([
      {
        key: `organizer/${id}`,
        json: JSON.stringify({
          ...{ kind: 'organizer', id, author: 1, status: 'publish', title: 'Choir', slug: 'choir' },
          ...{ date: '2030-05-01 00:00:00', date_utc: '2030-05-01 00:00:00', ...(email && { email }) },
          ...{ modified: '2030-05-01 00:00:00', modified_utc: '2030-05-01 00:00:00' },
        }),
      },
    ]);
    await calendar.create('events', { title: 'E', ...times, organizer: id });
    expect((await calendar.feed()).replaceAll('\r\n ', '').match(/^ORGANIZER.*(?=\r)/gm)).toEqual([
      `ORGANIZER;CN=Choir:${organizer}`,
    ]);
  });

  test('goes from a year back to two years ahead, in whole days', async () => {
    const calendar = calendarInMemory('2030-06-01 12:00:00');
    const at = (name: string, start_date: string, end_date: string) =>
      calendar.create('events', { title: name, start_date, end_date });
    await at('before', '2029-05-31 23:59:59', '2029-06-02');
    await at('first', '2029-06-01 00:00:00', '2029-06-02');
    await at('last', '2032-06-01 10:00:00', '2032-06-01 23:59:59');
    await at('after', '2032-06-01 10:00:00', '2032-06-02 00:00:00');
    expect(summaries(await calendar.feed())).toEqual(['first', 'last']);
    expect(summaries(await calendar.feed({ start_date: '2029-05-31' }))).toEqual(['before', 'first', 'last']);
    calendar.now = '2030-06-02 00:00:00';
    expect(summaries(await calendar.feed())).toEqual(['last', 'after']);
  });

  test('has what was published and then deleted as cancelled, for 90 days of the clock', async () => {
    const calendar = calendarInMemory('2030-03-03 00:00:00');
    const create = (title: string, status: string) => calendar.create('events', { title, status, ...times });
    const published = await create('was published', 'publish');
    const draft = await create('was a draft', 'draft');
    for (const { id } of [published, draft]) await calendar.update('events', id, { status: 'trash' });
    const seen = async (now: string, query = {}) => {
      calendar.now = now;
      const feed = await calendar.feed(query);
      return [summaries(feed), feed.match(/^STATUS:.*(?=\r)/gm) ?? []];
    };
    const cancelled = [['was published'], ['STATUS:CANCELLED']];
    expect(await seen('2030-03-03 00:00:00')).toEqual(cancelled);
    expect(await seen('2030-06-01 23:59:59')).toEqual(cancelled);
    expect(await seen('2030-06-01 23:59:59', { featured: '1' })).toEqual([[], []]);
    expect(await seen('2030-06-02 00:00:00')).toEqual([[], []]);
    // The dates that are sent are the same on both days, and a page is cached with its second request.
    const dates = { start_date: '2030-01-01', end_date: '2031-01-01' };
    for (let asked = 0; asked < 3; asked += 1)
      expect(await seen('2030-06-01 23:59:59', dates)).toEqual(cancelled);
    expect(await seen('2030-06-02 00:00:00', dates)).toEqual([[], []]);
  });

  test('has what was published and deleted as cancelled also after an update in the trash', async () => {
    const calendar = calendarInMemory('2030-03-03 00:00:00');
    for (const status of ['publish', 'draft']) {
      const { id } = await calendar.create('events', { title: `was ${status}`, status, ...times });
      await calendar.update('events', id, { status: 'trash' });
      await calendar.update('events', id, { cost: '5' });
    }
    expect(summaries(await calendar.feed())).toEqual(['was publish']);
  });

  test('has an event in the zone of its times only where the rules of now hold for its end too', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const dates = { start_date: '1976-03-27 20:00:00', end_date: '1976-05-28 10:00:00' };
    await calendar.create('events', { title: 'Long', ...dates, timezone: 'Europe/Copenhagen' });
    const feed = await calendar.feed({ start_date: '1970-01-01' });
    expect(feed.match(/^DT(?:START|END).*(?=\r)/gm)).toEqual([
      ...['DTSTART:19760327T190000Z', 'DTEND:19760528T090000Z'],
    ]);
  });

  test('shows the details of an event to its password, and then to nobody else', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const secret = { description: 'Behind the door', access_password: 'sesame' };
    await calendar.create('events', { title: 'Locked', ...times, ...secret });
    const seen = [];
    for (const query of [{}, { password: 'sesame' }, {}, { password: 'wrong' }, { password: 'sesame' }])
      seen.push((await calendar.feed(query)).includes('Behind the door'));
    expect(seen).toEqual([false, true, false, false, true]);
  });

  test('has no cancelled events where only drafts are asked for', async () => {
    const calendar = calendarInMemory('2030-03-03 00:00:00');
    const { id } = await calendar.create('events', { title: 'was published', ...times });
    await calendar.update('events', id, { status: 'trash' });
    const feed = async (status: string) =>
      summaries(String(Buffer.from((await calendar.feedFor([], { status }, editor)).page?.bytes ?? [])));
    expect([await feed('draft'), await feed('draft,publish')]).toEqual([[], ['was published']]);
  });
});

describe('the tag of the feed', () => {
  const full = async (calendar: ReturnType<typeof calendarInMemory>, query = {}) => {
    const { etag, page } = await calendar.feedFor([], query);
    return { etag, text: Buffer.from(page?.bytes ?? []).toString() };
  };

  test('is enough for those who have it, and names the question and the state of the calendar', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const { id } = await calendar.create('events', { title: 'Jazz', ...times });
    const { etag } = await full(calendar);
    expect(await calendar.feedFor([`W/${etag}`, '"x"'])).toEqual({ etag });
    expect(Object.keys(await calendar.feedFor('*'))).toEqual(['etag', 'page']);
    const tags = [etag];
    const note = async (query = {}, caller?: typeof editor) =>
      tags.push((await calendar.feedFor([], query, caller)).etag);
    for (const query of [{ search: 'jazz' }, { translation_language: 'da' }, { password: 'x' }])
      await note(query);
    await note({}, editor);
    await calendar.update('events', id, { title: 'Blues' });
    await note();
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('changes with the clock where what is shown does: on the next day, and when an event is published', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    await calendar.create('events', { title: 'Waits', ...times, date: '2030-05-01 12:00:00' });
    const states: string[] = [];
    for (const now of [
      '2030-05-01 00:00:00',
      '2030-05-01 11:59:59',
      '2030-05-01 12:00:00',
      '2030-05-02 12:00:00',
    ]) {
      calendar.now = now;
      states.push((await full(calendar)).etag);
    }
    expect(states.map((etag) => states.indexOf(etag))).toEqual([0, 0, 2, 3]);
  });

  const record = (title: string) => ({
    ...{ kind: 'event', id: 1, author: 1, status: 'publish', title, slug: 'x', timezone: 'UTC' },
    ...{ date: '2030-01-01 00:00:00', date_utc: '2030-01-01 00:00:00' },
    ...{ modified: '2030-01-01 00:00:00', modified_utc: '2030-01-01 00:00:00', ...times },
    ...{ utc_start_date: times.start_date, utc_end_date: times.end_date },
  });

  test('is the same in another process where the table took the place of one with later events', async () => {
    const change = { key: 'event/1', json: JSON.stringify(record('New')) };
    const calendars = [1, 2].map(() => calendarInMemory('2030-05-01 00:00:00'));
    const [replaced, fresh] = calendars as [(typeof calendars)[0], (typeof calendars)[0]];
    await replaced.create('events', { title: 'Waits', ...times, date: '2030-05-01 12:00:00' });
    for (const calendar of calendars) calendar.now = '2030-05-01 13:00:00';
    expect(summaries(await replaced.feed())).toEqual(['Waits']);
    replaced.replaceTable();
    await replaced.put([change]);
    await fresh.put([change]);
    expect(await full(replaced)).toEqual(await full(fresh));
    expect(summaries(await replaced.feed())).toEqual(['New']);
  });

  test('is the same in another process that has the same calendar, however it came to it', async () => {
    const change = (title: string) => ({ key: 'event/1', json: JSON.stringify(record(title)) });
    const calendars = [1, 2].map(() => calendarInMemory('2030-05-01 00:00:00'));
    const found = [];
    for (const calendar of calendars) {
      await calendar.put([change('Old')]);
      if (found.length === 0) await calendar.feed();
      await calendar.put([change('New')]);
      found.push(await full(calendar));
    }
    expect(found[0]).toEqual(found[1]);
    await calendars[0]?.put([change('Other')]);
    await calendars[1]?.put([change('Another')]);
    const [item, other] = await Promise.all(calendars.map((calendar) => full(calendar)));
    expect(item?.etag).not.toBe(other?.etag);
  });

  test('stands for the same text while venues, organizers and categories change', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const venue = await calendar.create('venues', { venue: 'Hall' });
    const organizer = await calendar.create('organizers', { organizer: 'Ann' });
    const category = await calendar.create('categories', { name: 'Music' });
    const links = { venue: venue.id, organizer: organizer.id, categories: [category.id] };
    await calendar.create('events', { title: 'One', ...times, ...links });
    await calendar.create('events', { title: 'Two', ...times, ...links });
    const lines = async () => (await calendar.feed()).match(/^(?:LOCATION|ORGANIZER|CATEGORIES).*(?=\r)/gm);
    const twice = (...all: string[]) => [...all, ...all];
    const who = 'ORGANIZER;CN=Ann:https://calendar.example.org/organizer/ann/';
    expect(await lines()).toEqual(twice('CATEGORIES:Music', 'LOCATION:Hall', who));
    await calendar.update('venues', venue.id, { venue: 'Barn' });
    expect(await lines()).toEqual(twice('CATEGORIES:Music', 'LOCATION:Barn', who));
    await calendar.update('categories', category.id, { name: 'Jazz' });
    expect(await lines()).toEqual(twice('CATEGORIES:Jazz', 'LOCATION:Barn', who));
    await calendar.update('organizers', organizer.id, { status: 'draft' });
    expect(await lines()).toEqual(twice('CATEGORIES:Jazz', 'LOCATION:Barn'));
  });
});
