/** Series of events over HTTP (docs/calendar-contract.md, "Series"). */

import { describe, expect, test } from 'vitest';
import { appProcessOf } from '../bench/app-process.ts';
import { type CalendarReply, outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();

const yoga = {
  title: 'Yoga',
  start_date: '2027-01-05 19:00:00',
  end_date: '2027-01-05 20:30:00',
  timezone: 'Europe/Copenhagen',
};
const tuesdays = { ...yoga, rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4' };

type Json = CalendarReply['body'];

const write = (method: string, path: string, body: object = {}, headers = {}, as: Person = 'editor') =>
  app.call(method, path, { as, headers, ...(method === 'DELETE' ? {} : { body }) });

async function create(fields: object = {}, as: Person = 'editor'): Promise<Json> {
  const { status, body } = await write('POST', '/series', { ...tuesdays, ...fields }, {}, as);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const eventsOf = (series: Json): number[] => series.dates.map(({ event }: Json) => event);

describe('POST /series', () => {
  test('answers 201 with the series, whose dates are ordinary events', async () => {
    const reply = await write('POST', '/series', {
      ...tuesdays,
      exdate: ['2027-01-12'],
      venue: { venue: 'New hall' },
    });
    expect([reply.status, reply.headers.get('location')]).toEqual([
      201,
      `${app.root}/series/${reply.body.id}`,
    ]);
    const { id, dates } = reply.body;
    expect(reply.body).toMatchObject({
      rrule: tuesdays.rrule,
      exdate: ['2027-01-12'],
      total: 3,
      is_complete: true,
    });
    expect(dates.map((date: Json) => date.recurrence_id)).toEqual(['2027-01-05', '2027-01-19', '2027-01-26']);
    const events = await Promise.all(
      eventsOf(reply.body).map((event) => app.call('GET', `/events/${event}`)),
    );
    expect(events.map(({ body }) => [body.title, body.start_date, body.venue.venue])).toEqual([
      ['Yoga', '2027-01-05 19:00:00', 'New hall'],
      ['Yoga', '2027-01-19 19:00:00', 'New hall'],
      ['Yoga', '2027-01-26 19:00:00', 'New hall'],
    ]);
    expect(new Set(events.map(({ body }) => body.venue.id)).size).toBe(1);
    expect(new Set(events.map(({ body }) => body.slug)).size).toBe(3);
    expect(events[1]?.body.series).toEqual({
      id,
      recurrence_id: '2027-01-19',
      rest_url: `${app.root}/series/${id}`,
    });
    const { body: file } = await app.call('GET', `/events/${eventsOf(reply.body)[1]}.ics`);
    expect(file.slice(file.indexOf('BEGIN:VEVENT'))).not.toContain('RRULE');
  });

  test('says nothing of series in an event that is in none', async () => {
    expect(await app.create('events', yoga)).not.toHaveProperty('series');
  });

  test('with dry_run tells the dates with what is odd about them, and stores nothing', async () => {
    const { headers } = await app.call('GET', '/events?per_page=1');
    const night = {
      start_date: '2027-01-31 02:30',
      end_date: '2027-01-31 03:30',
      rrule: 'FREQ=MONTHLY;COUNT=4',
      dry_run: true,
    };
    const { status, body } = await write('POST', '/series', { ...night, timezone: 'Europe/Copenhagen' });
    expect([status, body.total, body.missing]).toEqual([200, 4, ['2027-02-31', '2027-04-31', '2027-06-31']]);
    const spring = {
      start_date: '2027-03-27 02:30',
      end_date: '2027-03-27 03:30',
      rrule: 'FREQ=DAILY;COUNT=2',
    };
    const plan = await write('POST', '/series', { ...spring, timezone: 'Europe/Copenhagen', dry_run: '1' });
    expect(plan.body.dates).toEqual([
      {
        recurrence_id: '2027-03-27',
        start_date: '2027-03-27 02:30:00',
        end_date: '2027-03-27 03:30:00',
        change: 'added',
      },
      {
        recurrence_id: '2027-03-28',
        start_date: '2027-03-28 03:30:00',
        end_date: '2027-03-28 03:30:00',
        change: 'added',
        odd: 'skipped-time',
      },
    ]);
    expect((await app.call('GET', '/events?per_page=1')).headers.get('x-tec-total')).toBe(
      headers.get('x-tec-total'),
    );
  });

  test('is the same creation when it is sent again with its Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'series-1' };
    const first = await write('POST', '/series', tuesdays, key);
    const again = await write('POST', '/series', tuesdays, key);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([
      201,
      'true',
      first.body.id,
    ]);
    expect(eventsOf(again.body)).toEqual(eventsOf(first.body));
    expect(outcome(await write('POST', '/series', { ...tuesdays, title: 'Other' }, key))).toEqual([
      422,
      'idempotency-key-reused',
    ]);
  });

  test.each([
    ['no rule', { rrule: undefined }, [400, 'rest_missing_callback_param']],
    ['no title', { title: undefined }, [400, 'rest_missing_callback_param']],
    ['no rule of RFC 5545', { rrule: 'every week' }, [400, 'rest_invalid_param']],
    ['hours', { rrule: 'FREQ=HOURLY;COUNT=3' }, [400, 'rest_invalid_param']],
    ['no end', { rrule: 'FREQ=WEEKLY' }, [400, 'series-too-long']],
    ['more than 500 dates', { rrule: 'FREQ=DAILY;COUNT=501' }, [400, 'series-too-long']],
    [
      'no date',
      { exdate: ['2027-01-05', '2027-01-12', '2027-01-19', '2027-01-26'] },
      [400, 'rest_invalid_param'],
    ],
    ['no day', { rdate: ['2027-02-30'] }, [400, 'rest_invalid_param']],
    ['no such event', { event: 999_999 }, [404, 'rest-event-not-found']],
    ['a doubtful dry run', { dry_run: 'perhaps' }, [400, 'rest_invalid_param']],
    ['the trash', { status: 'trash' }, [400, 'rest_invalid_param']],
  ])('refuses %s', async (_what, fields, refusal) => {
    expect(outcome(await write('POST', '/series', { ...tuesdays, ...fields }))).toEqual(refusal);
  });

  test('stores of a rule what is read of it', async () => {
    const { id, dates } = await create({ rrule: 'freq=weekly;count=2;x-a=1;byday=1TU,+2TU' });
    const { body } = await app.call('GET', `/series/${id}`);
    expect(body.rrule).toBe('FREQ=WEEKLY;BYDAY=TU;COUNT=2');
    const pageOf = async ([{ url }]: Json) =>
      (
        await fetch(new URL(new URL(url).pathname, app.root), { headers: { 'Accept-Language': 'en' } })
      ).text();
    expect(await pageOf(dates)).toContain('Every Tuesday until');
    const twice = await create({ rrule: 'FREQ=MONTHLY;BYDAY=2TU;BYSETPOS=-1;COUNT=2' });
    expect(await pageOf(twice.dates)).toContain('On 2 dates until');
  });

  test('says the horizon in words', async () => {
    const { body } = await write('POST', '/series', { ...tuesdays, rrule: 'FREQ=WEEKLY' });
    expect(body.message).toMatch(/up to 500 dates, the last of them within 2 years \(2029-01-05\)/);
    const ofLastYear = { start_date: '9999-12-14 19:00:00', end_date: '9999-12-14 21:00:00' };
    const late = await write('POST', '/series', { ...tuesdays, ...ofLastYear, rrule: 'FREQ=WEEKLY' });
    expect(late.body.message).toContain('within 2 years (9999-12-31)');
    const few = { ...tuesdays, ...ofLastYear, rrule: 'FREQ=WEEKLY;COUNT=3' };
    const plan = await write('POST', '/series', { ...few, dry_run: true });
    expect([plan.body.total, plan.body.horizon]).toEqual([3, '9999-12-31']);
    const more = await write('POST', '/series', { ...few, rrule: 'FREQ=WEEKLY;COUNT=4' });
    expect([more.status, more.body.code]).toEqual([400, 'series-too-long']);
  });

  test('keeps as many different texts as fit, and says what to do about more', async () => {
    const series = await create({ rrule: 'FREQ=WEEKLY;COUNT=12' });
    const events = eventsOf(series);
    const replies: CalendarReply[] = [];
    for (const [index, event] of events.entries()) {
      const description = `${index} ${'x'.repeat(90_000)}`;
      replies.push(await write('PATCH', `/series/${series.id}`, { event, scope: 'later', description }));
      if (replies.at(-1)?.status !== 200) break;
    }
    expect(replies.length).toBeGreaterThan(3);
    const refused = replies.at(-1) as CalendarReply;
    expect(outcome(refused)).toEqual([400, 'series-texts-too-long']);
    expect(refused.body.message).toContain('more different texts than one series can keep');
    const event = events[replies.length - 1];
    expect((await app.call('GET', `/events/${event}`)).body.description).not.toContain(
      `${replies.length - 1} x`,
    );
    // What was refused is not half made, and a change of all dates is possible still.
    const all = { event, scope: 'all', description: 'Short' };
    expect((await write('PATCH', `/series/${series.id}`, all)).status).toBe(200);
  });

  test('asks for the right to write events', async () => {
    expect(outcome(await app.call('POST', '/series', { body: tuesdays }))).toEqual([401, 'rest_forbidden']);
    expect(outcome(await write('POST', '/series', tuesdays, {}, 'reader'))).toEqual([403, 'rest_forbidden']);
    const { dates } = await create({}, 'contributor');
    expect(dates.map(({ status }: Json) => status)).toEqual(['draft', 'draft', 'draft', 'draft']);
  });
});

describe('a change of a series', () => {
  test('by If-Match names its version, or that of the event', async () => {
    const series = await create();
    const [first, second] = eventsOf(series);
    const path = `/series/${series.id}`;
    const tag = async (at: string) => (await app.call('GET', at, { as: 'editor' })).headers.get('etag') ?? '';
    const [ofSeries, ofEvent, ofOther] = await Promise.all([
      tag(path),
      tag(`/events/${first}`),
      tag(`/events/${second}`),
    ]);
    const send = (title: string, ifMatch: string) =>
      write('PATCH', path, { event: first, scope: 'all', title }, { 'If-Match': ifMatch });
    expect(outcome(await send('One', ofOther))).toEqual([412, 'precondition-failed']);
    expect((await send('Two', ofEvent)).status).toBe(200);
    expect(outcome(await send('Three', ofEvent))).toEqual([412, 'precondition-failed']);
    expect(outcome(await send('Four', ofSeries))).toEqual([412, 'precondition-failed']);
    expect((await send('Five', await tag(path))).status).toBe(200);
    const { body } = await app.call('GET', `/events/${second}`);
    expect(body.title).toBe('Five');
  });

  test('of this date, later ones or all leaves what people have changed in a single one', async () => {
    const series = await create();
    const [first, second, third, last] = eventsOf(series);
    await app.change(`/events/${second}`, { cost: '5' });
    const path = `/series/${series.id}`;
    await write('POST', path, { event: first, scope: 'this', description: 'Alone' });
    await write('POST', path, { event: third, scope: 'later', description: 'Later' });
    await write('POST', path, {
      event: first,
      scope: 'all',
      cost: '10',
      start_date: '2027-01-05 18:00',
      end_date: '2027-01-05 19:00',
    });
    const events = await Promise.all(
      [first, second, third, last].map((id) => app.call('GET', `/events/${id}`)),
    );
    expect(events.map(({ body }) => [body.description, body.cost, body.start_date.slice(11)])).toEqual([
      ['<p>Alone</p>', '$10', '18:00:00'],
      ['', '$5', '18:00:00'],
      ['<p>Later</p>', '$10', '18:00:00'],
      ['<p>Later</p>', '$10', '18:00:00'],
    ]);
    const { body } = await app.call('GET', path, { as: 'editor' });
    expect(body.dates.map(({ changed }: Json) => changed)).toEqual([['description'], ['cost'], [], []]);
    expect((await app.call('GET', path)).body.dates[0]).not.toHaveProperty('changed');
  });

  test('ends, extends and deletes it; nothing is doubled', async () => {
    const series = await create();
    const [first, , third] = eventsOf(series);
    const path = `/series/${series.id}`;
    const ended = await write('DELETE', `${path}?scope=later&event=${third}`);
    expect([ended.status, ended.body.total, ended.body.rrule]).toEqual([
      200,
      2,
      'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270118',
    ]);
    const extended = await write('PATCH', path, { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=6' });
    expect(eventsOf(extended.body).slice(0, 4)).toEqual(eventsOf(series));
    expect(new Set(eventsOf(extended.body)).size).toBe(6);
    await write('DELETE', `${path}?scope=this&event=${first}`);
    expect((await app.call('GET', path, { as: 'editor' })).body).toMatchObject({
      total: 5,
      exdate: ['2027-01-05'],
    });
    expect((await app.call('GET', path)).body).toMatchObject({ total: 5, exdate: [] });
    expect((await write('DELETE', path)).body).toMatchObject({ total: 0, dates: [] });
    expect(outcome(await app.call('GET', path))).toEqual([404, 'series-not-found']);
    expect(outcome(await write('PATCH', path, { rrule: 'FREQ=DAILY;COUNT=2' }))).toEqual([
      404,
      'series-not-found',
    ]);
  });

  test('counts the characters of each of its dates', async () => {
    const { id, dates } = await create({ rrule: 'FREQ=DAILY;COUNT=3' });
    const long = { event: dates[1].event, scope: 'later', description: 'x'.repeat(100_000) };
    expect((await write('POST', `/series/${id}`, long)).status).toBe(200);
    expect(outcome(await write('POST', `/series/${id}`, { rrule: 'FREQ=DAILY;COUNT=60' }))).toEqual([
      400,
      'series-too-long',
    ]);
    expect((await write('POST', `/series/${id}`, { rrule: 'FREQ=DAILY;COUNT=40' })).status).toBe(200);
  });

  test('reaches dates in the trash, which have it when people bring them back', async () => {
    const { id, dates } = await create();
    const [first, second] = dates.map(({ event }: Json) => event);
    await write('POST', `/events/${second}`, { cost: '7' });
    await write('DELETE', `/events/${second}`);
    const fields = { event: first, title: 'Pilates', start_date: '2027-01-05 20:00', cost: '9' };
    expect((await write('POST', `/series/${id}`, fields)).status).toBe(200);
    expect(outcome(await app.call('GET', `/events/${second}`))[0]).toBe(403);
    await write('POST', `/events/${second}`, { status: 'publish' });
    expect((await app.call('GET', `/events/${second}`)).body).toMatchObject({
      title: 'Pilates',
      start_date: '2027-01-12 20:00:00',
      cost: '$7',
    });
  });

  test('tells which fields have another value than was sent', async () => {
    const series = await create();
    const [first] = eventsOf(series);
    const early = { event: first, end_date: '2027-01-05 18:00:00' };
    const { headers, body } = await write('PATCH', `/series/${series.id}`, early);
    expect(headers.get('adjusted-fields')).toBe('end_date;reason=before-start');
    expect(body.dates[2].end_date).toBe('2027-01-19 19:00:00');
  });

  test('tells others no day of a date that is not published', async () => {
    const { id, dates } = await create({ rrule: '', rdate: ['2027-01-09', '2027-01-20'] });
    await app.change(`/events/${dates[1].event}`, { status: 'draft' });
    const { body } = await app.call('GET', `/series/${id}`);
    expect([body.rdate, body.total]).toEqual([['2027-01-05', '2027-01-20'], 2]);
    expect(JSON.stringify(body)).not.toContain('2027-01-09');
  });

  test('is refused to others', async () => {
    const series = await create({ status: 'draft' }, 'author');
    const path = `/series/${series.id}`;
    const change = { event: eventsOf(series)[0], title: 'Mine' };
    expect(outcome(await write('PATCH', path, change, {}, 'otherAuthor'))).toEqual([403, 'rest_forbidden']);
    expect(outcome(await app.call('PATCH', path, { body: change }))).toEqual([401, 'rest_forbidden']);
    expect(outcome(await app.call('GET', path))).toEqual([404, 'series-not-found']);
    expect((await write('PATCH', path, { ...change, status: 'publish' }, {}, 'author')).status).toBe(200);
    expect((await app.call('GET', path)).body).toMatchObject({ title: 'Mine', total: 4 });
    expect((await app.call('GET', '/series?per_page=50')).body.series).toContainEqual(
      expect.objectContaining({ id: series.id, title: 'Mine' }),
    );
  });
});

test('what a process that is killed has begun another one finishes, and doubles nothing', async () => {
  const other = await app.another();
  const body = { ...yoga, title: 'Every day', rrule: 'FREQ=DAILY;COUNT=500' };
  const headers = { 'Idempotency-Key': 'killed' };
  const lost = app
    .call('POST', '/series', { as: 'editor', body, headers, at: other.calendar })
    .catch(() => undefined);
  const count = async () =>
    (await app.call('GET', '/events?search=%22Every+day%22&end_date=2029-12-31')).body.total;
  await expect.poll(count, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0);
  process.kill(appProcessOf(other.process.pid), 'SIGKILL');
  await lost;
  const reply = await app.call('POST', '/series', { as: 'editor', body, headers });
  expect([reply.status, reply.body.total, reply.body.is_complete]).toEqual([201, 500, true]);
  expect(new Set(eventsOf(reply.body)).size).toBe(500);
  expect(await count()).toBe(500);
}, 60_000);
