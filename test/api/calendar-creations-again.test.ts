/** Creations that are sent again, what a write stores otherwise than it was sent, and the terms and authors that callers may name. */

import { describe, expect, test } from 'vitest';
import { type Person, useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp();
const dates = { start_date: '2031-06-01 10:00:00', end_date: '2031-06-01 12:00:00' };
const bodies = {
  events: () => ({ ...dates, title: 'Market' }),
  venues: () => ({ venue: 'Hall' }),
  organizers: () => ({ organizer: 'Choir' }),
  categories: () => ({ name: `Category ${crypto.randomUUID()}` }),
  tags: () => ({ name: `Tag ${crypto.randomUUID()}` }),
};

function create(collection: string, body: object, key?: string, as: Person = 'editor') {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return app.call('POST', `/${collection}`, { as, headers, body });
}

describe.each(Object.entries(bodies))('a creation in %s', (collection, bodyOf) => {
  test('that is sent again with its key creates nothing more, in whatever order its members stand', async () => {
    const key = crypto.randomUUID();
    const body = bodyOf();
    const first = await create(collection, body, key);
    const again = await create(collection, Object.fromEntries(Object.entries(body).toReversed()), key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  test('with another body and the same key is refused', async () => {
    const key = crypto.randomUUID();
    const { body: created } = await create(collection, bodyOf(), key);
    const other = await create(collection, { ...bodyOf(), description: 'Another text' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    expect((await app.call('GET', `/${collection}/${created.id}`, { as: 'editor' })).body.description).toBe(
      created.description,
    );
  });

  test('of another caller, with another key or without one is another creation', async () => {
    const key = crypto.randomUUID();
    const replies = [
      await create(collection, bodyOf(), key),
      await create(collection, bodyOf(), key, 'otherEditor'),
      await create(collection, bodyOf(), `${key}2`),
      await create(collection, bodyOf()),
      await create(collection, bodyOf()),
    ];
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(5);
  });

  test('that is sent many times at once creates one record; the others are told so, or to wait', async () => {
    const key = crypto.randomUUID();
    const body = bodyOf();
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(collection, body, key)));
    const created = replies.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
    expect(created.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 201);
    for (const { status, body } of others)
      expect([status, body.code]).toEqual([409, 'idempotency-key-in-use']);
    expect(await create(collection, body, key)).toMatchObject({ status: 201, body: created[0]?.body });
  });

  test('is found by its key after the record was changed', async () => {
    const key = crypto.randomUUID();
    const body = bodyOf();
    const { body: created } = await create(collection, body, key);
    await app.change(`/${collection}/${created.id}`, { description: 'changed' });
    const again = await create(collection, body, key);
    expect([again.body.id, again.body.description]).toEqual([
      created.id,
      /^(?:categories|tags)$/.test(collection) ? 'changed' : '<p>changed</p>',
    ]);
  });

  test('of a record that is in the trash is gone, and of one that is deleted another record', async () => {
    const key = crypto.randomUUID();
    const body = bodyOf();
    const { body: created } = await create(collection, body, key);
    await app.call('DELETE', `/${collection}/${created.id}`, { as: 'editor' });
    const again = await create(collection, body, key);
    if (/^(?:categories|tags)$/.test(collection)) {
      expect([again.status, again.body.id === created.id]).toEqual([201, false]);
      return;
    }
    expect([again.status, again.body.code]).toEqual([410, 'idempotency-record-gone']);
    expect(JSON.stringify(again.body)).not.toContain(Object.values(body).at(-1));
  });

  test('shows the key nowhere, and refuses one that is too long', async () => {
    const { body: created } = await create(collection, bodyOf(), 'my-secret-key');
    expect(JSON.stringify(created)).not.toMatch(/idempotency|my-secret-key|"creation"/);
    expect(await create(collection, bodyOf(), 'x'.repeat(256))).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { 'Idempotency-Key': expect.any(String) } } },
    });
  });
});

describe('a creation that is sent again after others have taken the record over', () => {
  const secret = 'What the mayor will say';
  const takenOver = [
    ['private', { status: 'private' }],
    ['a draft', { status: 'draft' }],
    ['scheduled', { status: 'publish', date: '2040-01-01 00:00:00' }],
    ['awaiting review', { status: 'pending' }],
  ] as const;
  const texts = { events: 'title', venues: 'venue', organizers: 'organizer' } as const;

  async function takeOver(collection: keyof typeof texts, change: object) {
    const key = crypto.randomUUID();
    const body = { ...bodies[collection](), status: 'publish' };
    const { body: created } = await create(collection, body, key, 'author');
    const { body: other } = await create(collection, bodies[collection](), undefined, 'otherAuthor');
    const { author } = (await app.call('GET', `/${collection}/${other.id}`, { as: 'editor' })).body;
    await app.change(`/${collection}/${created.id}`, { ...change, [texts[collection]]: secret, author });
    return create(collection, body, key, 'author');
  }

  test.each(
    Object.keys(texts).flatMap((collection) =>
      takenOver.map(([name, change]) => [collection as keyof typeof texts, name, change] as const),
    ),
  )('in %s, %s, does not show it', async (collection, _, change) => {
    const again = await takeOver(collection, change);
    expect(again.status).toBe(403);
    expect(JSON.stringify(again.body)).not.toContain(secret);
  });

  test.each(['venue', 'organizer'] as const)(
    'shows no %s that was created with it and is private by now',
    async (kind) => {
      const key = crypto.randomUUID();
      const body = { ...dates, title: 'Market', status: 'publish', [kind]: { [kind]: 'Cellar' } };
      const { body: created } = await create('events', body, key, 'author');
      const linked = [created[kind]].flat()[0];
      const { body: other } = await create('organizers', bodies.organizers(), undefined, 'otherAuthor');
      const { author } = (await app.call('GET', `/organizers/${other.id}`, { as: 'editor' })).body;
      await app.change(`/${kind}s/${linked.id}`, {
        [kind]: secret,
        description: secret,
        status: 'private',
        author,
      });
      const again = await create('events', body, key, 'author');
      const read = await app.call('GET', `/events/${created.id}`, { as: 'author' });
      expect([again.status, again.body[kind]]).toEqual([201, read.body[kind]]);
      expect(JSON.stringify(again.body)).not.toContain(secret);
    },
  );

  test('behind a password shows nothing of it', async () => {
    const again = await takeOver('events', { access_password: 'sesame' });
    expect([again.status, again.body.code]).toEqual([403, 'event-password-protected']);
    expect(JSON.stringify(again.body)).not.toContain(secret);
  });
});

