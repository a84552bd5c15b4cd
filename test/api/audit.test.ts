/** The log of the app: a line belongs to its invocation and its trace, each change leaves an audit line, and a refused caller is named. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { png } from '../support/pictures.ts';
import { createObjects, recordsAs } from '../support/records.ts';

const lines: Record<string, unknown>[] = [];
const texts: string[] = [];
const app = useApp({
  settings: { SERVER_TIMING: 'true' },
  log: (line) => {
    texts.push(line);
    if (line.startsWith('{')) lines.push(JSON.parse(line) as Record<string, unknown>);
  },
});
const alice = recordsAs(app, 'alice@example.org');

/** Waits for the line of a request. */
const lineOf = (event: string, requestId: string) =>
  expect.poll(() => lines.find((line) => line['event'] === event && line['requestId'] === requestId));

test('a request has the trace of its caller in its line, and says where its time went', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { 'X-Request-Id': 'traced', traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const reply = await alice('GET', '/v8.0/documents/document-letter/custom-data', { headers });
  expect(reply.headers.get('Server-Timing')).toMatch(
    /\bsql;dur=[\d.]+;desc="\d x".*\bauth;dur=.*\btotal;dur=/,
  );
  await lineOf('request', 'traced').toMatchObject({ traceId, parts: { sql: { count: expect.any(Number) } } });
});

test('each change of a record leaves who, what, and the tags before and after', async () => {
  const { document } = await createObjects(alice);
  const path = `/v8.0/documents/${document}`;
  const before = (await alice('GET', path)).headers.get('ETag');
  const change = (id: string, method: string, to: string, body: object, more = {}) =>
    alice(method, to, { body, headers: { 'X-Request-Id': id, ...more } });

  const patched = await change('patch', 'PATCH', path, { title: 'a@example.org' });
  const common = {
    objectId: expect.any(String),
    tenantId: expect.any(String),
    kind: 'document',
    id: document,
  };
  await lineOf('change', 'patch').toMatchObject({
    ...common,
    names: ['title'],
    status: 200,
    before,
    after: patched.headers.get('ETag'),
  });

  const first = await change('put-1', 'PUT', `${path}/custom-data`, { a: 'secret', b: 1 });
  await lineOf('change', 'put-1').toMatchObject({
    ...common,
    names: ['a', 'b'],
    after: first.headers.get('ETag'),
  });
  const second = await change('put-2', 'PUT', `${path}/custom-data`, { a: 2 });
  await lineOf('change', 'put-2').toMatchObject({
    before: first.headers.get('ETag'),
    after: second.headers.get('ETag'),
  });
  await change('put-3', 'PUT', `${path}/custom-data`, { a: 3 }, { 'If-Match': '"other"' });
  await lineOf('change', 'put-3').toMatchObject({
    ...common,
    status: 412,
    code: 'precondition-failed',
    before: second.headers.get('ETag'),
    after: null,
  });
  // The tag that a caller sends says nothing of the state before.
  await change('patch-invalid', 'PATCH', path, { title: 5 }, { 'If-Match': '"other"' });
  await lineOf('change', 'patch-invalid').toMatchObject({ ...common, code: 'invalid-body', before: null });
  const contract = '/v8.0/documents/document-contract/custom-data';
  for (const [id, others] of [
    ['put-one', ''],
    ['put-two', '"other", '],
  ] as const) {
    const { text, headers } = await alice('GET', contract);
    const tag = headers.get('ETag') ?? '';
    await change(id, 'PUT', contract, JSON.parse(text), { 'If-Match': others + tag });
    await lineOf('change', id).toMatchObject({ status: 200, before: others === '' ? tag : null });
  }
  await change('patch-old', 'PATCH', path, { title: 'x' }, { 'If-Match': '"old"' });
  const now = (await alice('GET', path)).headers.get('ETag');
  await lineOf('change', 'patch-old').toMatchObject({ ...common, status: 412, before: now, after: null });
  await change('bad', 'PATCH', path, { none: 'secret' });
  await lineOf('change', 'bad').toMatchObject({ ...common, names: [], status: 400, code: 'invalid-body' });
  await change('mail', 'PUT', '/v8.0/documents/a@example.org/custom-data', { 'b@example.org': 1 });
  await lineOf('change', 'mail').toMatchObject({ id: '(address)', status: 404 });
  await change('mails', 'PUT', `${path}/custom-data`, { 'b@example.org': 1, c: 1 });
  await lineOf('change', 'mails').toMatchObject({ names: ['(address)', 'c'], status: 200 });
  const created = await change('create', 'POST', '/v8.0/diaries', { title: 'Diary', year: 2032 });
  await lineOf('change', 'create').toMatchObject({
    kind: 'diary',
    id: (created.json as { id: string }).id,
    names: ['title', 'year'],
    status: 201,
    before: null,
    after: created.headers.get('ETag'),
  });
  expect(texts.filter((line) => /example\.org|secret|eyJ/.test(line))).toEqual([]);
});

