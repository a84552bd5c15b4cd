/** Two roles, languages, statuses, and other things of which one alone is not enough to see a fault. */

import { describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('the review of a contributor', () => {
  const updates = [
    ['PATCH', (id: number) => `/events/${id}`],
    ['PUT', (id: number) => `/events/${id}`],
    ['POST', (id: number) => `/events/${id}`],
  ] as const;

  test.each(updates)('holds for %s of an own draft with every status', async (method, pathOf) => {
    const seen: Record<string, unknown> = {};
    for (const status of ['publish', 'future', 'private', 'pending', 'draft', undefined]) {
      const { id } = await app.create(
        'events',
        { title: 'Contributed', ...times, status: 'draft' },
        'contributor',
      );
      await app.call(method, pathOf(id), { as: 'contributor', body: { ...(status && { status }) } });
      seen[String(status)] = (await app.call('GET', `/events/${id}`, { as: 'editor' })).body.status;
    }
    expect(Object.values(seen)).not.toContain('publish');
    expect(seen).toMatchObject({
      publish: 'pending',
      pending: 'pending',
      draft: 'draft',
      undefined: 'draft',
    });
  });
});

describe('two translations of an event', () => {
  test('stand beside each other, and an update of one leaves the other', async () => {
    const { id } = await app.create('events', { title: 'Concert', description: 'In English', ...times });
    const write = (language: string, body: object) =>
      app.change(`/events/${id}?translation_language=${language}`, body);
    const titles = async () => {
      const read = async (query: string) => (await app.call('GET', `/events/${id}${query}`)).body.title;
      return [await read(''), await read('?translation_language=da'), await read('?translation_language=sv')];
    };
    await write('da', { title: 'Koncert' });
    await write('sv', { title: 'Konsert' });
    expect(await titles()).toEqual(['Concert', 'Koncert', 'Konsert']);
    await write('da', { title: 'Koncerten' });
    expect(await titles()).toEqual(['Concert', 'Koncerten', 'Konsert']);
  });

  test('keep the texts that an update in the same language does not send, and lose those that it empties', async () => {
    const { id } = await app.create('events', { title: 'Concert', description: 'In English', ...times });
    const write = async (body: object) => {
      await app.change(`/events/${id}?translation_language=da`, body);
      const event = (await app.call('GET', `/events/${id}?translation_language=da`)).body;
      return [event.title, event.description];
    };
    await write({ description: 'På dansk' });
    expect(await write({ title: 'Koncert' })).toEqual(['Koncert', '<p>På dansk</p>']);
    expect(await write({ description: '' })).toEqual(['Koncert', '<p>In English</p>']);
  });
});

describe('a caller with two roles', () => {
  test.each([
    [['Calendar.Contributor', 'Calendar.Editor']],
    [['Calendar.Editor', 'Calendar.Contributor']],
    [['Something.Else', 'Calendar.Author', 'Calendar.Contributor']],
  ])('has the rights of the higher one: %j', async (roles) => {
    const token = app.identity.issueToken({ email: 'alice@example.org', roles });
    const reply = await app.call('POST', '/events', {
      headers: { Authorization: `Bearer ${token}` },
      body: { title: 'Two roles', ...times, status: 'publish' },
    });
    expect([reply.status, reply.body.status]).toEqual([201, 'publish']);
  });
});

describe('a person whose role was taken away', () => {
  test('sees nothing unpublished any more, not even what is their own', async () => {
    const draft = { title: 'Former draft', ...times, status: 'draft' };
    const { id } = await app.create('events', draft, 'contributor');
    const token = app.identity.issueToken({ email: 'dorte@example.org', roles: [] });
    const headers = { Authorization: `Bearer ${token}` };
    expect((await app.call('GET', `/events/${id}`, { as: 'contributor' })).status).toBe(200);
    expect((await app.call('GET', `/events/${id}`, { headers })).status).toBe(403);
    expect(names(await app.call('GET', '/events?search=former', { headers }))).toEqual([]);
    const { changes } = (await app.call('GET', '/changes?per_page=1000', { headers })).body;
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'event', id, removed: true }));
  });
});

describe('a category below another', () => {
  test.each([{ name: 'Renamed' }, { slug: 'another' }, { description: 'Described' }])(
    'stays there when it is updated by %j',
    async (body) => {
      const [key = ''] = Object.keys(body);
      const upper = await app.create('categories', { name: `Upper ${key}` });
      const lower = await app.create('categories', { name: `Lower ${key}`, parent: upper.id });
      const updated = await app.change(`/categories/${lower.id}`, body);
      expect([updated.status, updated.body.parent]).toEqual([200, upper.id]);
    },
  );
});

describe('the venues with upcoming events', () => {
  test('do not tell of events that the caller may not read', async () => {
    const { id } = await app.create('venues', { venue: 'Unannounced' });
    const dates = { start_date: '2099-06-01 10:00:00', end_date: '2099-06-01 12:00:00' };
    await app.create('events', { title: 'Secret plan', ...dates, venue: id, status: 'private' });
    const upcoming = async (as?: 'editor' | 'otherAuthor') =>
      names(await app.call('GET', '/venues?search=unannounced&only_with_upcoming=1', { ...(as && { as }) }));
    expect([await upcoming(), await upcoming('otherAuthor'), await upcoming('editor')]).toEqual([
      [],
      [],
      ['Unannounced'],
    ]);
  });
});

