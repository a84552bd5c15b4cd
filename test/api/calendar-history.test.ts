/** The history of records: who has changed what, putting a version back, and coming back from the trash; for those who may edit a record alone. */

import { TableClient } from '@azure/data-tables';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import { siteOf } from '../../functions/calendar/model/site.ts';
import { Calendar } from '../../functions/calendar/operations/calendar.ts';
import { outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';
import { bodies, collections, creationIn, nameOf } from '../support/calendar-bodies.ts';
import { contents, mapReplica, newCalendar } from '../support/calendar-log.ts';
import { png } from '../support/pictures.ts';
import { localTables, settingsOfOwnTable } from '../support/shared-emulators.ts';

const own = settingsOfOwnTable();
const app = useCalendarApp({ ...own, CALENDAR_TIME_ZONE: 'Europe/Copenhagen' });
const create = creationIn(app);

async function versionsOf(path: string, as: Person = 'editor', query = '') {
  const { status, body } = await app.call('GET', `${path}/history${query}`, { as });
  expect(status).toBe(200);
  return body.versions as {
    version: number;
    written: string;
    by?: { id: number; name?: string };
    status: string;
    changes?: { field: string; language?: string; before: unknown; after: unknown }[];
  }[];
}

const changesOf = async (path: string, as?: Person) =>
  (await versionsOf(path, as)).map(({ changes }) =>
    changes?.map(({ field, language, before, after }) => [
      language === undefined ? field : `${field} ${language}`,
      before,
      after,
    ]),
  );

const restore = (path: string, version: number, as: Person = 'editor', headers = {}) =>
  app.call('POST', `${path}/history/${version}/restore`, { as, headers });

async function upload(as: Person): Promise<number> {
  const reply = await fetch(`${app.root}/pictures?alt_text=A+quay`, {
    method: 'POST',
    body: new Uint8Array(png()),
    headers: {
      Authorization: `Bearer ${app.token(as)}`,
      'Content-Disposition': 'attachment; filename="quay.png"',
    },
  });
  return ((await reply.json()) as { readonly id: number }).id;
}

describe('the history of a record', () => {
  test.each(collections)('of /%s tells who has changed what, the newest first', async (collection) => {
    const name = nameOf[collection];
    const path = await create(collection, {}, 'author');
    await app.change(path, { [name]: 'Second', description: 'About it' });
    await app.change(`${path}?translation_language=da`, { [name]: 'Anden' });
    const versions = await versionsOf(path);
    expect(versions.map(({ changes }) => changes)).toEqual([
      [{ field: name, language: 'da', before: null, after: 'Anden' }],
      [
        { field: name, before: 'First', after: 'Second' },
        { field: 'description', before: null, after: 'About it' },
      ],
      undefined,
    ]);
    expect(versions.map(({ by }) => by?.name)).toEqual(['Alice Archer', 'Alice Archer', 'Björn Berg']);
    const numbers = versions.map(({ version }) => version);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    const etag = (await app.call('GET', path)).headers.get('etag') ?? '';
    expect(etag.startsWith(`"${numbers[0]}-`)).toBe(true);
    for (const { written } of versions)
      expect(Math.abs(Date.parse(`${written.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(60_000);
  });

  test('tells what records refer to by its name, and no password', async () => {
    const venue = await app.create('venues', { venue: 'Hall &amp; Yard' });
    const { id: category } = await app.create('categories', { name: 'Music' });
    const image = await upload('editor');
    const path = await create('events');
    await app.change(path, { venue: venue.id, categories: [category], tags: ['Outdoor'], image, cost: '10' });
    await app.change(path, { access_password: 'sesame', featured: true, status: 'draft' });
    await app.change(path, { access_password: 'another' });
    const [third, second, first] = await changesOf(path);
    expect(first).toEqual([
      ['image', null, 'A quay'],
      ['cost', null, ['10']],
      ['categories', null, ['Music']],
      ['tags', null, ['Outdoor']],
      ['venue', null, ['Hall & Yard']],
    ]);
    expect(second).toEqual([
      ['status', 'publish', 'draft'],
      ['featured', null, true],
      ['access_password', null, true],
    ]);
    expect(third).toEqual([['access_password', true, true]]);
    const { text } = {
      text: JSON.stringify((await app.call('GET', `${path}/history`, { as: 'editor' })).body),
    };
    expect(text).not.toMatch(/sesame|salt|hash/);
  });

  test('comes in pages that have each version once', async () => {
    const path = await create('venues');
    for (let turn = 1; turn <= 7; turn += 1) await app.change(path, { city: `City ${turn}` });
    const found: number[] = [];
    let next: string | undefined = `${path}/history?per_page=3`;
    while (next !== undefined) {
      const { body }: { body: { versions: { version: number }[]; next?: string } } = await app.call(
        'GET',
        next,
        {
          as: 'editor',
        },
      );
      found.push(...body.versions.map(({ version }) => version));
      next = body.next?.slice(app.root.length);
    }
    expect(found).toEqual((await versionsOf(path)).map(({ version }) => version));
    expect(new Set(found).size).toBe(8);
    expect(await changesOf(path)).toEqual([
      ...[7, 6, 5, 4, 3, 2].map((turn) => [['city', `City ${turn - 1}`, `City ${turn}`]]),
      [['city', null, 'City 1']],
      undefined,
    ]);
  });

  test.each(collections)('of /%s is for those alone who may edit the record now', async (collection) => {
    const path = await create(collection, { status: 'draft', description: 'quagga' }, 'author');
    await app.change(path, { description: 'zebra' }, 'author');
    const [, first] = await versionsOf(path, 'author');
    const ways = [`${path}/history`, `${path}/history/${first?.version}`];
    const posts = [`${path}/history/${first?.version}/restore`, `${path}/untrash`];
    await app.change(path, { status: 'publish' });
    for (const as of ['reader', 'contributor', 'otherAuthor', 'formerAuthor', 'withoutRole'] as const) {
      for (const way of ways)
        expect([as, outcome(await app.call('GET', way, { as }))]).toEqual([as, [403, 'rest_forbidden']]);
      for (const way of posts)
        expect([as, outcome(await app.call('POST', way, { as }))]).toEqual([as, [403, 'rest_forbidden']]);
    }
    for (const way of ways) expect(outcome(await app.call('GET', way))).toEqual([401, 'rest_forbidden']);
    for (const way of posts) expect(outcome(await app.call('POST', way))).toEqual([401, 'rest_forbidden']);
    expect(await versionsOf(path, 'author')).toHaveLength(3);
  });

  test('tells references that the caller may not read by their numbers', async () => {
    const hidden = await app.create('venues', { venue: 'Quagga', status: 'draft' }, 'editor');
    const image = await upload('editor');
    const path = await create('events', {}, 'author');
    await app.change(path, { venue: hidden.id, image, status: 'draft' });
    await app.change(path, { venue: [], image: null });
    const [last, before] = await changesOf(path, 'author');
    expect(before).toContainEqual(['venue', null, [`#${hidden.id}`]]);
    expect(before).toContainEqual(['image', null, `#${image}`]);
    expect(last).toContainEqual(['venue', [`#${hidden.id}`], null]);
    // What was taken from the event is nothing that its author may put there.
    const [, version] = await versionsOf(path, 'author');
    const reply = await restore(path, version?.version ?? 0, 'author');
    expect([reply.status, reply.headers.get('adjusted-fields')]).toEqual([
      200,
      'image;reason=gone, venue;reason=gone',
    ]);
    expect([reply.body.image, reply.body.venue]).toEqual([false, []]);
  });

  test('of an unknown record or version is not there', async () => {
    expect(outcome(await app.call('GET', '/events/999999/history', { as: 'editor' }))).toEqual([
      404,
      'rest-event-not-found',
    ]);
    expect(outcome(await app.call('GET', '/venues/999999/history', { as: 'editor' }))).toEqual([
      400,
      'rest_invalid_param',
    ]);
    const path = await create('events');
    for (const version of [1, 999_999_999])
      for (const reply of [
        await app.call('GET', `${path}/history/${version}`, { as: 'editor' }),
        await restore(path, version),
      ])
        expect(outcome(reply)).toEqual([404, 'version-not-kept']);
    for (const [query, message] of [
      ['before=x', 'before'],
      ['per_page=0', 'per_page'],
    ] as const)
      expect(outcome(await app.call('GET', `${path}/history?${query}`, { as: 'editor' })), message).toEqual([
        400,
        'rest_invalid_param',
      ]);
    expect((await app.call('GET', `${path}/history/first`, { as: 'editor' })).status).toBe(404);
  });
});

describe('putting a version back', () => {
  test('is an ordinary change: the content comes back, and what is the record’s own stays', async () => {
    const path = await create('events', { website: 'https://example.org/', tags: ['Old'] }, 'author');
    const [first] = await versionsOf(path);
    await app.change(`${path}?translation_language=sv`, { title: 'Svenska' });
    const changed = {
      title: 'Second',
      slug: 'another',
      status: 'draft',
      access_password: 'sesame',
      tags: [],
      all_day: true,
    };
    const before = (await app.change(path, changed)).body;
    const told = await app.call('GET', `${path}/history/${first?.version}`, { as: 'editor' });
    const reply = await restore(path, first?.version ?? 0);
    expect(reply.status).toBe(200);
    const { title, start_date, end_date, all_day, tags, slug, status, author, date } = reply.body;
    expect({ title, start_date, end_date, all_day, tags: tags.length, slug, status, author, date }).toEqual({
      ...bodies.events,
      all_day: false,
      tags: 1,
      slug: 'another',
      status: 'draft',
      author: before.author,
      date: before.date,
    });
    // What was told before it is what it has changed.
    const [version] = await versionsOf(path);
    expect(version?.changes).toEqual(told.body.differences);
    expect(version?.changes?.map(({ field, language }) => language ?? field).sort()).toEqual([
      'all_day',
      'end_date',
      'start_date',
      'sv',
      'tags',
      'title',
    ]);
    expect(version?.by?.name).toBe('Alice Archer');
    // And it can be taken back in the same way.
    const [, earlier] = await versionsOf(path);
    await restore(path, earlier?.version ?? 0);
    expect((await app.call('GET', `${path}?context=edit`, { as: 'editor' })).body.title).toBe('Second');
  });

  test('leaves out what was deleted since, and tells it', async () => {
    const venue = await app.create('venues', { venue: 'Gone hall' });
    const kept = await app.create('organizers', { organizer: 'Still there' });
    const category = await app.create('categories', { name: 'Gone category' });
    const image = await upload('editor');
    const path = await create('events', {
      venue: venue.id,
      organizer: kept.id,
      categories: [category.id],
      tags: ['Kept'],
      image,
    });
    const [first] = await versionsOf(path);
    await app.change(path, { venue: [], organizer: [], categories: [], tags: [], image: null });
    await app.call('DELETE', `/venues/${venue.id}`, { as: 'editor' });
    await app.call('DELETE', `/categories/${category.id}`, { as: 'editor' });
    await app.call('DELETE', `/pictures/${image}`, { as: 'editor' });
    const told = await app.call('GET', `${path}/history/${first?.version}`, { as: 'editor' });
    expect(told.body.left_out.sort()).toEqual(['categories', 'image', 'venue']);
    const reply = await restore(path, first?.version ?? 0);
    expect(reply.headers.get('adjusted-fields')?.split(', ').sort()).toEqual(
      ['categories', 'image', 'venue'].map((name) => `${name};reason=gone`),
    );
    const { organizer, tags, categories, image: shown, venue: venues } = reply.body;
    expect([organizer.length, tags.length, categories, shown, venues]).toEqual([1, 1, [], false, []]);
    expect((await app.call('GET', `/venues/${venue.id}`)).status).toBe(403);
  });

  test('is refused with a tag of another version, and the second of two editors at once is told', async () => {
    const path = await create('events');
    const [first] = await versionsOf(path);
    await app.change(path, { title: 'Second' });
    const tag = (await app.call('GET', path)).headers.get('etag') ?? '';
    const headers = { 'If-Match': tag };
    const replies = await Promise.all([
      restore(path, first?.version ?? 0, 'editor', headers),
      restore(path, first?.version ?? 0, 'otherEditor', headers),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(outcome(await restore(path, first?.version ?? 0, 'editor', headers))).toEqual([
      412,
      'precondition-failed',
    ]);
  });

  test('gives back any content that a record had, whatever came between', async () => {
    const { id } = await app.create('events', { ...bodies.events });
    const path = `/events/${id}`;
    const text = fc.constantFrom('', 'One', 'Two &amp; more', 'Три');
    const change = fc.record(
      {
        title: text.filter((title) => title !== ''),
        description: text,
        website: fc.constantFrom('', 'https://example.org/a'),
        start_date: fc.constantFrom('2031-05-01 10:00:00', '2031-06-01 11:30:00'),
        all_day: fc.boolean(),
        timezone: fc.constantFrom('UTC', 'Europe/Copenhagen', 'America/New_York'),
        cost: fc.constantFrom('', '10', '10 - 20'),
        tags: fc.subarray(['red', 'green', 'blue']),
        featured: fc.boolean(),
        event_status: fc.constantFrom('scheduled', 'canceled', 'postponed'),
      },
      { requiredKeys: [] },
    );
    const seen = new Map<number, object>();
    const content = (body: Record<string, unknown>) => {
      const { modified, modified_utc, json_ld, tags, ...rest } = body;
      return { ...rest, tags: (tags as { name: string }[]).map(({ name }) => name) };
    };
    const note = async () => {
      const [present] = await versionsOf(path, 'editor', '?per_page=1');
      seen.set(present?.version ?? 0, content((await app.call('GET', path)).body));
    };
    await note();
    await fc.assert(
      fc.asyncProperty(change, fc.nat(), async (fields, pick) => {
        expect((await app.change(path, fields)).status).toBe(200);
        await note();
        const numbers = [...seen.keys()];
        const version = numbers[pick % numbers.length] ?? 0;
        expect((await restore(path, version)).status).toBe(200);
        expect(content((await app.call('GET', path)).body)).toEqual(seen.get(version));
        await note();
      }),
      { numRuns: 15 },
    );
  });
});

describe('the trash', () => {
  test.each(collections)('of /%s gives a record back as it was', async (collection) => {
    for (const status of ['publish', 'draft', 'pending', 'private', 'future'] as const) {
      const date = status === 'future' ? { date: '2090-01-01 00:00:00' } : {};
      const path = await create(collection, { status, ...date, slug: `of-${status}` });
      const before = (await app.call('GET', path, { as: 'editor' })).body;
      expect((await app.call('DELETE', path, { as: 'editor' })).status).toBe(200);
      const listed = await app.call(
        'GET',
        `/${collection}?status=trash&start_date=2000-01-01&end_date=2099-01-01`,
        { as: 'editor' },
      );
      expect(listed.body[collection].map(({ id }: { id: number }) => `/${collection}/${id}`)).toContain(path);
      const reply = await app.call('POST', `${path}/untrash`, { as: 'editor' });
      expect([status, reply.status, reply.body.status, reply.body.slug]).toEqual([
        status,
        200,
        status,
        before.slug,
      ]);
      // The second time there is nothing to do.
      const { version } = (await versionsOf(path))[0] ?? {};
      const again = await app.call('POST', `${path}/untrash`, { as: 'editor' });
      expect([again.status, again.body.status]).toEqual([200, status]);
      expect((await versionsOf(path))[0]?.version).toBe(version);
    }
  });

  test('gives back what a contributor deleted, and the history goes on over it', async () => {
    const path = await create('events', { status: 'pending' }, 'contributor');
    await app.call('DELETE', path, { as: 'contributor' });
    const [, submitted] = await versionsOf(path, 'contributor');
    expect(submitted?.status).toBe('pending');
    const reply = await app.call('POST', `${path}/untrash`, { as: 'contributor' });
    expect([reply.status, reply.body.status]).toEqual([200, 'pending']);
    expect((await changesOf(path, 'contributor')).slice(0, 2)).toEqual([
      [
        ['status', 'trash', 'pending'],
        ['slug', expect.any(String), expect.any(String)],
      ],
      [
        ['status', 'pending', 'trash'],
        ['slug', expect.any(String), expect.any(String)],
      ],
    ]);
  });
});

describe('what is kept', () => {
  const settings = () => ({
    connectionString: localTables(),
    endpoint: '',
    tableName: own.CALENDAR_TABLE_NAME,
    calendar: 'default',
    staleIfError: 0,
  });
  const table = () =>
    TableClient.fromConnectionString(localTables(), own.CALENDAR_TABLE_NAME, {
      allowInsecureConnection: true,
    });

  async function rows() {
    const filter = "PartitionKey eq 'default' and RowKey gt 'h|' and RowKey lt 'h|~'";
    return Array.fromAsync(table().listEntities<{ at: bigint; key: string }>({ queryOptions: { filter } }));
  }

  test('ends after the days of the setting, for who reads and in the storage', async () => {
    const path = await create('events');
    await app.change(path, { title: 'Second' });
    await app.change(path, { title: 'Third' });
    const [, , first] = await versionsOf(path);
    const oldest = (await rows()).filter(({ key }) => `/${key.replace('event', 'events')}` === path).at(-1);
    const days = (count: number) => BigInt(Math.floor(Date.now() / 1_000) - count * 24 * 60 * 60);
    const { partitionKey = '', rowKey = '' } = oldest ?? {};
    await table().updateEntity(
      { partitionKey, rowKey, at: { type: 'Int64', value: String(days(366)) } },
      'Merge',
    );
    expect((await versionsOf(path)).map(({ changes }) => changes?.length)).toEqual([1, undefined]);
    expect(outcome(await restore(path, first?.version ?? 0))).toEqual([404, 'version-not-kept']);
    const before = (await rows()).length;
    await table()
      .deleteEntity('default', 'swept')
      .catch(() => {});
    const log = openLog(settings(), { replica: mapReplica(), historyDays: 365 });
    await log.read();
    expect(await log.history?.sweep()).toBe(1);
    expect(await rows()).toHaveLength(before - 1);
    // Once a day, whichever process asks.
    expect(await log.history?.sweep()).toBeUndefined();
    log.close();
  });

  test('is a number of versions of each record', async () => {
    const path = await create('venues');
    await app.change(path, { city: 'Kept' });
    const [row] = (await rows()).filter(({ key }) => `/${key.replace('venue', 'venues')}` === path);
    const { partitionKey = '', rowKey = '' } = row ?? {};
    const entity = await table().getEntity(partitionKey, rowKey);
    const key = (index: number) => `${rowKey.slice(0, -4)}${String(index).padStart(4, '0')}`;
    for (let start = 0; start < 300; start += 100)
      await table().submitTransaction(
        Array.from({ length: 100 }, (_, index) => [
          'create',
          { ...entity, rowKey: key(start + index), partitionKey },
        ]),
      );
    await table()
      .deleteEntity('default', 'swept')
      .catch(() => {});
    const log = openLog(settings(), { replica: mapReplica(), historyDays: 365 });
    await log.read();
    await log.history?.sweep();
    log.close();
    const left = (await rows()).filter(({ key }) => `/${key.replace('venue', 'venues')}` === path);
    expect(left).toHaveLength(200);
  });

  test('forgets the names of people who change nothing any more', async () => {
    const here = newCalendar(localTables());
    let now = Math.floor(Date.UTC(2031, 0, 1) / 1_000);
    const calendar = new Calendar({
      site: siteOf('https://calendar.example.org', 'UTC'),
      openLog: (replica) => openLog(here, { replica, historyDays: 365 }),
      authorNameDays: 10,
      clock: () => now,
    });
    const ask = (name: string, parameters: object = {}) => ({
      caller: { role: 'editor', subject: name, name } as const,
      parameters: { ...parameters },
      root: '',
      language: undefined,
    });
    const { id } = await calendar.create('event', ask('Ann', bodies.events));
    now += 8 * 24 * 60 * 60;
    await calendar.update('event', { id }, ask('Bo', { title: 'Second' }));
    const told = async () =>
      (await calendar.histories.list('event', { id }, { limit: 9 }, ask('Bo'))).value.versions.map(
        ({ by }) => by?.name,
      );
    expect(await told()).toEqual(['Bo', 'Ann']);
    now += 3 * 24 * 60 * 60;
    expect(await told()).toEqual(['Bo', undefined]);
    await calendar.histories.sweep();
    calendar.close();
    const replica = mapReplica();
    const log = openLog(here, { replica });
    await log.read();
    log.close();
    const stored = Object.entries(contents(replica)).filter(([key]) => key.startsWith('author/'));
    expect(stored.map(([, author]) => (author as { name?: string }).name).sort()).toEqual(['Bo', undefined]);
  });

  test('is nothing where the setting says so, and no name where that one does', async () => {
    const path = await create('events');
    const other = (await app.another({ CALENDAR_HISTORY_DAYS: '0', CALENDAR_AUTHOR_NAME_DAYS: '0' }))
      .calendar;
    await app.call('PATCH', path, { as: 'otherEditor', body: { title: 'Second' }, at: other });
    expect((await app.call('GET', `${path}/history`, { as: 'editor', at: other })).body.versions).toEqual([
      expect.objectContaining({ by: { id: expect.any(Number) } }),
    ]);
    expect(await changesOf(path)).toEqual([undefined]);
  });
});
