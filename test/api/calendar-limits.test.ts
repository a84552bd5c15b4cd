/** What no caller may ask of the calendar, however they ask it: limits on input, and work that ends early. */

import { describe, expect, it } from 'vitest';
import { outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const asRead = { 'X-HTTP-Method-Override': 'GET' };

describe('a read that comes as a POST', () => {
  it('takes its filters from the body', async () => {
    await app.create('tags', { name: 'Body', slug: 'from-body' });
    const body = { slug: 'from-body', hide_empty: false };
    const reply = await app.call('POST', '/tags', { body, headers: asRead });
    expect([reply.status, reply.body.total]).toEqual([200, 1]);
  });

  it.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'of %s takes no more than an address could hold, since it is kept with its answer',
    async (of) => {
      const body = { search: 'x'.repeat(17_000) };
      expect(outcome(await app.call('POST', `/${of}`, { body, headers: asRead }))).toEqual([
        413,
        'body-too-large',
      ]);
    },
  );
});

describe('a write', () => {
  it('of somebody who is not signed in is refused without its long body being read', async () => {
    const body = { title: 'x'.repeat(20_000), ...times };
    expect(outcome(await app.call('POST', '/events', { body }))).toEqual([401, 'rest_forbidden']);
    const reply = await app.call('PATCH', '/venues/99999', {
      body: { venue: '', address: 'x'.repeat(20_000) },
    });
    expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, ['id']]);
  });

  it('takes 100,000 characters in each field, and no more', async () => {
    const fits = await app.create('organizers', { organizer: 'Long', description: 'x'.repeat(100_000) });
    expect(fits.description).toHaveLength(100_000 + '<p></p>'.length);
    const body = { description: 'x'.repeat(100_001), title: ['x'.repeat(100_001)], ...times };
    const { status, body: refusal } = await app.call('POST', '/events', { as: 'editor', body });
    const tooLong = 'must not be longer than 100000 characters';
    expect([status, refusal.data.params]).toEqual([400, { title: tooLong, description: tooLong }]);
  });

  it.each([
    ['new organizers', { organizer: Array.from({ length: 3_000 }, () => ({ organizer: 'Same' })) }],
    ['new tags', { tags: Array.from({ length: 10_000 }, (_, index) => `t${index}`) }],
  ])('of thousands of %s is refused before they are made', async (_of, fields) => {
    const body = { title: 'Many', ...times, ...fields };
    expect(outcome(await app.call('POST', '/events', { as: 'contributor', body }))).toEqual([
      413,
      'change-too-large',
    ]);
  });

  it('of a form with more than 10,000 names is refused', async () => {
    const form = (names: number) => Array.from({ length: names }, () => 'name=Form').join('&');
    expect((await app.call('POST', '/tags', { as: 'editor', body: form(10_000) })).status).toBe(201);
    expect(outcome(await app.call('POST', '/tags', { as: 'editor', body: form(10_001) }))).toEqual([
      413,
      'form-too-large',
    ]);
  });
});

describe('passwords of events', () => {
  it('are not tried in any number at once', async () => {
    const { id } = await app.create('events', { title: 'Secret', ...times, access_password: 'sesame' });
    const tries = Array.from({ length: 60 }, (_, index) =>
      app.call('GET', `/events/${id}?password=p${index}`),
    );
    const outcomes = (await Promise.all(tries)).map(outcome).map(String);
    expect(new Set(outcomes)).toEqual(new Set(['403,event-password-protected', '429,too-many-passwords']));
    expect((await app.call('GET', `/events/${id}?password=sesame`)).status).toBe(200);
  });
});
