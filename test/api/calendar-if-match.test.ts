/** Conditional writes: `If-Match` and `If-None-Match` on every kind of record and every method (RFC 9110 13.1). */

import { describe, expect, test } from 'vitest';
import { type CalendarReply, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

const records: Record<string, { name: string; body: object }> = {
  events: { name: 'title', body: times },
  venues: { name: 'venue', body: {} },
  organizers: { name: 'organizer', body: {} },
  categories: { name: 'name', body: {} },
  tags: { name: 'name', body: {} },
};
const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
const kinds = Object.keys(records).map((collection) => [collection]);
const refused = [412, 'precondition-failed'];
let count = 0;

/** A record that was changed since it was made: its paths, and the entity tags of both versions. */
async function changedRecord(collection: string) {
  const { name, body } = records[collection] ?? { name: '', body: {} };
  count += 1;
  const { id, slug } = await app.create(collection, { ...body, [name]: `Record ${count}` });
  const path = `/${collection}/${id}`;
  const old = await etagOf(path);
  await app.change(path, { description: 'changed' });
  return { path, slugPath: `/${collection}/by-slug/${slug}`, name, old, present: await etagOf(path) };
}

async function etagOf(path: string): Promise<string> {
  return (await app.call('GET', path)).headers.get('etag') ?? '';
}

function send(method: string, path: string, ifMatch: string, body: object = {}): Promise<CalendarReply> {
  const headers = { 'If-Match': ifMatch };
  return app.call(method, path, { as: 'editor', headers, ...(method === 'DELETE' ? {} : { body }) });
}

describe('If-Match', () => {
  test.each(kinds)(
    'of one of /%s is refused with an earlier tag, and met once by the present one',
    async (collection) => {
      for (const method of methods) {
        const { path, name, old, present } = await changedRecord(collection);
        const reply = await send(method, path, old, { [name]: 'Lost update' });
        expect([method, outcome(reply), reply.body.data]).toEqual([method, refused, { status: 412 }]);
        expect(await etagOf(path)).toBe(present);
        expect((await send(method, path, present, { [name]: 'First' })).status).toBe(200);
        if (method !== 'DELETE')
          expect(outcome(await send(method, path, present, { [name]: 'Second' })), method).toEqual(refused);
      }
    },
  );

  test.each(kinds.slice(0, 3))('of one of /%s by its slug is asked too', async (collection) => {
    for (const method of methods) {
      const { path, slugPath, old, present } = await changedRecord(collection);
      expect(outcome(await send(method, slugPath, old)), method).toEqual(refused);
      expect(await etagOf(path)).toBe(present);
      expect((await send(method, slugPath, present)).status).toBe(200);
    }
  });

  test.each(kinds)('of one of /%s is met by * and by one tag of several', async (collection) => {
    for (const method of methods) {
      const first = await changedRecord(collection);
      const second = await changedRecord(collection);
      expect((await send(method, first.path, '*')).status, method).toBe(200);
      const several = `${second.old}, "x", ${second.present}`;
      expect((await send(method, second.path, several)).status, method).toBe(200);
    }
  });

  test('is met by a tag that a proxy has made weak', async () => {
    for (const collection of ['events', 'tags']) {
      const { path, old, present } = await changedRecord(collection);
      expect(outcome(await send('PATCH', path, `W/${old}`))).toEqual(refused);
      expect((await send('PATCH', path, `W/${present}`)).status).toBe(200);
    }
  });

  test('is not met by partial or earlier tags', async () => {
    const tags = (tag: string) => [
      tag.slice(1, -1),
      `"${Number.parseInt(tag.slice(1), 10)}"`,
      `"x${tag.slice(1)}`,
      `"0-a", "1${tag.slice(1)}`,
      '',
    ];
    for (const collection of ['events', 'tags']) {
      const { path, present } = await changedRecord(collection);
      for (const tag of tags(present)) expect(outcome(await send('PATCH', path, tag)), tag).toEqual(refused);
    }
  });

  test('is met after a linked record has changed, which is another representation of the same version', async () => {
    const category = await app.create('categories', { name: 'Renamed' });
    const venue = await app.create('venues', { venue: 'Moved' });
    const links = { categories: [category.id], venue: venue.id };
    const { id } = await app.create('events', { title: 'Linked', ...times, ...links });
    const tags = [await etagOf(`/events/${id}`), await etagOf(`/categories/${category.id}`)] as const;
    await app.change(`/venues/${venue.id}`, { city: 'Elsewhere' });
    await app.create('events', { title: 'One more', ...times, ...links });
    const now = [await etagOf(`/events/${id}`), await etagOf(`/categories/${category.id}`)];
    expect(now[0]).not.toBe(tags[0]);
    expect(now[1]).not.toBe(tags[1]);
    expect((await send('PATCH', `/events/${id}`, tags[0])).status).toBe(200);
    expect((await send('PATCH', `/categories/${category.id}`, tags[1])).status).toBe(200);
  });

  test('is asked after the right, and after what is wrong with the request', async () => {
    const { path, old } = await changedRecord('venues');
    const headers = { 'If-Match': old };
    expect(outcome(await app.call('PATCH', path, { headers, body: {} }))).toEqual([401, 'rest_forbidden']);
    expect(outcome(await app.call('PATCH', path, { as: 'author', headers, body: {} }))).toEqual([
      403,
      'rest_forbidden',
    ]);
    expect(outcome(await send('PATCH', path, old, { venue: '' }))).toEqual([400, 'rest_invalid_param']);
    await app.call('DELETE', path, { as: 'editor' });
    expect(outcome(await send('DELETE', path, old))).toEqual([410, 'venue-is-in-trash']);
    expect(outcome(await send('PATCH', '/venues/99999', '*'))).toEqual([400, 'rest_invalid_param']);
    expect(outcome(await send('PATCH', '/events/99999', '*'))).toEqual([404, 'rest-event-not-found']);
  });
});

describe('If-None-Match', () => {
  const unless = (method: string, path: string, tags: string, body: object = {}) =>
    app.call(method, path, {
      as: 'editor',
      headers: { 'If-None-Match': tags },
      ...(method === 'DELETE' ? {} : { body }),
    });

  test.each(kinds)(
    'of one of /%s is refused with * and the present tag, weak or not, and met by earlier ones',
    async (collection) => {
      for (const method of methods) {
        const { path, name, old, present } = await changedRecord(collection);
        for (const tags of ['*', present, `W/${present}`, `"x", ${present}`])
          expect([method, tags, outcome(await unless(method, path, tags, { [name]: 'Lost' }))]).toEqual([
            method,
            tags,
            refused,
          ]);
        expect(await etagOf(path)).toBe(present);
        expect((await unless(method, path, `${old}, "x"`, { [name]: 'First' })).status).toBe(200);
      }
    },
  );

  test('is asked after If-Match', async () => {
    const { path, present } = await changedRecord('venues');
    const headers = { 'If-Match': present, 'If-None-Match': '*' };
    expect(outcome(await app.call('PATCH', path, { as: 'editor', headers, body: {} }))).toEqual(refused);
  });
});
