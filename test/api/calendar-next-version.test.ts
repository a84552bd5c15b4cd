/** Drafts of the next version of published records: the public one stays, nobody else learns of it, and publishing is decided field by field. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';
import { bodies, collections, creationIn, nameOf } from '../support/calendar-bodies.ts';

const app = useCalendarApp();
const create = creationIn(app);

const save = (path: string, body: object, as: Person = 'editor', headers = {}) =>
  app.call('PATCH', `${path}/draft`, { as, body, headers });
const publish = (path: string, query = '', as: Person = 'editor', headers = {}) =>
  app.call('POST', `${path}/draft/publish${query}`, { as, headers });
const read = async (path: string, as?: Person) => (await app.call('GET', path, as && { as })).body;

describe.each(collections)('a draft of one of /%s', (collection) => {
  const name = nameOf[collection];

  test('leaves the public record as it is until it is published, and then goes', async () => {
    const path = await create(collection, { description: 'Kept' });
    const before = await app.call('GET', path);
    const first = await save(path, { [name]: 'Second' });
    expect([first.status, first.body.changes]).toEqual([
      200,
      [{ field: name, before: 'First', after: 'Second' }],
    ]);
    await save(`${path}`, { description: 'New' });
    await app.call('PATCH', `${path}/draft?translation_language=da`, {
      as: 'editor',
      body: { [name]: 'Anden' },
    });
    const after = await app.call('GET', path);
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
    expect((await read(`${path}/draft`, 'editor')).changes).toEqual([
      { field: name, before: 'First', after: 'Second' },
      { field: name, language: 'da', before: null, after: 'Anden' },
      { field: 'description', before: 'Kept', after: 'New' },
    ]);
    expect((await publish(path)).body).toMatchObject({ [name]: 'Second', status: 'publish' });
    expect(await read(path)).toMatchObject({ [name]: 'Second' });
    expect(await read(`${path}?translation_language=da`)).toMatchObject({ [name]: 'Anden' });
    expect(await read(`${path}/draft`, 'editor')).toEqual({ sent: {}, changes: [], conflicts: [] });
    expect(outcome(await publish(path))).toEqual([404, 'no-draft']);
    // It is one change of the history, which can be taken back.
    const { versions } = await read(`${path}/history`, 'editor');
    expect(versions[0].changes).toHaveLength(3);
  });

  test('is for those alone who may edit the record now, and changes no reply to others', async () => {
    const path = await create(collection, {}, 'author');
    const site = new URL(app.root).origin;
    const ways = [
      ...[path, `/${collection}`, `/${collection}?search=quagga`, '/changes', '/events.ics'].map(
        (way) => app.root + way,
      ),
      `${site}/calendar?search=quagga`,
      `${site}/events/feed/`,
      `${site}/wp-json/wp/v2/search?search=quagga`,
    ];
    const replies = async (as: Person | undefined) => {
      const headers = as === undefined ? {} : { Authorization: `Bearer ${app.token(as)}` };
      return Promise.all(
        ways.map(async (way) => {
          const text = await (await fetch(way, { headers })).text();
          return text.replaceAll(/nonce="[^"]*"|nonce-[\w-]+|<lastBuildDate>[^<]*/g, '');
        }),
      );
    };
    const others = ['otherAuthor', 'reader', undefined] as const;
    const before = await Promise.all(others.map(replies));
    expect((await save(path, { [name]: 'quagga', description: 'quagga' }, 'author')).status).toBe(200);
    expect(await Promise.all(others.map(replies))).toEqual(before);
    expect(JSON.stringify(await read(`${path}/history`, 'author'))).not.toContain('quagga');
    for (const as of ['otherAuthor', 'contributor', 'formerAuthor', 'reader'] as const)
      for (const reply of [
        await app.call('GET', `${path}/draft`, { as }),
        await save(path, { description: 'x' }, as),
        await publish(path, '', as),
        await app.call('DELETE', `${path}/draft`, { as }),
      ])
        expect([as, outcome(reply)]).toEqual([as, [403, 'rest_forbidden']]);
    expect(outcome(await app.call('GET', `${path}/draft`))).toEqual([401, 'rest_forbidden']);
    expect((await app.call('DELETE', `${path}/draft`, { as: 'editor' })).status).toBe(200);
    expect((await read(`${path}/draft`, 'author')).sent).toEqual({});
  });

  test('keeps what others have changed meanwhile, and tells both values where the same field was', async () => {
    const path = await create(collection, { description: 'Kept' });
    await save(path, { [name]: 'Mine' });
    await app.change(path, { description: 'By another' });
    expect((await publish(path)).body[name]).toBe('Mine');
    expect((await read(`${path}?context=edit`, 'editor')).raw.description).toContain('By another');

    await save(path, { [name]: 'Mine again', description: 'Mine too' });
    await app.change(path, { [name]: 'Theirs' }, 'otherEditor');
    const refused = await publish(path);
    expect(outcome(refused)).toEqual([409, 'draft-conflicts']);
    const conflicts = [{ field: name, mine: 'Mine again', theirs: 'Theirs' }];
    expect(refused.body.data.conflicts).toEqual(conflicts);
    expect((await read(`${path}/draft`, 'editor')).conflicts).toEqual(conflicts);
    expect((await read(path))[name]).toBe('Theirs');
    expect((await publish(path, '?resolve=ours')).status).toBe(400);
    expect((await publish(path, '?resolve=theirs')).body).toMatchObject({ [name]: 'Theirs' });
    expect((await read(`${path}?context=edit`, 'editor')).raw.description).toContain('Mine too');

    await save(path, { [name]: 'Mine at last' });
    await app.change(path, { [name]: 'Theirs once more' });
    expect((await publish(path, '?resolve=mine')).body).toMatchObject({ [name]: 'Mine at last' });
    // What both have made the same is no conflict.
    await save(path, { [name]: 'Both' });
    await app.change(path, { [name]: 'Both' });
    expect((await publish(path)).status).toBe(200);
  });

  test('has tags of its own, and the second of two people at once is told', async () => {
    const path = await create(collection);
    const none = (await app.call('GET', `${path}/draft`, { as: 'editor' })).headers.get('etag') ?? '';
    const [one, other] = await Promise.all([
      save(path, { description: 'One' }, 'editor', { 'If-Match': none }),
      save(path, { description: 'Other' }, 'otherEditor', { 'If-Match': none }),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 412]);
    // Without a tag both are kept, field by field.
    const both = await Promise.all([
      save(path, { [name]: 'Name' }),
      save(path, { description: 'Text' }, 'otherEditor'),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(`${path}/draft`, 'editor')).sent.default).toEqual({
      [name]: 'Name',
      description: 'Text',
    });
    expect(outcome(await publish(path, '', 'editor', { 'If-Match': none }))).toEqual([
      412,
      'precondition-failed',
    ]);
    expect(
      outcome(await app.call('DELETE', `${path}/draft`, { as: 'editor', headers: { 'If-Match': none } })),
    ).toEqual([412, 'precondition-failed']);
  });

  test('is refused of what is not published, of what no draft has, and of bad values', async () => {
    const draft = await create(collection, { status: 'draft' });
    expect(outcome(await save(draft, { description: 'x' }))).toEqual([409, 'draft-of-unpublished']);
    const path = await create(collection);
    for (const body of [
      { status: 'draft' },
      { author: 1 },
      { date: '2031-01-01 00:00:00' },
      { review_note: 'x' },
    ])
      expect([body, outcome(await save(path, body))]).toEqual([body, [400, 'rest_invalid_param']]);
    expect(outcome(await save(path, { image: 999_999 }))).toEqual([400, 'rest_invalid_param']);
    expect(outcome(await save(`/${collection}/999999`, {}))).toEqual(
      collection === 'events' ? [404, 'rest-event-not-found'] : [400, 'rest_invalid_param'],
    );
  });
});