test('each change of the calendar leaves an audit line too, by its version', async () => {
  const token = app.token('alice@example.org', ['Calendar.Editor']);
  const call = (id: string, method: string, path: string, body?: object) =>
    app.call(method, `/tribe/events/v1/events${path}`, {
      token,
      headers: { 'X-Request-Id': id },
      ...(body === undefined ? {} : { body }),
    });
  const event = { title: 'Talk', start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
  const { id } = (await call('event-1', 'POST', '', { ...event, 'mail@example.org': 1 })).json as {
    id: number;
  };
  await lineOf('change', 'event-1').toMatchObject({
    kind: 'event',
    id,
    names: Object.keys(event),
    status: 201,
    before: null,
    after: expect.stringMatching(/^"\d+"$/),
  });
  const created = lines.find((line) => line['event'] === 'change' && line['requestId'] === 'event-1');
  await call('event-2', 'PATCH', `/${id}`, { title: 'Talks' });
  await lineOf('change', 'event-2').toMatchObject({ id, names: ['title'], before: created?.['after'] });
  const changed = lines.find((line) => line['event'] === 'change' && line['requestId'] === 'event-2');
  // A write that is refused tells the version that is there, and none after it.
  await app.call('PATCH', `/tribe/events/v1/events/${id}`, {
    token,
    headers: { 'X-Request-Id': 'event-old', 'If-Match': '"0-old"' },
    body: { title: 'Late' },
  });
  await lineOf('change', 'event-old').toMatchObject({
    id: String(id),
    status: 412,
    before: changed?.['after'],
    after: null,
  });
  const enveloped = await fetch(`${app.base}/tribe/events/v1/events?_envelope`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'X-Request-Id': 'event-bad' },
  });
  expect(enveloped.status).toBe(200);
  await lineOf('change', 'event-bad').toMatchObject({ status: 400, code: 'rest_missing_callback_param' });
  await call('event-3', 'DELETE', `/${id}`);
  await lineOf('change', 'event-3').toMatchObject({ method: 'DELETE', kind: 'event', id, names: [] });
});

test('each change of a picture leaves an audit line with the tags before and after, a rejected one too', async () => {
  const media = `${new URL(app.stack.calendar).origin}/wp-json/wp/v2/media`;
  const token = app.token('alice@example.org', ['Calendar.Editor']);
  const call = async (requestId: string, method: string, path: string, headers: object, body: BodyInit) => {
    const given = { Authorization: `Bearer ${token}`, 'X-Request-Id': requestId, ...headers };
    const reply = await fetch(media + path, { method, headers: given, body });
    return { etag: reply.headers.get('etag'), json: (await reply.json()) as { readonly id: number } };
  };
  const file = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="dot.png"' };
  const { etag, json } = await call('picture-1', 'POST', '', file, new Uint8Array(png()));
  const common = { kind: 'picture', before: null, after: null };
  await lineOf('change', 'picture-1').toMatchObject({ ...common, status: 201, after: etag });
  const change = (requestId: string, method: string, query: string, headers = {}) =>
    call(
      requestId,
      method,
      `/${json.id}${query}`,
      { 'Content-Type': 'application/json', ...headers },
      '{"alt_text":"A dot"}',
    );
  const ofPicture = { ...common, id: String(json.id) };
  const { etag: changed } = await change('picture-2', 'PATCH', '');
  await lineOf('change', 'picture-2').toMatchObject({
    ...ofPicture,
    names: ['alt_text'],
    status: 200,
    before: etag,
    after: changed,
  });
  await change('picture-old', 'PATCH', '', { 'If-Match': etag });
  await lineOf('change', 'picture-old').toMatchObject({ ...ofPicture, status: 412, before: changed });
  await change('picture-3', 'DELETE', '?force=true');
  await lineOf('change', 'picture-3').toMatchObject({ ...ofPicture, status: 200, before: changed });
});

test('a rejected change of the calendar names its record, whichever method it has', async () => {
  const event = { title: 'Refused', start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
  const events = '/tribe/events/v1/events';
  const call = (id: string, method: string, path: string, role: string, more = {}) =>
    app.call(method, path, {
      token: app.token('alice@example.org', [role]),
      headers: { 'X-Request-Id': id, ...more },
      body: event,
    });
  const { id } = (await call('refused', 'POST', events, 'Calendar.Editor')).json as { id: number };
  for (const method of ['POST', 'PUT', 'PATCH']) {
    await call(`${method}-403`, method, `${events}/${id}`, 'Calendar.Subscriber');
    await lineOf('change', `${method}-403`).toMatchObject({ kind: 'event', id: String(id), status: 403 });
    await call(`${method}-412`, method, `${events}/${id}`, 'Calendar.Editor', { 'If-Match': '"1-x"' });
    await lineOf('change', `${method}-412`).toMatchObject({ kind: 'event', id: String(id), status: 412 });
  }
});

describe('the log of a refused caller names whose token it was', () => {
  test.each([
    [
      'user-unknown',
      { email: 'gustav@example.org' },
      'no user of this service has the e-mail address of the token',
    ],
    ['token-without-email', { email: undefined }, 'the token has no e-mail claim'],
    [
      'application-without-role',
      { idtyp: 'app', roles: [] },
      'the application has no role that lets it act by itself',
    ],
  ])('%s', async (code, claims, reason) => {
    const ids = { oid: `object of ${code}`, uti: `token of ${code}` };
    const token = app.stack.identity.issueToken({ ...ids, ...claims });
    expect(
      await app.call('GET', '/v7/authorized', { token, headers: { 'X-Request-Id': code } }),
    ).toMatchObject({ status: 401, json: { code } });
    await lineOf('request', code).toEqual({
      time: expect.any(String),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      event: 'request',
      requestId: code,
      method: 'GET',
      route: `${new URL(app.base).pathname}/v7/authorized`.replace(/^\/+/, ''),
      status: 401,
      milliseconds: expect.any(Number),
      parts: expect.any(Object),
      code,
      reason,
      objectId: ids.oid,
      tenantId: app.stack.settings['AppRegistration__TenantId'],
      tokenId: ids.uti,
    });
  });
});
