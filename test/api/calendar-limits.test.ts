/** What no caller may ask of the calendar, however they ask it: limits on input, and work that ends early. */

import { describe, expect, test } from 'vitest';
import { outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };
const asRead = { 'X-HTTP-Method-Override': 'GET' };

describe('a read that comes as a POST', () => {
  test('takes its filters from the body', async () => {
    await app.create('tags', { name: 'Body', slug: 'from-body' });
    const body = { slug: 'from-body', hide_empty: false };
    const reply = await app.call('POST', '/tags', { body, headers: asRead });
    expect([reply.status, reply.body.total]).toEqual([200, 1]);
  });
});

describe('a body of a read', () => {
  /** JSON of a given number of bytes. */
  const bytes = (length: number) => {
    const json = '{"slug":"none","x":""}';
    return json.replace('""', `"${'x'.repeat(length - json.length)}"`);
  };
  const send = async (length: number) => {
    const headers = { ...asRead, 'Content-Type': 'application/json' };
    return outcome(await app.call('POST', '/tags', { body: bytes(length), headers }));
  };

  test('may have 16 KiB, and not a byte more', async () => {
    expect(await send(16_384)).toEqual([200, undefined]);
    expect(await send(16_385)).toEqual([413, 'body-too-large']);
  });
});

describe('a write', () => {
  test('makes 99 records at the most, and of more none at all', async () => {
    await app.create('organizers', { organizer: 'Made by the editor, who is an author from now on' });
    const tags = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => `${name} ${index}`);
    const send = (names: string[]) =>
      app.call('POST', '/events', { as: 'editor', body: { title: 'Tagged', ...times, tags: names } });
    expect((await send(tags(98, 'fits'))).body.tags).toHaveLength(98);
    expect(outcome(await send(tags(99, 'many')))).toEqual([413, 'change-too-large']);
    expect((await app.call('GET', '/tags?hide_empty=0&search=many')).body.total).toBe(0);
  });

  test('leaves an event with 99 venues, organizers, categories and tags together, and with no more', async () => {
    const names = (name: string) => Array.from({ length: 50 }, (_, at) => `${name} link ${at}`);
    const [first, more] = [names('a'), names('b')];
    const { id, tags } = await app.create('events', { title: 'Links', ...times, tags: first });
    const change = (fields: object) => app.call('PATCH', `/events/${id}`, { as: 'editor', body: fields });
    expect((await change({ tags: [...first, ...more.slice(1)] })).body.tags).toHaveLength(99);
    const { id: organizer } = await app.create('organizers', { organizer: 'One more' });
    const refused = await change({ organizer, tags: [...first, ...more.slice(1)] });
    expect([outcome(refused), Object.keys(refused.body.data.params)]).toEqual([
      [400, 'rest_invalid_param'],
      ['organizer', 'tags'],
    ]);
    expect((await change({ organizer, tags: tags.map(({ id: tag }: { id: number }) => tag) })).status).toBe(
      200,
    );
    expect((await change({ title: 'Renamed' })).body.tags).toHaveLength(50);
  });

  test('of somebody who is not signed in is refused without its long body being read', async () => {
    const body = { title: 'x'.repeat(20_000), ...times };
    expect(outcome(await app.call('POST', '/events', { body }))).toEqual([401, 'rest_forbidden']);
    const reply = await app.call('PATCH', '/venues/99999', {
      body: { venue: '', address: 'x'.repeat(20_000) },
    });
    expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, ['id']]);
  });

  test('takes 100,000 characters in each field, and no more', async () => {
    const fits = await app.create('organizers', { organizer: 'Long', description: 'x'.repeat(100_000) });
    expect(fits.description).toHaveLength(100_000 + '<p></p>'.length);
    const body = { description: 'x'.repeat(100_001), title: ['x'.repeat(100_001)], ...times };
    const { status, body: refusal } = await app.call('POST', '/events', { as: 'editor', body });
    const tooLong = 'must not be longer than 100000 characters';
    expect([status, refusal.data.params]).toEqual([400, { title: tooLong, description: tooLong }]);
  });

  test.each([
    ['new organizers', { organizer: Array.from({ length: 3_000 }, () => ({ organizer: 'Same' })) }],
    ['new tags', { tags: Array.from({ length: 10_000 }, (_, index) => `t${index}`) }],
  ])('of thousands of %s is refused before they are made', async (_of, fields) => {
    const body = { title: 'Many', ...times, ...fields };
    expect(outcome(await app.call('POST', '/events', { as: 'contributor', body }))).toEqual([
      413,
      'change-too-large',
    ]);
  });

  test('of a form with more than 10,000 names is refused', async () => {
    const form = (names: number) => Array.from({ length: names }, () => 'name=Form').join('&');
    expect((await app.call('POST', '/tags', { as: 'editor', body: form(10_000) })).status).toBe(201);
    expect(outcome(await app.call('POST', '/tags', { as: 'editor', body: form(10_001) }))).toEqual([
      413,
      'form-too-large',
    ]);
  });

  test('of a form may have plus signs for spaces, which are replaced at once, and names with any number of brackets', async () => {
    const body = `name=${'+'.repeat(1_000)}A+%2B+B++&${'a[b]'.repeat(1_000)}=1&a[[[[[=1`;
    const { status, body: tag } = await app.call('POST', '/tags', { as: 'editor', body });
    expect([status, tag.name]).toEqual([201, 'A + B']);
  });

  test('of JSON with more than 10,000 names at its top is refused', async () => {
    const body = {
      name: 'Many',
      ...Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`n${at}`, 1])),
    };
    expect(outcome(await app.call('POST', '/tags', { as: 'editor', body }))).toEqual([413, 'form-too-large']);
  });
});

