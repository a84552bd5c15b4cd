import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();

/** Lines of a feed, unfolded. */
function linesOf(feed: string): string[] {
  return feed.replaceAll('\r\n ', '').split('\r\n');
}

async function text(path: string): Promise<string> {
  return (await app.call('GET', path)).body;
}

/** Reads a feed with a calendar program's library. */
function read(feed: string) {
  const calendar = new ICAL.Component(ICAL.parse(feed));
  const zones = new Map(
    calendar.getAllSubcomponents('vtimezone').map((zone) => {
      const { tzid } = new ICAL.Timezone(zone);
      return [tzid, new ICAL.Timezone(zone)] as const;
    }),
  );
  const instant = (component: ICAL.Component, name: string) => {
    const property = component.getFirstProperty(name);
    const time = property?.getFirstValue() as ICAL.Time;
    const zone = zones.get(String(property?.getFirstParameter('tzid')));
    if (zone !== undefined) time.zone = zone;
    return time.toJSDate().toISOString().replace('.000', '');
  };
  const names = ['uid', 'summary', 'description', 'image', 'organizer', 'url', 'status', 'sequence'] as const;
  const components = calendar.getAllSubcomponents('vevent').map((component) => ({
    ...Object.fromEntries(names.map((name) => [name, component.getFirstPropertyValue(name)])),
    start: instant(component, 'dtstart'),
    end: instant(component, 'dtend'),
  })) as unknown as Record<(typeof names)[number] | 'start' | 'end', unknown>[];
  return { calendar, components };
}

