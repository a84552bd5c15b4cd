/** The calendar API while the table storage fails: over HTTP against the built app, with a proxy in front of the tables. */

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestApp, useApp } from '../support/app.ts';
import { type Fault, startFaultProxy } from '../support/http-fault-proxy.ts';

const proxy = await startFaultProxy(inject('tablesPort'));
const app = useApp({
  sampleData: false,
  settings: { CALENDAR_TABLE_CONNECTION_STRING: proxy.connectionString, CALENDAR_STALE_IF_ERROR: '60' },
});
afterEach(() => {
  proxy.always(null);
  proxy.forget();
});
afterAll(async () => {
  await proxy.stop();
});

const editor = () => app.token('alice@example.org', ['Calendar.Editor']);
const events = '/tribe/events/v1/events/';
const dates = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 12:00:00' };

function createEvent(title: string) {
  return app.call('POST', events, { token: editor(), body: { title, ...dates } });
}

async function find(title: string, base = app.base) {
  const { status, headers, json } = await app.call(
    'GET',
    `${events}?start_date=2031-01-01&end_date=2032-01-01&search=${title}`,
    { base },
  );
  const titles = (json as { events?: { title: string }[] }).events?.map((event) => event.title);
  return { status, titles, warning: headers.get('warning'), aged: Number(headers.get('age')) > 0 };
}

const busy: Fault = { refuse: { status: 503, code: 'ServerBusy' } };
const forever = () => new Promise(() => {});

describe('creating an event', () => {
  const faults: [name: string, title: string, fault: Fault][] = [
    ['412', 'Precondition', { refuse: { status: 412, code: 'UpdateConditionNotSatisfied' } }],
    ['500', 'Failure', { refuse: { status: 500, code: 'InternalError' } }],
    ['503', 'Busy', busy],
    ['an answer lost after the write', 'Lost', { cut: 'answer' }],
    ['half an answer after the write', 'Half', { cut: 'half of the answer' }],
    ['no answer after the write', 'Silence', { after: forever }],
  ];
  test.each(faults)(
    'answers 201 and creates it once after %s of the storage',
    async (_fault, title, fault) => {
      proxy.next('commit', fault);
      const created = await createEvent(title);
      expect(created.status).toBe(201);
      expect(await find(title)).toEqual({ status: 200, titles: [title], warning: null, aged: false });
      expect((created.json as { slug: string }).slug).toBe(title.toLowerCase());
    },
  );
});

test('a refusal of the storage that nobody expects is an internal error, which says nothing more', async () => {
  proxy.next('commit', { refuse: { status: 400, code: 'InvalidInput' } });
  const { status, json, text } = await createEvent('Unexpected');
  expect([status, json]).toEqual([
    500,
    { code: 'internal_error', message: expect.any(String), data: { status: 500 } },
  ]);
  expect(text).not.toContain('InvalidInput');
});

describe('while the storage is unreachable', () => {
  /** A process that answers from memory for a second only. */
  let impatient: Awaited<ReturnType<TestApp['startAnother']>>;
  beforeAll(async () => {
    impatient = await app.startAnother({ CALENDAR_STALE_IF_ERROR: '1' });
  });
  afterAll(() => impatient[Symbol.asyncDispose]());

  test.each<[name: string, fault: Fault]>([
    ['ends every connection', { cut: 'request' }],
    ['is too busy', busy],
  ])(
    'and %s: reads say that they are stale, then are 503, writes are 503, and all recovers',
    async (name, fault) => {
      const title = `Outage${name.length}`;
      const fresh = { status: 200, titles: [title], warning: null, aged: false };
      const { id } = (await createEvent(title)).json as { id: number };
      const body = { name: title };
      const tag = await app.call('POST', '/tribe/events/v1/tags', { token: editor(), body });
      expect(await find(title, impatient.base)).toEqual(fresh);
      proxy.always(fault);
      expect(await find(title)).toEqual({
        status: 200,
        titles: [title],
        warning: '110 - "Response is Stale"',
        aged: true,
      });
      const file = `${events}by-slug/${title.toLowerCase()}.ics`;
      const paths = [file, '/tribe/events/v1/events.ics', '/tribe/events/v1/changes'];
      const views = [
        'wp/v2/tags',
        'wp/v2/media',
        'wp/v2/tribe_events',
        'tec/v1/events',
        'tec/v1/venues',
        `wp/v2/tags/${(tag.json as { id: number }).id}`,
        `wp/v2/tribe_events/${id}`,
        `wp/v2/tribe_events?slug=${title.toLowerCase()}`,
        `tec/v1/events/${id}`,
      ];
      const { origin } = new URL(app.base);
      const addresses = [
        ...paths.map((path) => app.base + path),
        ...views.map((view) => `${origin}/wp-json/${view}`),
      ];
      for (const address of addresses) {
        const { headers } = await fetch(address, { headers: { 'X-TEC-EEA': 'yes' } });
        expect([address, headers.get('warning'), headers.has('age')]).toEqual([
          address,
          '110 - "Response is Stale"',
          true,
        ]);
      }
      const refused = await createEvent('Never');
      expect({
        status: refused.status,
        retryAfter: refused.headers.get('retry-after'),
        body: refused.json,
      }).toEqual({
        status: 503,
        retryAfter: '2',
        body: expect.objectContaining({ data: expect.objectContaining({ status: 503 }) }),
      });
      await expect
        .poll(() => find(title, impatient.base).then(({ status }) => status), { interval: 200 })
        .toBe(503);
      const bySlug = await fetch(new URL('/wp-json/wp/v2/tribe_events?slug=nothing', impatient.base));
      expect([bySlug.status, bySlug.headers.get('retry-after')]).toEqual([503, '2']);
      proxy.always(null);
      for (const base of [app.base, impatient.base])
        await expect.poll(() => find(title, base), { interval: 100 }).toEqual(fresh);
      expect((await createEvent(`After${title}`)).status).toBe(201);
    },
  );

  test('nothing internal is shown', async () => {
    proxy.always({ cut: 'request' });
    const { status, text } = await createEvent('Never');
    expect(status).toBe(503);
    expect(text).not.toMatch(/devstoreaccount|127\.0\.0\.1|RestError|socket|\.ts/);
  });
});