test('an upload that is sent again with its key is the picture that there is', async () => {
  const upload = async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(png(20, 10))]), 'dot.png');
    const reply = await fetch(`${new URL(app.root).origin}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token('editor')}`, 'Idempotency-Key': 'upload-1' },
      body: form,
    });
    return {
      status: reply.status,
      body: await reply.json(),
      replayed: reply.headers.get('idempotent-replayed'),
    };
  };
  const [first, again] = [await upload(), await upload()];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect([first.replayed, again.replayed]).toEqual([null, 'true']);
});

describe('Adjusted-Fields', () => {
  const spring = { timezone: 'Europe/Copenhagen' };
  test.each([
    ['nothing', dates, null],
    ['an end before the start', { ...dates, end_date: '2031-06-01 09:00' }, 'end_date;reason=before-start'],
    [
      'a start that clocks skip',
      { ...spring, start_date: '2031-03-30 02:30', end_date: '2031-03-30 04:00' },
      'start_date;reason=skipped-time',
    ],
    [
      'both',
      { ...spring, start_date: '2031-03-30 02:30', end_date: '2031-03-30 02:45' },
      'start_date;reason=skipped-time, end_date;reason=skipped-time',
    ],
    [
      'more markup than is kept',
      { ...dates, description: '<b>a</b>'.repeat(4_001), excerpt: `${'<i>'.repeat(201)}a` },
      'description;reason=too-much-markup, excerpt;reason=too-much-markup',
    ],
    ['whole days', { ...dates, all_day: true, end_date: '2031-06-01 09:00' }, null],
  ])('names %s of a creation', async (_, body, expected) => {
    const key = crypto.randomUUID();
    const send = () => create('events', { title: 'Odd', ...body }, key);
    const [first, again] = [await send(), await send()];
    expect([first.status, first.headers.get('adjusted-fields')]).toEqual([201, expected]);
    expect([again.status, again.headers.get('adjusted-fields')]).toEqual([201, expected]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('names the end that a new start or another zone moves, though it was not sent', async () => {
    const { body } = await create('events', { title: 'Odd', ...dates, timezone: 'Europe/Copenhagen' });
    const reply = await app.call('PATCH', `/events/${body.id}`, {
      as: 'editor',
      body: { start_date: '2031-06-02 10:00' },
    });
    expect(reply.headers.get('adjusted-fields')).toBe('end_date;reason=before-start');
    expect(reply.body.end_date).toBe('2031-06-02 10:00:00');
  });
});

describe('terms of an event', () => {
  test.each(['tags', 'categories'] as const)(
    '%s are named by objects: a number is a name, and a comma is part of it',
    async (field) => {
      const other = await app.create(field, { name: `Other ${field}` });
      const names = [String(other.id), '2031', 'Jazz, blues'];
      const { body } = await create('events', {
        ...dates,
        title: 'T',
        [field]: names.map((name) => ({ name })),
      });
      const found = (terms: { name: string; id: number }[]) => terms.map(({ name }) => name).toSorted();
      expect(found(body[field])).toEqual(names.toSorted());
      const twin = await create('events', { ...dates, title: 'T', [field]: [{ name: 'JAZZ, BLUES' }] });
      expect(twin.body[field]).toMatchObject([{ name: 'Jazz, blues' }]);
    },
  );

  test.each([
    [[null]],
    [[true]],
    [[{}]],
    [[{ id: 1 }]],
    [[{ name: 'a', id: 1 }]],
    [[{ name: 5 }]],
    [[['a']]],
  ])('%j is none', async (tags) => {
    expect(await create('events', { ...dates, title: 'T', tags })).toMatchObject({
      status: 400,
      body: { data: { params: { tags: expect.any(String) } } },
    });
  });
});

test('lists find the records of an author, and refuse what is no id', async () => {
  for (const collection of ['events', 'venues', 'organizers'] as const) {
    const { body: mine } = await create(collection, bodies[collection](), undefined, 'author');
    const found = await app.call(
      'GET',
      `/${collection}?author=${mine.author}&start_date=2031-01-01&end_date=2032-01-01`,
    );
    const records: { id: number; author: string }[] = found.body[collection];
    expect(records.some(({ id }) => id === mine.id)).toBe(true);
    expect(records.every(({ author }) => author === mine.author)).toBe(true);
    expect((await app.call('GET', `/${collection}?author=Alice`)).status).toBe(400);
  }
});