test('dates mean something together: one that others have moved is a conflict of all', async () => {
  const path = await create('events');
  await save(path, { end_date: '2031-05-01 22:00:00' });
  await app.change(path, { start_date: '2031-06-01 19:00:00', end_date: '2031-06-01 21:00:00' });
  const refused = await publish(path);
  expect(outcome(refused)).toEqual([409, 'draft-conflicts']);
  expect(refused.body.data.conflicts.map(({ field }: { field: string }) => field)).toContain('end_date');
  expect((await publish(path, '?resolve=theirs')).body).toMatchObject({
    start_date: '2031-06-01 19:00:00',
    end_date: '2031-06-01 21:00:00',
  });
});

test('a password is no part of a draft', async () => {
  const path = await create('events');
  expect(outcome(await save(path, { access_password: 'sesame' }))).toEqual([400, 'rest_invalid_param']);
});

test('of any draft and any change by others each field has the value of who alone has changed it', async () => {
  const texts = { title: fc.constantFrom('A', 'B'), description: fc.constantFrom('', 'A', 'B') };
  const values = fc.record(
    {
      ...texts,
      website: fc.constantFrom('', 'https://example.org/a', 'https://example.org/b'),
      cost: fc.constantFrom('', '10', '20'),
      featured: fc.boolean(),
      tags: fc.subarray(['red', 'green']),
      event_status: fc.constantFrom('scheduled', 'canceled'),
    },
    { requiredKeys: [] },
  );
  const content = async (path: string) => {
    const {
      title,
      raw,
      website,
      url,
      cost,
      featured,
      tags,
      event_status = 'scheduled',
    } = await read(`${path}?context=edit`, 'editor');
    return {
      title,
      description: raw.description.replaceAll(/<\/?p>|\n/g, ''),
      website: website === url ? '' : website,
      cost,
      featured,
      tags: tags
        .map(({ name }: { name: string }) => name)
        .sort()
        .join(),
      event_status,
    };
  };
  await fc.assert(
    fc.asyncProperty(values, values, values, async (base, mine, theirs) => {
      const path = await create('events', base);
      const before = await content(path);
      if (Object.keys(mine).length === 0) return;
      await save(path, mine);
      await app.change(path, theirs);
      const changed = await content(path);
      const other = await create('events', { ...base, ...mine });
      const wanted = await content(other);
      const reply = await publish(path);
      const names = Object.keys(before) as (keyof typeof before)[];
      const clashes = names.filter(
        (field) => field in mine && changed[field] !== before[field] && changed[field] !== wanted[field],
      );
      expect(reply.status).toBe(clashes.length > 0 ? 409 : 200);
      if (clashes.length > 0) {
        expect(reply.body.data.conflicts.map(({ field }: { field: string }) => field).sort()).toEqual(
          [...clashes].sort(),
        );
        expect(await content(path)).toEqual(changed);
        return;
      }
      expect(await content(path)).toEqual(
        Object.fromEntries(names.map((field) => [field, field in mine ? wanted[field] : changed[field]])),
      );
    }),
    { numRuns: 25 },
  );
});

