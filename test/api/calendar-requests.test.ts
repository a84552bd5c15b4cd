import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { type CalendarCall, names, outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';
import { hostMode } from '../support/host-mode.ts';
import { sendChunked } from '../support/send-chunked.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('requests', () => {
  test('take parameters from a form, lists and objects in brackets included', async () => {
    const form = new URLSearchParams([
      ['title', 'From a form'],
      ['start_date', '2027-06-01 10:00'],
      ['end_date', '2027-06-01 12:00'],
      ['all_day', 'FALSE'],
      ['tags[]', 'a'],
      ['tags[]', 'b'],
      ['organizer[0][organizer]', 'Ann'],
      ['venue[venue]', 'Hall'],
    ]);
    const { status, body } = await app.call('POST', '/events', { as: 'editor', body: form.toString() });
    expect([status, body.title, body.venue.venue, body.organizer[0].organizer]).toEqual([
      201,
      'From a form',
      'Hall',
      'Ann',
    ]);
    expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  });

  test('take the JSON body before the query, and the last of two', async () => {
    const path = '/tags?name=first&name=query&description=from+the+query';
    expect((await app.call('POST', path, { as: 'editor', body: { name: 'body' } })).body).toMatchObject({
      name: 'body',
      description: 'from the query',
    });
    expect((await app.call('POST', path, { as: 'editor' })).body.name).toBe('query');
  });

  test('are refused when their body comes in chunks, since the Functions host loses it but for HTTP streams', async () => {
    const headers = { Authorization: `Bearer ${app.token('editor')}` };
    expect(await sendChunked(`${app.root}/tags`, 'POST', '{"name":"lost"}', headers)).toMatchObject(
      hostMode.streams
        ? { status: 201, json: { name: 'lost' } }
        : { status: 411, json: { code: 'length-required', data: { status: 411 } } },
    );
  });

  test.each(['text/plain', 'application/xml', 'application/octet-stream'])(
    'are refused with a body of %s',
    async (type) => {
      const headers = { 'Content-Type': type };
      const { status, body } = await app.call('POST', '/tags', { as: 'editor', body: 'name=lost', headers });
      expect({ status, body }).toMatchObject({ status: 415, body: { code: 'unsupported-media-type' } });
    },
  );

  test('ignore unknown fields, and a body that is no object', async () => {
    const { status } = await app.call('POST', '/tags?name=odd', { as: 'editor', body: [1], headers: {} });
    const extra = await app.call('POST', '/tags', {
      as: 'editor',
      body: { name: 'extra', nonsense: { deep: [1] }, __proto__: 1 },
    });
    expect([status, extra.status]).toEqual([201, 201]);
  });

  test.each(['application/json', 'application/merge-patch+json', 'application/json; charset=utf-8'])(
    'read a body of %s, which may be empty',
    async (type) => {
      const { id } = await app.create('tags', { name: `Sent as ${type}` });
      const send = (body: string) =>
        app.call('PATCH', `/tags/${id}`, { as: 'editor', body, headers: { 'Content-Type': type } });
      for (const body of ['', ' ', '{"description":"Read"}'])
        expect([body, (await send(body)).status]).toEqual([body, 200]);
      expect((await app.call('GET', `/tags/${id}`)).body.description).toBe('Read');
    },
  );

  test('refuse a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'application/json' };
    expect(outcome(await app.call('POST', '/tags', { as: 'editor', body: '{"name":', headers }))).toEqual([
      400,
      'rest_invalid_json',
    ]);
  });

  test('may end in a slash and be written in any case', async () => {
    await app.create('tags', { name: 'Found', slug: 'found' });
    for (const path of [
      '/tags/?hide_empty=0&search=found',
      '/TAGS?hide_empty=0&search=found',
      '/Tags/?hide_empty=0&search=found',
    ])
      expect(names(await app.call('GET', path))).toEqual(['Found']);
  });

  test.each([
    ['GET', '/nowhere'],
    ['GET', '/events/1/more'],
    ['PUT', '/events'],
    ['DELETE', '/tags'],
    ['GET', '/events/-1'],
    ['POST', '/doc'],
  ])('%s %s is no route', async (method, path) => {
    expect(outcome(await app.call(method, path, { as: 'editor' }))).toEqual([404, 'rest_no_route']);
  });

  test('may override the method of a POST', async () => {
    const { id } = await app.create('tags', { name: 'Overridden' });
    const read = await app.call('POST', `/tags/${id}`, { headers: { 'X-HTTP-Method-Override': 'GET' } });
    expect([read.status, read.body.name]).toEqual([200, 'Overridden']);
    const gone = await app.call('POST', `/tags/${id}?_method=DELETE`, { as: 'editor' });
    expect([gone.status, outcome(await app.call('GET', `/tags/${id}`))]).toEqual([
      200,
      [400, 'rest_invalid_param'],
    ]);
  });

  test('take the method of the query before that of the header', async () => {
    const { id } = await app.create('tags', { name: 'Twice overridden' });
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    const read = await app.call('POST', `/tags/${id}?_method=get`, { as: 'editor', headers });
    expect([read.status, read.body.name]).toEqual([200, 'Twice overridden']);
    expect((await app.call('GET', `/tags/${id}`)).status).toBe(200);
    const gone = await app.call('POST', `/tags/${id}`, { as: 'editor', headers });
    expect([gone.status, (await app.call('GET', `/tags/${id}`)).status]).toEqual([200, 400]);
  });

  test.each(['GET', 'PUT', 'PATCH'])('do not override the method of a %s', async (method) => {
    const { id } = await app.create('tags', { name: `Not deleted by ${method}` });
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    await fetch(`${app.root}/tags/${id}?_method=DELETE`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${app.token('editor')}` },
    });
    expect((await app.call('GET', `/tags/${id}`)).status).toBe(200);
  });

  test('take the items of a list in the order of their numbers, whatever they were sent in', async () => {
    const made = ['Zoe', 'Ann', 'Mia'].map((organizer) => app.create('organizers', { organizer }));
    const [zoe, ann, mia] = (await Promise.all(made)).map(({ id }) => id);
    const organizers = async (form: string) => {
      const body = `title=x&start_date=2027-06-01&end_date=2027-06-01&${form}`;
      const reply = await app.call('POST', '/events', { as: 'editor', body });
      return reply.body.organizer.map(({ id }: { id: number }) => id);
    };
    expect(await organizers(`organizer[1]=${ann}&organizer[0]=${zoe}`)).toEqual([zoe, ann]);
    expect(await organizers(`organizer[10]=${ann}&organizer[9]=${mia}&organizer[2]=${zoe}`)).toEqual([
      zoe,
      mia,
      ann,
    ]);
    expect(await organizers(`organizer[]=${mia}&organizer[]=${zoe}&organizer[]=${ann}`)).toEqual([
      mia,
      zoe,
      ann,
    ]);
    expect(await organizers(`organizer[1][id]=${mia}&organizer[0][id]=${ann}`)).toEqual([ann, mia]);
  });

  test('take four pairs of brackets behind a name, and know nothing of one with more', async () => {
    const send = (name: string) =>
      app.call('POST', `/events?${new URLSearchParams([[name, 'x']])}`, {
        as: 'editor',
        body: { title: 'x', ...times },
      });
    expect(outcome(await send('venue[a][b][c][d]'))).toEqual([400, 'rest_invalid_param']);
    for (const name of ['venue[a][b][c][d][e]', 'venue[', 'venue[a', 'venue]', '[venue]'])
      expect([name, (await send(name)).status]).toEqual([name, 201]);
  });
});

describe('headers', () => {
  test('name the methods that the caller may use', async () => {
    const allow = async (path: string, as?: 'reader' | 'contributor' | 'author' | 'editor') =>
      (await app.call('GET', path, as ? { as } : {})).headers.get('allow');
    expect(await allow('/events')).toBe('GET');
    expect(await allow('/events', 'reader')).toBe('GET');
    expect(await allow('/events', 'contributor')).toBe('GET, POST');
    expect(await allow('/categories', 'contributor')).toBe('GET');
    expect(await allow('/categories', 'author')).toBe('GET, POST');
    expect(await allow('/tags/99999', 'author')).toBe('GET');
    expect(await allow('/tags/99999', 'editor')).toBe('GET, POST, PUT, PATCH, DELETE');
  });

  test('name the methods that the caller may use on this record, also where it is refused', async () => {
    const [open, draft] = await Promise.all(
      ['publish', 'draft'].map((status) => app.create('venues', { venue: 'Mine', status }, 'author')),
    );
    const allow = async (method: string, { id }: { id: number }, as: Person) => {
      const { status, headers } = await app.call(method, `/venues/${id}`, { as });
      return [status, headers.get('allow')];
    };
    const all = 'GET, DELETE, POST, PUT, PATCH';
    expect([
      await allow('GET', open, 'author'),
      await allow('GET', open, 'otherAuthor'),
      await allow('GET', draft, 'otherAuthor'),
      await allow('PUT', open, 'contributor'),
      await allow('DELETE', open, 'otherAuthor'),
      await allow('GET', draft, 'editor'),
    ]).toEqual([
      [200, all],
      [200, 'GET'],
      [403, 'GET'],
      [403, 'GET'],
      [403, 'GET'],
      [200, all],
    ]);
  });

  test('keep caches away from what signed-in callers get, also where there is no such path', async () => {
    const cacheOf = async (method: string, path: string) =>
      (await app.call(method, path, { as: 'editor' })).headers.get('cache-control');
    const isPrivate = 'no-cache, must-revalidate, max-age=0, no-store, private';
    expect([
      await cacheOf('PUT', '/events'),
      await cacheOf('GET', '/nothing'),
      await cacheOf('OPTIONS', '/events'),
    ]).toEqual([isPrivate, isPrivate, isPrivate]);
  });

  test.each(['null', '5', '"name"', 'true', '[{"name":"x"}]'])(
    'read a JSON body of %s as an empty one',
    async (body) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${app.token('editor')}` };
      const reply = await fetch(`${app.root}/tags`, { method: 'POST', headers, body });
      const { code, data } = (await reply.json()) as { code: string; data: object };
      expect([code, data]).toEqual(['rest_missing_callback_param', { status: 400, params: ['name'] }]);
    },
  );

  test('have these headers, and no others of ours', async () => {
    const { id } = await app.create('tags', { name: 'With headers' });
    const headersOf = async (method: string, path: string, options: CalendarCall = {}) => {
      const { headers } = await app.call(method, path, options);
      const ofHost = ['date', 'server', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
      return Object.fromEntries([...headers].filter(([name]) => !ofHost.includes(name)));
    };
    const common = {
      'content-type': 'application/json; charset=UTF-8',
      vary: 'Authorization, Origin',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'x-robots-tag': 'noindex',
      'x-tec-api-origin': 'https://calendar.example.org',
      'x-tec-api-root': `${app.root}/`,
      'x-tec-api-version': 'v1',
    };
    const cors = {
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, X-HTTP-Method-Override, X-Request-Id, X-WP-Nonce, Content-Disposition, Content-MD5, Idempotency-Key, Prefer',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'access-control-expose-headers':
        'Adjusted-Fields, Idempotent-Replayed, X-TEC-Total, X-TEC-TotalPages, X-TEC-API-VERSION, X-TEC-API-ROOT, X-TEC-API-ORIGIN, X-WP-Total, X-WP-TotalPages, Link, ETag, Last-Modified, Location, Preference-Applied, Retry-After, Warning, X-Request-Id',
    };
    const publicly = { ...common, allow: 'GET', 'cache-control': 'public, no-cache' };
    const etag = expect.stringMatching(/^".+"$/);
    const number = expect.stringMatching(/^\d+$/);
    expect(await headersOf('GET', '/tags')).toEqual({
      ...publicly,
      etag,
      'x-tec-total': number,
      'x-tec-totalpages': number,
    });
    const shop = 'https://shop.example.org';
    expect(await headersOf('GET', `/tags/${id}`, { headers: { Origin: shop } })).toEqual({
      ...publicly,
      etag,
      ...cors,
      'access-control-allow-origin': shop,
    });
    const all = 'GET, POST, PUT, PATCH, DELETE';
    const noStore = 'no-cache, must-revalidate, max-age=0, no-store, private';
    const privately = { ...common, allow: all, 'cache-control': noStore };
    expect(await headersOf('GET', `/tags/${id}`, { as: 'editor', headers: { Origin: 'null' } })).toEqual({
      ...privately,
      etag,
      ...cors,
      'access-control-allow-origin': 'null',
    });
    const body = { name: 'Made with headers' };
    expect(await headersOf('POST', '/tags', { as: 'editor', body })).toEqual({
      ...privately,
      allow: 'GET, POST',
      location: expect.stringContaining(`${app.root}/tags/`),
    });
    const refused = { ...publicly, 'cache-control': 'no-store' };
    expect(await headersOf('POST', '/tags', { body })).toEqual({
      ...refused,
      'www-authenticate': 'Bearer realm="records"',
    });
    expect(await headersOf('GET', '/tags/999999', { headers: { Origin: 'no origin' } })).toEqual(refused);
    expect(await headersOf('OPTIONS', '/tags')).toEqual(publicly);
    expect(await headersOf('DELETE', `/tags/${id}`, { as: 'editor' })).toEqual(privately);
  });

  test('describe the event password on every operation of an item', async () => {
    const { body } = await app.call('OPTIONS', '/events/5');
    expect(body.endpoints.map(({ args }: { args: object }) => Object.hasOwn(args, 'password'))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('describe a route with OPTIONS', async () => {
    const { status, headers, body } = await app.call('OPTIONS', '/venues/5', { as: 'editor' });
    expect([status, headers.get('allow'), body.namespace, body.methods]).toEqual([
      200,
      'GET, DELETE, POST, PUT, PATCH',
      'tribe/events/v1',
      ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'],
    ]);
    const update = body.endpoints.find(({ methods }: { methods: string[] }) => methods.includes('PATCH'));
    expect([update.methods, update.args.zip.type, update.args.venue.required]).toEqual([
      ['POST', 'PUT', 'PATCH'],
      'string',
      false,
    ]);
    expect(update.args.id).toEqual({ description: 'Id of the record.', type: 'integer', required: true });
  });
});

describe('callers', () => {
  test.each([
    ['GET', '/tags'],
    ['POST', '/tags'],
    ['OPTIONS', '/tags'],
    ['PUT', '/tags'],
    ['GET', '/nothing'],
  ])('with a bad token are refused on any request: %s %s', async (method, path) => {
    const header = Buffer.from('{"alg":"RS256"}').toString('base64url');
    const reply = await app.call(method, path, { headers: { Authorization: `Bearer ${header}.y.z` } });
    expect([outcome(reply), reply.headers.get('www-authenticate')]).toEqual([
      [401, 'incorrect_password'],
      expect.stringContaining('Bearer'),
    ]);
  });

  test('delete by their rights', async () => {
    const event = await app.create('events', { title: 'Own', ...times }, 'author');
    const refused = await app.call('DELETE', `/events/${event.id}`, { as: 'otherAuthor' });
    const nobody = await app.call('DELETE', `/events/${event.id}`);
    expect([outcome(refused), outcome(nobody)]).toEqual([
      [403, 'rest_forbidden'],
      [401, 'rest_forbidden'],
    ]);
  });

  test('set another author only as editors', async () => {
    const { author } = await app.create('events', { title: 'Mine', ...times }, 'author');
    const given = await app.create('events', { title: 'For another', ...times, author: Number(author) });
    expect(given.author).toBe(author);
    const refused = await app.call('POST', '/events', {
      as: 'otherAuthor',
      body: { title: 'x', ...times, author },
    });
    expect(outcome(refused)).toEqual([403, 'rest_forbidden']);
  });

  test('have their HTML cleaned, whoever they are', async () => {
    const description = '<p onclick="x()">a</p><script>b</script><iframe src="https://example.org"></iframe>';
    for (const as of ['editor', 'contributor'] as const)
      expect((await app.create('events', { title: 'h', ...times, description }, as)).description).toBe(
        '<p>a</p>\n<p>b</p>',
      );
    expect((await app.create('events', { title: '<b>T</b>', ...times })).title).toBe('<b>T</b>');
    expect((await app.create('events', { title: '<b>T</b>', ...times }, 'author')).title).toBe('T');
  });
});

describe('GET {root} and /doc', () => {
  test('list the routes of this namespace and refuse another', async () => {
    const { body } = await app.call('GET', '?context=edit&namespace=tribe/events/v1');
    expect([body.namespace, Object.keys(body.routes).length]).toEqual(['tribe/events/v1', 39]);
    expect(body.routes['/tribe/events/v1/events/(?P<id>\\d+)'].methods).toEqual([
      'GET',
      'DELETE',
      'POST',
      'PUT',
      'PATCH',
    ]);
    expect(body.routes['/tribe/events/v1/tags']._links.self).toEqual([{ href: `${app.root}/tags` }]);
    expect(body.routes['/tribe/events/v1/events'].endpoints[1].args.title).toMatchObject({
      required: true,
      type: 'string',
    });
    expect(outcome(await app.call('GET', '?namespace=other/v1'))).toEqual([404, 'rest_invalid_namespace']);
  });

  test('describe the API as valid OpenAPI 3.0, every operation in it', async () => {
    const { body } = await app.call('GET', '/doc');
    const { valid, errors } = await new Validator().validate(structuredClone(body));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect([body.openapi, body.info.version, body.servers]).toEqual(['3.0.0', '1.0.0', [{ url: app.root }]]);
    expect(Object.keys(body.paths['/events/by-slug/{slug}'])).toEqual([
      'get',
      'delete',
      'post',
      'put',
      'patch',
    ]);
    for (const name of [
      'ImageSize',
      'CostDetails',
      'Term',
      'Image',
      'DateDetails',
      'Event',
      'Venue',
      'Organizer',
    ])
      expect(Object.keys(body.components.schemas)).toContain(name);
  });
});
