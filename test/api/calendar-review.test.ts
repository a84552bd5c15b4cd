/** What waits for review: since when, sent back with a word that its author reads, and nobody else. */

import { describe, expect, test } from 'vitest';
import { outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };
const bodies = {
  events: { title: 'Quagga', slug: 'quagga', ...times },
  venues: { venue: 'Quagga' },
  organizers: { organizer: 'Quagga' },
};
const collections = Object.keys(bodies) as (keyof typeof bodies)[];

const read = async (path: string, as: Person) => (await app.call('GET', path, { as })).body;

describe.each(collections)('a record of /%s', (collection) => {
  test('waits since it was submitted, whoever changes it then', async () => {
    const { id, ...draft } = await app.create(
      collection,
      { ...bodies[collection], status: 'draft' },
      'contributor',
    );
    const path = `/${collection}/${id}`;
    expect(draft).not.toHaveProperty('submitted_utc');
    const { submitted_utc } = (await app.change(path, { status: 'publish' }, 'contributor')).body;
    expect(Math.abs(Date.parse(`${submitted_utc.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(60_000);
    expect((await app.change(path, { description: 'By an editor' })).body).toMatchObject({
      status: 'pending',
      submitted_utc,
    });
    const published = (await app.change(path, { status: 'publish' })).body;
    expect(published.status).toBe('publish');
    expect(published).not.toHaveProperty('submitted_utc');
  });

  test('is sent back with a word, which goes when it is submitted again, and when it is published', async () => {
    const { id } = await app.create(collection, { ...bodies[collection], status: 'pending' }, 'contributor');
    const path = `/${collection}/${id}`;
    const sent = await app.change(path, { status: 'draft', review_note: 'When <b>does</b> it end & where?' });
    expect(sent.body).toMatchObject({ status: 'draft', review_note: 'When does it end &amp; where?' });
    expect((await read(path, 'contributor')).review_note).toBe('When does it end &amp; where?');
    expect((await app.change(path, { description: 'At ten' }, 'contributor')).body).toHaveProperty(
      'review_note',
    );
    const again = (await app.change(path, { status: 'pending' }, 'contributor')).body;
    expect(again.status).toBe('pending');
    expect(again).not.toHaveProperty('review_note');
    await app.change(path, { status: 'draft', review_note: 'Once more' });
    expect((await app.change(path, { status: 'publish' })).body).not.toHaveProperty('review_note');
    expect((await app.change(path, { status: 'draft' })).body).not.toHaveProperty('review_note');
  });

  test('tells its word to nobody else, in no way', async () => {
    const word = `zebra${collection}`;
    const { id } = await app.create(collection, { ...bodies[collection], status: 'pending' }, 'contributor');
    const path = `/${collection}/${id}`;
    await app.change(path, { status: 'draft', review_note: word });
    const site = new URL(app.root).origin;
    const ways = [
      ...[
        path,
        `${path}?context=edit`,
        `${path}/history`,
        `/${collection}?search=${word}`,
        `/${collection}?status=draft`,
        '/changes',
        '/events.ics',
      ].map((way) => app.root + way),
      `${site}/calendar?search=${word}`,
      `${site}/wp-json/wp/v2/search?search=${word}`,
    ];
    for (const as of ['reader', 'otherAuthor', 'author', undefined] as const)
      for (const way of ways) {
        const headers = as === undefined ? {} : { Authorization: `Bearer ${app.token(as)}` };
        const text = await (await fetch(way, { headers })).text();
        expect([
          as,
          way,
          text.replaceAll(`search=${word}`, '').replaceAll(`value="${word}"`, '').includes(word) &&
            !way.includes(word),
        ]).toEqual([as, way, false]);
      }
    // Once it is public, and a draft again, its word is gone from every reply.
    await app.change(path, { status: 'publish', review_note: word });
    expect(JSON.stringify((await app.call('GET', path)).body)).not.toContain(word);
  });
});

describe('the users', () => {
  test('are told to editors by their names', async () => {
    await app.create('venues', { venue: 'Of Dorte', status: 'draft' }, 'contributor');
    const { id } = (await app.call('GET', '/users/me', { as: 'contributor' })).body;
    const { users } = (await app.call('GET', '/users', { as: 'editor' })).body;
    expect(users).toContainEqual({ id, name: expect.stringMatching(/^Dorte/) });
    for (const as of ['author', 'contributor', 'reader'] as const)
      expect(outcome(await app.call('GET', '/users', { as }))).toEqual([403, 'rest_forbidden']);
    expect(outcome(await app.call('GET', '/users'))).toEqual([401, 'rest_forbidden']);
  });
});
