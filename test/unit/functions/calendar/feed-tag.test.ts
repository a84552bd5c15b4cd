import { describe, expect, test } from 'vitest';
import { CalendarReplica } from '../../../../functions/calendar/replica/replica.ts';
import { calendarInMemory, editor } from '../../../support/calendar-in-memory.ts';

const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };

function summaries(feed: string): string[] {
  return [...feed.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, summary = '']) => summary);
}

describe('the tag of the feed', () => {
  const full = async (calendar: ReturnType<typeof calendarInMemory>, query = {}) => {
    const { etag, page } = await calendar.feedFor([], query);
    return { etag, text: Buffer.from(page?.bytes ?? []).toString() };
  };

  test('is enough for those who have it, and names the question and the state of the calendar', async () => {
    const calendar = calendarInMemory('2030-05-01 00:00:00');
    const { id } = await calendar.create('events', { title: 'Jazz', ...times });
    const { etag } = await full(calendar);
    expect(await calendar.feedFor([etag.replace('W/', ''), '"x"'])).toEqual({ etag });
    // RFC 9110, section 13.1.2: the condition is false for whatever there is.
    expect(Object.keys(await calendar.feedFor('*'))).toEqual(['etag']);
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

  test('is the same in a process that has begun later, after what the clock published was changed or deleted', () => {
    const at = '2030-05-01 12:00:00';
    const event = (id: number, fields: object) => ({
      kind: 'event',
      id,
      author: 1,
      title: 'E',
      slug: `e-${id}`,
      date: at,
      date_utc: at,
      modified: at,
      modified_utc: at,
      timezone: 'UTC',
      start_date: times.start_date,
      end_date: times.end_date,
      utc_start_date: times.start_date,
      utc_end_date: times.end_date,
      status: 'future',
      ...fields,
    });
    let version = 0;
    const change = (id: number, fields: object | null) => {
      version += 1;
      const json = fields === null ? null : JSON.stringify(event(id, fields));
      return { key: `event/${id}`, json, version };
    };
    const history = [
      change(1, {}),
      change(2, { date_utc: '2030-05-01 13:00:00' }),
      change(3, {}),
      change(1, { status: 'publish' }),
      change(2, null),
    ];
    let now = Date.parse('2030-05-01T00:00:00Z') / 1_000;
    const early = new CalendarReplica(() => now);
    for (const changes of history.slice(0, 3)) early.apply([changes]);
    now = Date.parse('2030-05-02T00:00:00Z') / 1_000;
    early.publishDue();
    for (const changes of history.slice(3)) early.apply([changes]);
    const late = new CalendarReplica(() => now);
    // The table has no rows of what was replaced.
    late.apply([history[2], history[3], history[4]].filter((item) => item !== undefined));
    expect(early.state).toBe(late.state);
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
    kind: 'event',
    id: 1,
    author: 1,
    status: 'publish',
    title,
    slug: 'x',
    timezone: 'UTC',
    date: '2030-01-01 00:00:00',
    date_utc: '2030-01-01 00:00:00',
    modified: '2030-01-01 00:00:00',
    modified_utc: '2030-01-01 00:00:00',
    ...times,
    utc_start_date: times.start_date,
    utc_end_date: times.end_date,
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
    const [one, other] = await Promise.all(calendars.map((calendar) => full(calendar)));
    expect(one?.etag).not.toBe(other?.etag);
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
    await calendar.update('organizers', organizer.id, { organizer: 'Bob' });
    expect(await lines()).toEqual(twice('CATEGORIES:Jazz', 'LOCATION:Barn', who.replace('Ann', 'Bob')));
    await calendar.update('organizers', organizer.id, { status: 'draft' });
    expect(await lines()).toEqual(twice('CATEGORIES:Jazz', 'LOCATION:Barn'));
  });
});
