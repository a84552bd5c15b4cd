/** References to what a caller may not read: each field of the tables, by role, is answered as if the record did not exist. */

import { beforeAll, describe, expect, test } from 'vitest';
import { contactParameters } from '../../functions/calendar/model/fields/contact.ts';
import { eventParameters } from '../../functions/calendar/model/fields/event.ts';
import type { Parameter } from '../../functions/calendar/model/fields/parameter.ts';
import { eventFilters } from '../../functions/calendar/read/event-filters.ts';
import { outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const secret = 'zebra quagga';

/** Ids of posts and pictures are of one sequence; of these fields they are of others. */
const ofOtherSequences = ['author', 'categories', 'tags'];
/** Lists of words. */
const ofWords = ['confirmed_translations'];
const tables = [
  { collection: 'events', fields: { title: 'An event', ...times }, parameters: eventParameters },
  { collection: 'venues', fields: { venue: 'A venue' }, parameters: contactParameters.venue },
  {
    collection: 'organizers',
    fields: { organizer: 'An organizer' },
    parameters: contactParameters.organizer,
  },
];
/** Checks whether a parameter takes ids. */
const takesIds = ([name, { type, schema }]: readonly [string, Parameter<unknown>]) =>
  ![...ofOtherSequences, ...ofWords].includes(name) &&
  (type === 'integer' || type === 'array' || schema?.['anyOf'] !== undefined);
const references = tables.flatMap(({ collection, fields, parameters }) =>
  Object.entries<Parameter<unknown>>(parameters)
    .filter(takesIds)
    .map(([name]) => ({ collection, fields, name })),
);
const filters = Object.entries<Parameter<unknown>>(eventFilters)
  .filter(takesIds)
  .map(([name]) => name)
  .filter((name) => name !== 'page' && name !== 'per_page');

test('the tables have these references', () => {
  expect(references.map(({ collection, name }) => `${collection} ${name}`)).toEqual([
    'events image',
    'events venue',
    'events organizer',
    'events post_parent',
    'venues image',
    'organizers image',
  ]);
  expect(filters).toEqual(['venue', 'organizer', 'include', 'post_parent']);
});

const unknown = 900_000_001;
let hidden: Readonly<Record<'image' | 'venue' | 'organizer' | 'event', number>>;
let asked: number;

async function upload(as: Person): Promise<number> {
  const reply = await fetch(
    `${new URL(app.root).origin}/wp-json/wp/v2/media?alt_text=${secret}&caption=${secret}`,
    {
      method: 'POST',
      body: new Uint8Array(png()),
      headers: {
        Authorization: `Bearer ${app.token(as)}`,
        'Content-Disposition': 'attachment; filename="secret.png"',
      },
    },
  );
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { readonly id: number }).id;
}

beforeAll(async () => {
  const idOf = async (collection: string, fields: object) =>
    (await app.create(collection, { ...fields, status: 'draft' }, 'otherAuthor')).id as number;
  const image = await upload('otherAuthor');
  hidden = {
    image,
    venue: await idOf('venues', { venue: secret, geo_lat: 12, geo_lng: 34 }),
    organizer: await idOf('organizers', { organizer: secret }),
    event: await idOf('events', { title: secret, ...times, image }),
  };
  // Whoever writes for the first time becomes an author.
  asked = (await app.create('events', { title: 'Asked', ...times }, 'author')).id;
  await app.create('events', { title: 'First', ...times }, 'contributor');
});

describe.each(references)('$name of /$collection', ({ collection, fields, name }) => {
  test('says of a hidden record what it says of none', async () => {
    for (const as of ['reader', 'contributor', 'author'] as const)
      for (const [kind, id] of Object.entries(hidden))
        for (const value of [id, String(id), [id], { id }]) {
          const sent = (of: number) => JSON.parse(JSON.stringify(value).replaceAll(String(id), String(of)));
          const reply = (of: number) =>
            app.call('POST', `/${collection}`, { as, body: { ...fields, [name]: sent(of) } });
          const shown = await reply(id);
          expect([as, kind, value, outcome(shown)]).toEqual([as, kind, value, outcome(await reply(unknown))]);
          expect(JSON.stringify(shown.body)).not.toContain(secret);
        }
  });
});

test('an update says of a hidden record what it says of none, and the editor may refer to it', async () => {
  for (const [name, id] of [
    ['image', hidden.image],
    ['venue', hidden.venue],
    ['organizer', hidden.organizer],
    ['post_parent', hidden.event],
  ] as const) {
    expect(outcome(await app.change(`/events/${asked}`, { [name]: id }, 'author'))).toEqual([
      400,
      'rest_invalid_param',
    ]);
    // A published event would show the picture to everybody.
    const { id: kept } = await app.create('events', { title: 'Kept', status: 'draft', ...times }, 'author');
    expect((await app.change(`/events/${kept}`, { [name]: id }, 'editor')).status).toBe(200);
    expect((await app.change(`/events/${kept}`, { [name]: id }, 'author')).status).toBe(200);
    // What another record has is none of this one's, also not inside of a new record.
    const venue = { venue: 'New', image: hidden.image };
    expect((await app.change(`/events/${kept}`, { venue }, 'author')).status).toBe(400);
  }
});

test('a post names its picture by featured_media', async () => {
  const of = async (id: number) => {
    const reply = await fetch(
      `${new URL(app.root).origin}/wp-json/wp/v2/tribe_events/${asked}?featured_media=${id}`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${app.token('author')}` },
      },
    );
    return [reply.status, ((await reply.json()) as { readonly code: string }).code];
  };
  expect(await of(hidden.image)).toEqual(await of(unknown));
  expect((await of(hidden.image))[0]).toBe(400);
});

test('filters say of a hidden record what they say of none, and find nothing by its place', async () => {
  await app.create('events', { title: 'At a hidden place', ...times, venue: hidden.venue });
  for (const name of filters)
    for (const id of Object.values(hidden)) {
      const of = async (value: number) => {
        const { status, body } = await app.call('GET', `/events?start_date=2027-01-01&${name}=${value}`);
        return [status, body.code, body.total];
      };
      expect([name, await of(id)]).toEqual([name, await of(unknown)]);
    }
  const around = '/events?start_date=2027-01-01&geoloc_lat=12&geoloc_lng=34&geoloc_distance=1';
  expect((await app.call('GET', around)).body.total).toBe(0);
  expect((await app.call('GET', `${around}&status=publish`, { as: 'editor' })).body.total).toBe(1);
  expect((await app.call('GET', '/events?start_date=2027-01-01&geoloc=true')).body.total).toBe(0);
});