describe('a draft of a date of a series', () => {
  const { start_date, end_date } = bodies.events;
  const seriesOf = async () => {
    const rule = { title: 'Choir', rrule: 'FREQ=WEEKLY;COUNT=5', start_date, end_date };
    const { body } = await app.call('POST', '/series', { as: 'editor', body: rule });
    return {
      id: body.id,
      paths: body.dates.map((date: { event: number }) => `/events/${date.event}`) as string[],
    };
  };
  const titles = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await read(path)).title));

  test.each([
    [undefined, ['Choir', 'New', 'Choir', 'Own', 'Choir']],
    ['this', ['Choir', 'New', 'Choir', 'Own', 'Choir']],
    ['later', ['Choir', 'New', 'New', 'Own', 'New']],
    ['all', ['New', 'New', 'New', 'Own', 'New']],
  ])('is made to %s, and what was changed in a single date stays', async (scope, expected) => {
    const { paths } = await seriesOf();
    await app.change(paths[3] ?? '', { title: 'Own' });
    const path = paths[1] ?? '';
    await save(path, { title: 'New', cost: '10' });
    if (scope !== undefined) expect((await save(path, { scope })).body.scope).toBe(scope);
    expect(await titles(paths)).toEqual(['Choir', 'Choir', 'Choir', 'Own', 'Choir']);
    const seen = await read(`${path}/draft`, 'editor');
    expect([seen.scope, seen.changes.length]).toEqual([scope, 2]);
    expect((await publish(path)).status).toBe(200);
    expect(await titles(paths)).toEqual(expected);
    const costs = await Promise.all(paths.map(async (one) => (await read(one)).cost));
    expect(costs).toEqual(
      expected.map((title) =>
        title === 'New' || (title === 'Own' && scope && scope !== 'this') ? '$10' : '',
      ),
    );
    expect(await read(`${path}/draft`, 'editor')).toEqual({ sent: {}, changes: [], conflicts: [] });
  });

  test('is decided on the newest state of the series, and what others changed in the date is told first', async () => {
    const { id, paths } = await seriesOf();
    const path = paths[0] ?? '';
    await save(path, { title: 'Mine', scope: 'all' });
    const theirs = { event: Number(paths[2]?.split('/').at(-1)), scope: 'all', title: 'Theirs' };
    expect((await app.change(`/series/${id}`, theirs)).status).toBe(200);
    const refused = await publish(path);
    expect(outcome(refused)).toEqual([409, 'draft-conflicts']);
    expect(refused.body.data.conflicts).toEqual([{ field: 'title', mine: 'Mine', theirs: 'Theirs' }]);
    expect(await titles(paths)).toEqual(Array(5).fill('Theirs'));
    await app.change(`/series/${id}`, { rrule: 'FREQ=WEEKLY;COUNT=6' });
    expect((await publish(path, '?resolve=mine')).status).toBe(200);
    const { dates } = await read(`/series/${id}`, 'editor');
    const all = dates.map((date: { event: number }) => `/events/${date.event}`);
    expect(await titles(all)).toEqual(Array(6).fill('Mine'));
  });

  test('of many dates is whole once it is published, and two who publish it at once make it once', async () => {
    const rule = { title: 'Choir', rrule: 'FREQ=DAILY;COUNT=150', start_date, end_date };
    const { body } = await app.call('POST', '/series', { as: 'editor', body: rule });
    const paths: string[] = body.dates.map((date: { event: number }) => `/events/${date.event}`);
    const path = paths[0] ?? '';
    await save(path, { title: 'New', scope: 'all' });
    const replies = await Promise.all([publish(path), publish(path, '', 'otherEditor')]);
    expect(replies.map(({ status }) => status).sort()).toEqual(expect.arrayContaining([200]));
    for (const { status } of replies) expect([200, 404]).toContain(status);
    expect(new Set(await titles(paths))).toEqual(new Set(['New']));
    expect((await read(`/series/${body.id}`, 'editor')).is_complete).toBe(true);
  });

  test('is refused of an event in no series, and made to a date that came back from the trash', async () => {
    const { paths } = await seriesOf();
    const other = await create('events', {}, 'author');
    expect((await save(other, { scope: 'all' }, 'author')).status).toBe(400);
    expect((await save(paths[0] ?? '', { scope: 'some' })).status).toBe(400);
    const path = paths[1] ?? '';
    const { series, id } = await read(path);
    await save(path, { title: 'New', scope: 'later' });
    await app.call('DELETE', `/series/${series.id}?scope=this&event=${id}`, { as: 'editor' });
    await app.call('POST', `${path}/untrash`, { as: 'editor' });
    expect((await publish(path)).status).toBe(200);
    expect(await titles(paths)).toEqual(['Choir', 'New', 'New', 'New', 'New']);
  });
});