describe('categories', () => {
  test('have at most 50 levels, those included that one brings along when it moves', async () => {
    const category = (name: string, parent?: number) =>
      app.call('POST', '/categories', { as: 'author', body: { name, ...(parent && { parent }) } });
    const chain: number[] = [];
    for (let level = 1; level <= 50; level++)
      chain.push((await category(`Level ${level}`, chain.at(-1))).body.id);
    const tooDeep = [400, 'rest_invalid_param'];
    expect(outcome(await category('Level 51', chain.at(-1)))).toEqual(tooDeep);
    const upper = (await category('Upper')).body.id;
    await category('Lower', upper);
    const move = async (parent: number | undefined) =>
      outcome(await app.change(`/categories/${upper}`, { parent }, 'author'));
    expect([await move(chain.at(-2)), await move(chain.at(-3))]).toEqual([tooDeep, [200, undefined]]);
    const all = await app.call('GET', '/categories?hide_empty=0&per_page=50');
    expect([all.status, all.body.total]).toEqual([200, 52]);
  });
});

describe('what pages are made of', () => {
  const hostile = '&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;';

  test.each(['', '?_fields=json_ld'])(
    'is linked data that cannot end its script element, in full and as %j',
    async (query) => {
      const named = {
        venue: { venue: 'V', description: hostile },
        organizer: [{ organizer: 'O', description: hostile }],
      };
      const { id, venue } = await app.create('events', {
        title: 'T',
        ...times,
        description: hostile,
        ...named,
      });
      for (const path of [`/events/${id}`, `/venues/${venue.id}`]) {
        const reply = await fetch(app.root + path + query);
        const text = await reply.text();
        expect(text.slice(text.indexOf('"json_ld"'))).not.toContain('<');
        expect(JSON.parse(text).json_ld.description).toBe('</script><script>alert(1)</script>');
      }
    },
  );

  test.each(['"', '<', '>', '`', '\\'])('is addresses without %s', async (character) => {
    const url = `https://example.org/a${character}b`;
    for (const body of [{ website: url }, { image: url }]) {
      const reply = await app.call('POST', '/organizers', {
        as: 'editor',
        body: { organizer: 'O', ...body },
      });
      expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, Object.keys(body)]);
    }
  });

  test('is addresses with everything else that people write', async () => {
    const website = "https://ann:b@example.org:8080/~a/(b)/c;d=e,f/{g}|h^[i]?j=k&l='m'*!$+#n%20@";
    expect((await app.create('organizers', { organizer: 'O', website })).website).toBe(website);
  });
});

describe('passwords of events', () => {
  test('are queued, and rejected where more than a hundred are', async () => {
    const { id } = await app.create('events', { title: 'Secret', ...times, access_password: 'sesame' });
    const attempts = Array.from({ length: 160 }, (_, index) =>
      app.call('GET', `/events/${id}?password=p${index}`),
    );
    const outcomes = new Set((await Promise.all(attempts)).map(outcome).map(String));
    expect(outcomes).toEqual(new Set(['403,event-password-protected', '429,too-many-passwords']));
    expect((await app.call('GET', `/events/${id}?password=sesame`)).status).toBe(200);
  });
});

describe('a page of a list', () => {
  test('has 16 MiB with what its events link to, and with fewer events it is answered', async () => {
    const description = 'x'.repeat(100_000);
    const organizers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        app.create('organizers', { organizer: `Long ${at}`, description }),
      ),
    );
    const organizer = organizers.map(({ id }) => id);
    const dates = { start_date: '2033-06-01 10:00:00', end_date: '2033-06-01 12:00:00' };
    await Promise.all(
      Array.from({ length: 9 }, (_, at) =>
        app.create('events', { title: `Heavy ${at}`, ...dates, organizer }),
      ),
    );
    const list = (more: string) => `/events?start_date=2033-06-01&end_date=2033-06-02&${more}`;
    expect(outcome(await app.call('GET', list('per_page=50')))).toEqual([422, 'page-too-large']);
    expect((await app.call('GET', list('per_page=5'))).body.events).toHaveLength(5);
    const origin = new URL(app.root).origin;
    for (const [path, size] of [
      ['/wp-json/wp/v2/tribe_events?_embed=1', 'per_page'],
      ['/wp-json/tec/v1/events?start_date=2033-06-01', 'per_page'],
    ]) {
      const read = (count: number) =>
        fetch(`${origin}${path}&${size}=${count}`, { headers: { 'X-TEC-EEA': 'yes' } });
      const [many, few] = [await read(50), await read(5)];
      await Promise.all([many.arrayBuffer(), few.arrayBuffer()]);
      expect([path, many.status, few.status]).toEqual([path, 422, 200]);
    }
  });
});
