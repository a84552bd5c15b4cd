import { describe, expect, test } from 'vitest';
import { calendarInMemory, editor } from '../../../support/calendar-in-memory.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

function summaries(feed: string): string[] {
  return [...feed.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, summary = '']) => summary);
}

/** Returns the lines of each event in a feed, unfolded, without those that every event has. */
const eventsIn = (feed: string) =>
  [
    ...feed
      .replaceAll('\r\n ', '')
      .replaceAll('\r', '')
      .matchAll(/BEGIN:VEVENT\n(.*?)\nEND:VEVENT/gs),
  ].map(([, lines = '']) =>
    lines
      .split('\n')
      .filter((line) => !/^(UID|DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE|STATUS:CONFIRMED)/.test(line)),
  );

test('a feed has the zones that its events use, and everything of each event that its reader may see', async () => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const at = (start_date: string, end_date: string, timezone?: string) => ({
    start_date,
    end_date,
    timezone,
  });
  const hall = await calendar.create('venues', {
    venue: 'Hall &amp; <i>Yard</i>',
    address: 'Street 1',
    zip: '8000',
    city: 'Aarhus',
    country: 'Denmark',
    geo_lat: 56.123_456_789,
    geo_lng: -0.000_000_04,
  });
  const yard = await calendar.create('venues', { venue: 'Yard', city: 'Odense', geo_lat: 1 });
  const club = await calendar.create('organizers', {
    organizer: 'The "Club"; us',
    email: 'club@example.org',
  });
  const choir = await calendar.create('organizers', { organizer: 'Choir' });
  await calendar.create('events', {
    title: 'Tea &amp; cake, <em>now</em>; \\',
    ...at('2030-06-01 10:00:00', '2030-06-01 12:30:15', 'Europe/Paris'),
    description: `<p>Line.<br>Next.</p><ul><li>${'long '.repeat(30)}</li></ul>\n\n<b>End</b>`,
    excerpt: 'Few.',
    venue: [hall.id, yard.id],
    organizer: [club.id, choir.id],
    categories: ['Tea & cake', 'B'],
    tags: ['t'],
    image: 'https://example.org/a.png',
    cost: '5',
    website: 'https://tea.example.org',
  });
  await calendar.create('events', {
    title: 'Days',
    excerpt: 'Only an excerpt',
    all_day: true,
    venue: yard.id,
    organizer: choir.id,
    ...at('2030-06-30', '2030-07-01', 'Europe/Paris'),
  });
  for (const zone of ['UTC', 'UTC+5:30', 'EST', 'Etc/GMT+1', 'America/New_York', 'Asia/Kolkata', '+02:00'])
    await calendar.create('events', {
      title: `In ${zone}`,
      ...at('2030-12-01 23:30:00', '2030-12-02 00:30:00', zone),
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
  const feed = await calendar.feed(dates);
  const site = 'https://calendar.example.org';
  expect(feed.slice(0, feed.indexOf('BEGIN:VTIMEZONE')).replaceAll('\r', '').split('\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    expect.stringMatching('^PRODID:-//calendar.example.org//.*ECPv6'),
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:calendar.example.org',
    'X-WR-CALNAME:calendar.example.org',
    'X-WR-TIMEZONE:UTC',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    '',
  ]);
  expect(feed.match(/^(TZID|TZOFFSETTO|RRULE).*(?=\r)/gm)).toEqual([
    'TZID:Europe/Paris',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'TZID:Asia/Kolkata',
    'TZOFFSETTO:+0530',
    'TZID:America/New_York',
    'TZOFFSETTO:-0400',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
    'TZOFFSETTO:-0500',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
  ]);
  expect(feed.match(/^(UID|DTSTAMP|LAST-MODIFIED:2030|SEQUENCE|STATUS).*(?=\r)/gm)?.slice(0, 5)).toEqual([
    'UID:calendar.example.org?id=15',
    'DTSTAMP:20300501T000000Z',
    'LAST-MODIFIED:20300501T000000Z',
    'SEQUENCE:19',
    'STATUS:CONFIRMED',
  ]);
  const inZone = (name: string, slug: string, start: string, end: string) => [
    `DTSTART${start}`,
    `DTEND${end}`,
    `SUMMARY:In ${name}`,
    `URL:${site}/event/${slug}/`,
  ];
  const secretLines = [
    'DTSTART:20300601T100000Z',
    'DTEND:20300601T120000Z',
    'SUMMARY:Secret',
    `URL:${site}/event/secret/`,
  ];
  expect(eventsIn(feed)).toEqual([
    ['DTSTART:19500701T090000Z', 'DTEND:19500701T100000Z', 'SUMMARY:Old', `URL:${site}/event/old/`],
    [
      'DTSTART;TZID=Europe/Paris:20300601T100000',
      'DTEND;TZID=Europe/Paris:20300601T123015',
      'SUMMARY:Tea & cake\\, now\\; \\\\',
      `URL:${site}/event/tea-cake-now/`,
      `DESCRIPTION:Line.\\nNext.\\n\\n * ${'long '.repeat(30).trim()}\\n\\nEnd`,
      'CATEGORIES:Tea & cake,B',
      'LOCATION:Hall & Yard\\, Street 1\\, 8000 Aarhus\\, Denmark',
      'GEO:56.123457;0',
      `ORGANIZER;CN="The ^'Club^'; us":mailto:club@example.org`,
      'IMAGE;DISPLAY=BADGE;VALUE=URI:https://example.org/a.png',
    ],
    secretLines,
    [
      'DTSTART;VALUE=DATE:20300630',
      'DTEND;VALUE=DATE:20300702',
      'SUMMARY:Days',
      `URL:${site}/event/days/`,
      'DESCRIPTION:Only an excerpt',
      'LOCATION:Yard\\, Odense',
      `ORGANIZER;CN=Choir:${site}/organizer/choir/`,
    ],
    inZone('UTC+5:30', 'in-utc530', ':20301201T180000Z', ':20301201T190000Z'),
    inZone(
      'Asia/Kolkata',
      'in-asia-kolkata',
      ';TZID=Asia/Kolkata:20301201T233000',
      ';TZID=Asia/Kolkata:20301202T003000',
    ),
    inZone('+02:00', 'in-0200', ':20301201T213000Z', ':20301201T223000Z'),
    inZone('UTC', 'in-utc', ':20301201T233000Z', ':20301202T003000Z'),
    inZone('Etc/GMT+1', 'in-etc-gmt1', ':20301202T003000Z', ':20301202T013000Z'),
    inZone('EST', 'in-est', ':20301202T043000Z', ':20301202T053000Z'),
    inZone(
      ...(['America/New_York', 'in-america-new_york', ';TZID=America/New_York:20301201T233000'] as const),
      ';TZID=America/New_York:20301202T003000',
    ),
  ]);
  const unlocked = await calendar.feed({ ...dates, password: 'secret', search: 'secret' });
  expect(eventsIn(unlocked)).toEqual([
    [...secretLines, 'DESCRIPTION:Hidden', `ORGANIZER;CN="The ^'Club^'; us":mailto:club@example.org`],
  ]);
  expect(await calendar.feed({ ...dates, search: 'nothing' })).not.toMatch(/BEGIN:V(EVENT|TIMEZONE)/);
  const { page } = await calendar.feedFor([], { ...dates, status: 'draft' }, editor);
  expect(eventsIn(Buffer.from(page?.bytes ?? []).toString())).toEqual([
    [
      'STATUS:TENTATIVE',
      'DTSTART:20300601T100000Z',
      'DTEND:20300601T120000Z',
      'SUMMARY:Later',
      `URL:${site}/?post_type=tribe_events&p=17`,
    ],
  ]);
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
          kind: 'organizer',
          id,
          author: 1,
          status: 'publish',
          title: 'Choir',
          slug: 'choir',
          date: '2030-05-01 00:00:00',
          date_utc: '2030-05-01 00:00:00',
          ...(email && { email }),
          modified: '2030-05-01 00:00:00',
          modified_utc: '2030-05-01 00:00:00',
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
      return [summaries(feed), feed.match(/^(?:UID|STATUS):.*(?=\r)/gm) ?? []];
    };
    const cancelled = [
      ['was published'],
      [expect.stringMatching(new RegExp(`^UID:.*id=${published.id}$`)), 'STATUS:CANCELLED'],
    ];
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
    expect((await calendar.feed()).match(/^STATUS:.*(?=\r)/gm)).toEqual(['STATUS:CANCELLED']);
  });

  test('has what is to come first, what runs now among it, then what was last, and says that it is cut', async () => {
    const calendar = calendarInMemory('2030-05-01 12:00:00');
    const day = (days: number) => new Date(Date.UTC(2030, 4, 1 + days)).toISOString().slice(0, 10);
    const event = (id: number, title: string, start: string, end = start) => {
      const at = '2029-01-01 00:00:00';
      const [start_date, end_date] = [`${start} 10:00:00`, `${end} 18:00:00`];
      const dates = { start_date, end_date, utc_start_date: start_date, utc_end_date: end_date };
      const published = { date: at, date_utc: at, modified: at, modified_utc: at, status: 'publish' };
      const record = { kind: 'event', id, author: 1, slug: `e-${id}`, timezone: 'UTC', title };
      return { key: `event/${id}`, json: JSON.stringify({ ...record, ...dates, ...published }) };
    };
    const past = Array.from({ length: 1060 }, (_, index) =>
      event(index + 1, `Over ${index}`, day(-330 + Math.floor(index / 4))),
    );
    const next = Array.from({ length: 5 }, (_, index) => event(2000 + index, `Next ${index}`, day(6)));
    await calendar.put([...past, ...next, event(3000, 'Runs', day(-300), day(3))]);
    const feed = await calendar.feed();
    const names = summaries(feed);
    expect([names.length, names.filter((name) => !name.startsWith('Over'))]).toEqual([
      1000,
      ['Runs', ...next.map((_, index) => `Next ${index}`)],
    ]);
    const over = names.filter((name) => name.startsWith('Over'));
    expect([over[0], over.at(-1)]).toEqual(['Over 66', 'Over 1059']);
    const note = (text: string) =>
      text.replaceAll('\r\n ', '').match(/^(?:DESCRIPTION|X-WR-CALDESC):.*(?=\r)/gm);
    const english =
      'This feed has 1\\,000 of 1\\,066 events: those to come first\\, then the latest that are over.';
    expect(note(feed)).toEqual([`DESCRIPTION:${english}`, `X-WR-CALDESC:${english.replaceAll('\\', '')}`]);
    expect(note(await calendar.feed({ translation_language: 'da' }))?.[0]).toContain('1.000 af 1.066');
    const rest = await calendar.feed({ page: 2 });
    expect(summaries(rest)).toEqual(Array.from({ length: 66 }, (_, index) => `Over ${index}`));
    expect(note(await calendar.feed({ search: 'next' }))).toBeNull();
    expect(summaries(await calendar.feed({ order: 'desc', orderby: 'title' }))).toEqual(names);
  });

  test('has a few cancelled events, of those to come alone, and never in place of others', async () => {
    const calendar = calendarInMemory('2030-05-01 12:00:00');
    const gone = async (title: string, start: string, fields = {}) => {
      const dates = { start_date: `${start} 10:00`, end_date: `${start} 11:00` };
      const { id } = await calendar.create('events', { title, ...dates, ...fields });
      await calendar.update('events', id, { status: 'trash' });
      return id;
    };
    const seen = async (query = {}) => summaries(await calendar.feed(query));
    await gone('Over', '2030-04-30');
    await gone('Hidden', '2030-05-02', { hide_from_listings: true });
    await gone('Locked', '2030-05-03', { access_password: 'key', description: 'Told to nobody' });
    await gone('Red', '2030-05-04', { featured: true, tags: ['red'] });
    expect(await seen()).toEqual(['Locked', 'Red']);
    expect(await seen({ featured: '0' })).toEqual(['Locked']);
    expect(await seen({ tags: 'red' })).toEqual(['Red']);
    expect(await seen({ search: 'red' })).toEqual(['Red']);
    expect(await seen({ search: 'told' })).toEqual([]);
    expect(await seen({ include_hidden: '1' })).toEqual(['Hidden', 'Locked', 'Red']);
    const renamed = await gone('Was public', '2030-05-05');
    await calendar.update('events', renamed, { title: 'Is secret' });
    await calendar.update('events', renamed, { title: 'Was public' });
    const both = await calendar.create('events', { title: 'Known', ...times });
    await calendar.update('events', both.id, { title: 'Unknown', status: 'trash' });
    const feed = await calendar.feed();
    expect([summaries(feed), feed.match(/^STATUS:CANCELLED/gm)?.length]).toEqual([['Locked', 'Red'], 4]);
    for (let deleted = 0; deleted < 60; deleted += 1) await gone(`Gone ${deleted}`, '2030-05-06');
    expect((await calendar.feed()).match(/^STATUS:CANCELLED/gm)?.length).toBe(50);
    for (let made = 0; made < 980; made += 1) await calendar.create('events', { title: 'Live', ...times });
    const states = (await calendar.feed()).match(/^STATUS:.*(?=\r)/gm) ?? [];
    expect([states.length, states.filter((state) => state === 'STATUS:CONFIRMED').length]).toEqual([
      1000, 980,
    ]);
  });

  test('has no control character, wherever a text has one', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const text = (name: string) => `${name}\u007f&#127;\u0085 x`;
    const venue = { venue: text('Hall'), city: text('Lund') };
    const organizer = { organizer: text('Ann') };
    await calendar.create('events', {
      title: text('T'),
      description: text('D'),
      categories: [text('C')],
      venue,
      organizer,
      ...times,
    });
    const feed = (await calendar.feed()).replaceAll('\r\n', '');
    expect(feed).toMatch(/SUMMARY:T ?x/);
    expect(feed).not.toMatch(/\p{Cc}/u);
  });

  test('has an event in the zone of its times only where the rules of now hold for its end too', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const dates = { start_date: '1976-03-27 20:00:00', end_date: '1976-05-28 10:00:00' };
    await calendar.create('events', { title: 'Long', ...dates, timezone: 'Europe/Copenhagen' });
    const feed = await calendar.feed({ start_date: '1970-01-01' });
    expect(feed.match(/^DT(?:START|END).*(?=\r)/gm)).toEqual([
      'DTSTART:19760327T190000Z',
      'DTEND:19760528T090000Z',
    ]);
  });

  test('has the first venue and organizer that its reader may see', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const links: Record<string, number[]> = { venue: [], organizer: [] };
    for (const name of ['Draft', 'First', 'Second'])
      for (const [kind, ids] of Object.entries(links)) {
        const fields = { [kind]: name, ...(name === 'Draft' && { status: 'draft' }) };
        ids.push((await calendar.create(kind === 'venue' ? 'venues' : 'organizers', fields)).id);
      }
    await calendar.create('events', { title: 'E', ...times, ...links });
    expect((await calendar.feed()).match(/^(?:LOCATION|ORGANIZER).*(?=:)|(?<=^LOCATION:).*(?=\r)/gm)).toEqual(
      ['LOCATION', 'First', 'ORGANIZER;CN=First:https'],
    );
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

  test.each(['draft', 'pending', 'private', 'future'])(
    'has an event that is %s as tentative for those who may see it',
    async (status) => {
      const calendar = calendarInMemory('2030-03-03 00:00:00');
      const date = status === 'future' ? { date: '2030-04-01' } : { status };
      await calendar.create('events', { title: 'Unpublished', ...times, ...date });
      const { page } = await calendar.feedFor([], {}, editor);
      expect(String(Buffer.from(page?.bytes ?? [])).match(/^STATUS.*(?=\r)/gm)).toEqual(['STATUS:TENTATIVE']);
    },
  );

  test('has no cancelled events where only drafts are asked for', async () => {
    const calendar = calendarInMemory('2030-03-03 00:00:00');
    const { id } = await calendar.create('events', { title: 'was published', ...times });
    await calendar.update('events', id, { status: 'trash' });
    const feed = async (status: string) =>
      String(Buffer.from((await calendar.feedFor([], { status }, editor)).page?.bytes ?? [])).includes(
        'CANCELLED',
      );
    expect([await feed('draft'), await feed('draft,publish')]).toEqual([false, true]);
  });
});