describe('GET /events.ics', () => {
  test('gives the events of a list to calendar programs', async () => {
    const timed = await app.create('events', {
      title: 'Tom & "Jerry"; live',
      start_date: '2027-06-01 10:00:00',
      end_date: '2027-06-01 12:30:00',
      timezone: 'Europe/Copenhagen',
      date: '2026-01-02 03:04:05',
      description: 'First\n\nSecond, with a comma',
      categories: ['Rock & Roll'],
      tags: ['subscribed'],
      venue: { venue: 'Hall', address: 'Road 1', city: 'Town', geo_lat: 55.5, geo_lng: 12.5 },
    });
    await app.create('events', {
      title: 'Festival',
      start_date: '2027-07-01',
      end_date: '2027-07-03',
      all_day: true,
      tags: ['subscribed'],
    });
    const secret = { title: 'Secret', description: 'hidden', access_password: 'x', tags: ['subscribed'] };
    await app.create('events', { ...secret, start_date: '2027-08-01 10:00', end_date: '2027-08-01 11:00' });
    const { status, headers, body } = await app.call('GET', '/events.ics?tags=subscribed');
    const lines = linesOf(body);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    for (const line of [
      `UID:calendar.example.org?id=${timed.id}`,
      'DTSTAMP:20260102T030405Z',
      'GEO:55.5;12.5',
      'LOCATION:Hall\\, Road 1\\, Town',
      `URL:${timed.url}`,
      'TZID:Europe/Copenhagen',
    ])
      expect(lines).toContain(line);
    expect(body).not.toContain('hidden');
    expect(headers.get('content-disposition')).toBe('inline; filename="events.ics"');
    expect([headers.get('x-tec-total'), headers.get('x-tec-totalpages')]).toEqual(['3', '1']);
  });

  test('names no zone for what begins in the second of two equal hours', async () => {
    const { id } = await app.create('events', {
      title: 'Late',
      timezone: 'Europe/Copenhagen',
      start_date: '2027-10-31T01:30:00Z',
      end_date: '2027-10-31 04:00:00',
    });
    const dates = linesOf((await app.call('GET', `/events.ics?include=${id}`)).body).filter((line) =>
      /^DT(?:START|END)/.test(line),
    );
    expect(dates).toEqual(['DTSTART:20271031T013000Z', 'DTEND:20271031T030000Z']);
  });

  test('takes the filters of the list', async () => {
    const times = { start_date: '2027-07-01 10:00', end_date: '2027-07-01 11:00' };
    for (const title of ['Regatta', 'Race']) await app.create('events', { title, ...times });
    const { body } = await app.call('GET', '/events.ics?search=regatta');
    expect(linesOf(body).filter((line) => line.startsWith('SUMMARY'))).toEqual(['SUMMARY:Regatta']);
    expect(outcome(await app.call('GET', '/events.ics?venue=none'))).toEqual([400, 'rest_invalid_param']);
  });

  test('says who, what and how a description is laid out', async () => {
    const event = await app.create('events', {
      title: 'Details',
      start_date: '2027-09-01 10:00',
      end_date: '2027-09-01 11:00',
      description:
        '<p>One<br>two</p><ul><li>three</li></ul><p><a href="https://example.org/?a=1&amp;b=2">four</a></p>',
      image: 'https://images.example.org/a,b.png',
      organizer: [{ organizer: 'Choir; "A"', email: 'choir@example.org' }, { organizer: 'Other' }],
    });
    const { components } = read(await text(`/events/${event.id}.ics`));
    expect(components).toEqual([
      expect.objectContaining({
        description: 'One\ntwo\n\n * three\n\nfour (https://example.org/?a=1&b=2)',
        image: event.image.url,
        organizer: 'mailto:choir@example.org',
        uid: event.global_id,
        url: event.url,
      }),
    ]);
  });

  test('is read back with the times of the JSON, in every zone', async () => {
    const zones = [
      'Europe/Paris',
      'America/New_York',
      'Asia/Kathmandu',
      'UTC+5:30',
      'Africa/Casablanca',
      'EST',
    ];
    for (const timezone of zones)
      for (const month of ['01', '07'])
        await app.create('events', {
          title: 'Zoned',
          timezone,
          tags: ['zoned'],
          start_date: `2027-${month}-10 09:00`,
          end_date: `2027-${month}-10 23:30`,
        });
    const { body } = await app.call('GET', '/events?tags=zoned&per_page=50');
    const { components } = read(await text('/events.ics?tags=zoned'));
    const utc = (date: string) => `${date.replace(' ', 'T')}Z`;
    expect(components.map(({ uid, start, end }) => [uid, start, end])).toEqual(
      body.events.map((event: Record<string, string>) => [
        event['global_id'],
        utc(String(event['utc_start_date'])),
        utc(String(event['utc_end_date'])),
      ]),
    );
  });

  test('has deleted events as cancelled with their names, of those that were published, with a sequence that rises', async () => {
    const dates = { start_date: '2027-10-01 10:00', end_date: '2027-10-01 11:00', tags: ['deleted'] };
    const gone = await app.create('events', { title: 'Gone', description: 'Not said', ...dates });
    const draft = await app.create('events', { title: 'Never seen', status: 'draft', ...dates });
    const [before] = read(await text('/events.ics?tags=deleted')).components;
    for (const { id } of [gone, draft]) await app.call('DELETE', `/events/${id}`, { as: 'editor' });
    const feed = await text('/events.ics?tags=deleted');
    const [after, ...otherEvents] = read(feed).components;
    expect([before?.status, after?.status, after?.summary, after?.uid, otherEvents]).toEqual([
      'CONFIRMED',
      'CANCELLED',
      'Gone',
      gone.global_id,
      [],
    ]);
    expect(Number(after?.sequence)).toBeGreaterThan(Number(before?.sequence));
    expect(feed).not.toContain('Not said');
  });

  test('filters deleted events as it does others', async () => {
    const dates = { start_date: '2027-10-02 10:00', end_date: '2027-10-02 11:00', tags: ['silenced'] };
    const parent = await app.create('events', { title: 'Parent', ...dates, tags: ['other'] });
    const fields = { featured: true, ticketed: true, post_parent: parent.id };
    const gone = await app.create('events', { title: 'Aqao', description: 'Zzz', ...dates, ...fields });
    const stays = await app.create('events', { title: 'Mmm', ...dates });
    await app.call('DELETE', `/events/${gone.id}`, { as: 'editor' });
    const idsOf = async (query: string) =>
      read(await text(`/events.ics?tags=silenced&${query}`)).components.map(({ uid }) => uid);
    const yes = ['search=qao', 'search=zzz', 'featured=1', 'ticketed=1', `post_parent=${parent.id}`];
    const no = ['search=none', 'search=-qao', 'featured=0', 'ticketed=0', `post_parent=${stays.id}`];
    for (const filter of [...yes, ...no])
      expect([filter, (await idsOf(filter)).includes(gone.global_id)]).toEqual([
        filter,
        yes.includes(filter),
      ]);
    for (const orderby of ['title', 'featured', 'date'])
      expect(await idsOf(`orderby=${orderby}`)).toEqual([gone.global_id, stays.global_id]);
    expect(read(await text('/events.ics?tags=other')).components.map(({ uid }) => uid)).toEqual([
      parent.global_id,
    ]);
  });

  test('is there for one event by id and slug, under its rights', async () => {
    const fields = { start_date: '2027-11-01 10:00', end_date: '2027-11-01 11:00' };
    const { id, slug } = await app.create('events', { title: 'On its own', ...fields });
    const draft = await app.create('events', { title: 'Unseen', status: 'draft', ...fields });
    for (const path of [`/events/${id}.ics`, `/events/by-slug/${slug}.ics`])
      expect(read(await text(path)).components.map(({ summary }) => summary)).toEqual(['On its own']);
    const { headers } = await app.call('GET', `/events/by-slug/${slug}.ics`);
    expect(headers.get('content-disposition')).toBe('inline; filename="on-its-own.ics"');
    const spelled = await app.call('GET', '/events/by-slug/%C3%B3n%20%22its%22%0aown.ics');
    expect([spelled.status, spelled.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^inline; filename="[\w%.-]*\.ics"$/),
    ]);
    expect(outcome(await app.call('GET', `/events/${draft.id}.ics`))).toEqual([403, 'event-not-accessible']);
    expect(outcome(await app.call('GET', '/events/999999.ics'))).toEqual([404, 'rest-event-not-found']);
    expect(outcome(await app.call('GET', '/events/x.ics'))).toEqual([404, 'rest_no_route']);
    expect(outcome(await app.call('GET', '/events.ics?page=2'))).toEqual([
      404,
      'event-archive-page-not-found',
    ]);
  });

  test('is read by the library of Debian where that is installed', async (context) => {
    const found = spawnSync('/usr/bin/python3', ['-c', 'import icalendar'], { encoding: 'utf8' });
    if (found.status !== 0) context.skip('python3-icalendar is not installed');
    const script =
      'import sys, icalendar; print([str(e["UID"]) for e in icalendar.Calendar.from_ical(sys.stdin.read()).walk("VEVENT")])';
    const feed = await text('/events.ics');
    const { stdout } = spawnSync('/usr/bin/python3', ['-c', script], { input: feed, encoding: 'utf8' });
    expect(JSON.parse(stdout.replaceAll("'", '"'))).toEqual(read(feed).components.map(({ uid }) => uid));
  });

  test('is read by khal where that is installed', async (context) => {
    if (spawnSync('khal', ['--version']).status !== 0) context.skip('khal is not installed');
    const dates = { start_date: '2027-07-01', end_date: '2027-07-03', all_day: true };
    await app.create('events', { title: 'Tournament', ...dates });
    const feed = await text('/events.ics?search=tournament');
    const folder = await mkdtemp(join(tmpdir(), 'feed-'));
    try {
      await writeFile(join(folder, 'feed.ics'), feed);
      const config =
        '[calendars]\n[[one]]\npath = .\n[locale]\nlocal_timezone = UTC\ndefault_timezone = UTC\n';
      await writeFile(join(folder, 'config'), config);
      const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } } as const;
      const { stdout } = spawnSync('khal', ['-c', 'config', 'printics', 'feed.ics'], options);
      expect(stdout).toContain('Tournament');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test('a feed of many events has the beginning of a long description, and the file of the event has the whole', async () => {
  const dates = { start_date: '2034-06-01 10:00:00', end_date: '2034-06-01 12:00:00' };
  const words = Array.from(
    { length: 1_500 },
    (_, at) => `<p>Word &amp; ${at} <a href="https://x.example/a">a 😀</a></p>`,
  );
  const { id } = await app.create('events', { title: 'Long', ...dates, description: words.join('') });
  const described = async (path: string) =>
    String(read(await text(path)).components.find(({ summary }) => summary === 'Long')?.description);
  const feed = '/events.ics?start_date=2034-06-01&end_date=2034-06-02';
  const whole = await described(feed);
  expect(whole).toMatch(/Word & 1499 a 😀 \(https:\/\/x\.example\/a\)$/);
  for (let at = 0; at < 340; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        app.create('events', { title: `Short ${at + index}`, ...dates }),
      ),
    );
  const cut = await described(feed);
  expect(cut.length).toBeLessThan(whole.length);
  expect(cut).toMatch(/ …$/);
  // Within a link its address stands sooner than in the whole.
  const lines = cut.split('\n').slice(0, -1);
  expect([lines.length > 500, whole.startsWith(lines.join('\n'))]).toEqual([true, true]);
  expect(cut).not.toMatch(/[<>]|&\S|\ufffd/);
  expect(await described(`/events/${id}.ics`)).toBe(whole);
});