describe('an event of whole days', () => {
  test.each([
    [{ title: 'Other' }, ['2027-06-01 00:00:00', '2027-06-03 23:59:59']],
    [{ timezone: 'America/New_York' }, ['2027-06-01 00:00:00', '2027-06-03 23:59:59']],
    [{ end_date: '2027-06-05 10:00:00' }, ['2027-06-01 00:00:00', '2027-06-05 23:59:59']],
  ])('stays one when it is updated by %j', async (body, dates) => {
    const days = { start_date: '2027-06-01', end_date: '2027-06-03', all_day: true };
    const { id } = await app.create('events', { title: 'Fair', ...days });
    const event = (await app.change(`/events/${id}`, body)).body;
    expect([event.all_day, event.start_date, event.end_date]).toEqual([true, ...dates]);
  });
});

describe('two people who ask the same', () => {
  test('see only their drafts, however often a list was asked before', async () => {
    await app.create('events', { title: 'Draft of the author', ...times, status: 'draft' }, 'author');
    await app.create(
      'events',
      { title: 'Draft of the other author', ...times, status: 'draft' },
      'otherAuthor',
    );
    const drafts = async (as: 'author' | 'otherAuthor') =>
      names(await app.call('GET', '/events?status=draft&search=author', { as }));
    const seen = [];
    for (const as of ['author', 'author', 'author', 'otherAuthor', 'otherAuthor', 'author'] as const)
      seen.push(await drafts(as));
    const ofAuthor = ['Draft of the author'];
    const ofOther = ['Draft of the other author'];
    expect(seen).toEqual([ofAuthor, ofAuthor, ofAuthor, ofOther, ofOther, ofAuthor]);
  });
});

describe('two people of different roles who never wrote', () => {
  test('see what the role of each may see, whoever asked before', async () => {
    await app.create('events', { title: 'Draft of a third person', ...times, status: 'draft' }, 'author');
    const drafts = async (name: string, role: string) => {
      const token = app.identity.issueToken({ email: `${name}@example.org`, roles: [`Calendar.${role}`] });
      const headers = { Authorization: `Bearer ${token}` };
      return names(await app.call('GET', '/events?status=draft&search=third', { headers }));
    };
    const seen = [];
    for (let round = 0; round < 3; round += 1) seen.push(await drafts('new-contributor', 'Contributor'));
    for (let round = 0; round < 3; round += 1) seen.push(await drafts('new-editor', 'Editor'));
    expect(seen).toEqual([[], [], [], ...Array(3).fill(['Draft of a third person'])]);
  });
});

describe('two authors', () => {
  test('are told in Allow which of two published records each may write to', async () => {
    const { id } = await app.create('events', { title: 'By the author', ...times }, 'author');
    const venue = await app.create('venues', { venue: 'By the author' }, 'author');
    for (const path of [`/events/${id}`, `/venues/${venue.id}`]) {
      const allow = async (as: 'author' | 'otherAuthor' | 'editor') =>
        (await app.call('GET', path, { as })).headers.get('allow');
      const whole = 'GET, DELETE, POST, PUT, PATCH';
      expect([await allow('author'), await allow('otherAuthor'), await allow('editor')]).toEqual([
        whole,
        'GET',
        whole,
      ]);
    }
  });
});

describe('an event behind a password', () => {
  test('keeps its venue and organizer from every caller who may not edit it, in both directions', async () => {
    const venue = await app.create('venues', { venue: 'Secret hall' });
    const organizer = await app.create('organizers', { organizer: 'Secret club' });
    const { id } = await app.create('events', {
      title: 'Locked',
      ...times,
      access_password: 'sesame',
      venue: venue.id,
      organizer: [organizer.id],
    });
    for (const as of [undefined, 'reader', 'contributor', 'author', 'otherAuthor'] as const) {
      const caller = as === undefined ? {} : { as };
      for (const collection of ['venues', 'organizers'])
        expect([as, names(await app.call('GET', `/${collection}?event=${id}`, caller))]).toEqual([as, []]);
    }
    expect(names(await app.call('GET', `/venues?event=${id}`, { as: 'editor' }))).toEqual(['Secret hall']);
  });
});

describe('an event in the hour that the autumn repeats', () => {
  test('ends after it starts, by instants and not by the clock on the wall', async () => {
    const fields = { title: 'Night', timezone: 'Europe/Copenhagen' };
    const reply = await app.call('POST', '/events', {
      as: 'editor',
      body: { ...fields, start_date: '2027-10-31 02:30:00+02:00', end_date: '2027-10-31 02:10:00+01:00' },
    });
    const swapped = await app.call('POST', '/events', {
      as: 'editor',
      body: { ...fields, start_date: '2027-10-31 02:10:00+01:00', end_date: '2027-10-31 02:30:00+02:00' },
    });
    expect([
      outcome(reply)[0],
      swapped.status === 201 && swapped.body.utc_end_date < swapped.body.utc_start_date,
    ]).toEqual([201, false]);
    expect(reply.body.utc_end_date > reply.body.utc_start_date).toBe(true);
  });
});
