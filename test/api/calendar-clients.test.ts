/**
 * Clients of the calendar as they are, asked at the address of the site and nothing else: `calendar-clients.json` has the calls of each, how it
 * signs in, the status that it expects, and the fields that it reads, with their types. `ours` is the status of a call that the service has
 * decided not to serve.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { faultsIn } from '../support/client-fields.ts';

interface ClientCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: anonymous. */
  readonly signsIn?: 'basic' | 'cookie' | 'inside' | 'foreign';
  readonly body?: unknown;
  readonly status: number;
  readonly ours?: number;
}

interface Client {
  readonly client: string;
  readonly calls: readonly ClientCall[];
  /** `events[].venue.city?:string`: where `?` may be absent. */
  readonly fields: readonly string[];
}

const clients: readonly Client[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'calendar-clients.json'), 'utf8'),
);

const app = useCalendarApp();
const values: Record<string, string> = {};

beforeAll(async () => {
  const venue = await app.create('venues', {
    venue: 'Jazz Hall',
    address: '1 Main',
    city: 'Seattle',
    country: 'US',
    state: 'WA',
    zip: '98102',
    phone: '1',
    website: 'https://hall.example.org',
    geo_lat: 47.6,
    geo_lng: -122.3,
  });
  const organizer = await app.create('organizers', {
    organizer: 'Friends',
    email: 'a@example.org',
    phone: '1',
    website: 'https://www.example.org',
  });
  const category = await app.create('categories', { name: 'Jazz' });
  const tag = await app.create('tags', { name: 'Rock' });
  const linked = { venue: venue.id, organizer: organizer.id, categories: [category.id], tags: [tag.id] };
  const event = await app.create('events', {
    title: 'Jazz night',
    description: 'All night.',
    excerpt: 'Night.',
    cost: '5',
    featured: true,
    image: 'https://www.example.org/a.jpg',
    start_date: '+1 day',
    end_date: '+2 days',
    ...linked,
    website: 'https://www.example.org/jazz',
  });
  await app.create('events', { title: 'Bare', start_date: '+1 day', end_date: '+1 day' });
  const fields = { title: 'Theirs', start_date: '+3 days', end_date: '+4 days' };
  const created = await app.create('events', fields);
  const deleted = await app.create('events', fields);
  // More than a page, for those that ask for the second one.
  for (let number = 0; number < 12; number++) await app.create('venues', { venue: `Hall ${number}` });
  const { clientId, secret } = app.identity.clients.register(['Calendar.Editor']);
  Object.assign(values, {
    event: event.id,
    created: created.id,
    deleted: deleted.id,
    venue: venue.id,
    organizer: organizer.id,
    category: category.id,
    tag: tag.id,
    eventSlug: event.slug,
    categorySlug: category.slug,
    organizerSlug: organizer.slug,
    // Application passwords are shown in groups of four.
    basic: Buffer.from(`${clientId}:${secret.match(/.{1,4}/g)?.join(' ')}`).toString('base64'),
  });
});

/** Puts what exists, or a day, in the place of `{name}`. */
function filled(text: string): string {
  return text.replace(/\{(\w+)([+-]\d+)?\}/g, (_whole, name: string, days = '0') => {
    const day = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
    const dates: Readonly<Record<string, string>> = {
      today: day.slice(0, 10),
      now: day.slice(0, 19).replace('T', ' '),
      nowZ: `${day.slice(0, 19)}Z`,
    };
    return dates[name] ?? String(values[name]);
  });
}

/** An id stands in JSON as a number. */
function filledBody(body: unknown): string {
  return typeof body === 'string' ? body : filled(JSON.stringify(body).replace(/"(\{\w+\})"/g, '$1'));
}

function credentials({ signsIn }: ClientCall): Record<string, string> {
  const all = {
    basic: { Authorization: `Basic ${values['basic']}` },
    cookie: { Cookie: 'wordpress_logged_in_1=ann', 'X-WP-Nonce': '0123456789' },
    // Calls without HTTP inside of WordPress: as the person who is signed in there.
    inside: { Authorization: `Bearer ${app.token('editor')}` },
    foreign: { Authorization: 'Bearer VOTRE_TOKEN' },
  };
  return signsIn === undefined ? {} : all[signsIn];
}

async function send(call: ClientCall) {
  const url = new URL(filled(call.path), new URL(app.root).origin);
  const response = await fetch(url, {
    method: call.method,
    headers: { ...call.headers, ...credentials(call) },
    ...(call.body === undefined ? {} : { body: filledBody(call.body) }),
  });
  const origin = new Headers(call.headers).get('origin');
  const isReadable = origin === null || response.headers.get('access-control-allow-origin') === origin;
  return { status: response.status, isReadable, body: JSON.parse(await response.text()) };
}

describe.each(clients)('$client', ({ calls, fields }) => {
  test('gets what it asks for, and reads what it needs', async () => {
    const replies = [];
    for (const call of calls) replies.push(await send(call));
    const got = replies.map(({ status, isReadable }, index) => [calls[index]?.path, status, isReadable]);
    expect(got).toEqual(calls.map(({ path, status, ours = status }) => [path, ours, true]));
    expect(
      faultsIn(
        replies.map(({ body }) => body),
        fields,
      ),
    ).toEqual([]);
  });
});

test('33 of the 35 get all that they ask for; the others want what is no calendar, or a cookie', () => {
  const partial = clients.filter(({ calls }) => calls.some(({ ours }) => ours !== undefined));
  expect(clients.length - partial.length).toBe(33);
  expect(partial.map(({ client }) => client.slice(0, 2))).toEqual(['24', '31']);
});
