/** What is refused before it costs anything, and whose share it takes. */

import { describe, expect, test } from 'vitest';
import { outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('a write of somebody without the role', () => {
  const invalid = { title: '', start_date: 'never', venue: '' };

  test.each([
    ['POST', '/events', 'reader', 403],
    ['POST', '/venues', 'reader', 403],
    ['POST', '/categories', 'contributor', 403],
    ['POST', '/tags', 'author', 403],
  ] as const)(
    '%s %s of a %s is refused before its values are looked at',
    async (method, path, as, status) => {
      expect(outcome(await app.call(method, path, { as, body: invalid }))).toEqual([
        status,
        'rest_forbidden',
      ]);
      expect(outcome(await app.call(method, path, { as, body: '{"not json' }))).toEqual([
        status,
        'rest_forbidden',
      ]);
      expect(outcome(await app.call(method, path, { body: invalid }))).toEqual([401, 'rest_forbidden']);
    },
  );
});

test('the writes of one editor do not keep another waiting behind all of them', async () => {
  const order: string[] = [];
  const write = (as: 'editor' | 'author', name: string) =>
    app
      .call('POST', '/organizers', { as, body: { organizer: name } })
      .then(({ status }) => order.push(`${as} ${status}`));
  const writes = Array.from({ length: 40 }, (_, index) => write('editor', `Many ${index}`));
  await write('author', 'One');
  expect(order.at(-1)).toBe('author 201');
  expect(order.length).toBeLessThan(40);
  await Promise.all(writes);
});

test('an encoded slash in a slug separates words when it is created, and names nothing in a path', async () => {
  const first = await app.create('events', { title: 'Slash', ...times, slug: 'one%2ftwo' });
  expect(first.slug).toBe('one-two');
  expect((await app.call('GET', '/events/by-slug/one-two')).status).toBe(200);
  expect((await app.call('GET', '/events/by-slug/one%2ftwo')).status).toBe(400);
});

test('a read that comes as a POST is kept by no shared cache, since its body may hold a password', async () => {
  const { id } = await app.create('events', { title: 'Shared', ...times, access_password: 'sesame' });
  const reply = await app.call('POST', `/events/${id}?_method=GET`, { body: { password: 'sesame' } });
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([
    200,
    'no-cache, must-revalidate, max-age=0, no-store, private',
  ]);
});

test.each([
  ['https://site.example', 'https://site.example'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['null', 'null'],
  ['not an origin', null],
  ['https://a.example/path', null],
])('the origin %j is echoed as %j', async (origin, echoed) => {
  const { status, headers } = await app.call('GET', '/events', { headers: { Origin: origin } });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, echoed]);
});
