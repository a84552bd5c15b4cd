/** Uploaded pictures and the caller at the addresses of the calendar's own API. */

import { describe, expect, test } from 'vitest';
import { type Person, useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp({ CALENDAR_SITE_ROOTS: 'none' });

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

async function call(method: string, path: string, as?: Person, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(app.root + path, {
    method,
    ...init,
    headers: {
      ...(as === undefined ? {} : { Authorization: `Bearer ${app.token(as)}` }),
      ...(init.headers as Record<string, string> | undefined),
    },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

function formOf(texts: Readonly<Record<string, string>> = {}, name = 'dot.png'): FormData {
  const form = new FormData();
  for (const [key, text] of Object.entries(texts)) form.set(key, text);
  form.set('file', new Blob([new Uint8Array(png(20, 10))]), name);
  return form;
}

const upload = (as: Person, texts?: Readonly<Record<string, string>>, headers: HeadersInit = {}) =>
  call('POST', '/pictures', as, { body: formOf(texts), headers });

describe('a picture', () => {
  test('is uploaded, read, changed, shown by an event and deleted', async () => {
    const created = await upload('author', { title: 'The <b>harbour</b>', alt_text: 'Boats' });
    const { id } = created.body;
    expect([created.status, created.headers.get('location')]).toEqual([201, `${app.root}/pictures/${id}`]);
    expect(created.body).toMatchObject({
      slug: 'dot',
      alt_text: 'Boats',
      mime_type: 'image/png',
      width: 20,
      height: 10,
      sizes: {},
      post: 0,
      url: expect.stringMatching(new RegExp(`^${app.root}/pictures/${id}/\\w+/dot\\.png$`)),
    });
    const read = await call('GET', `/pictures/${id}`, 'author');
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([
      200,
      created.body,
      created.headers.get('etag'),
    ]);
    const changed = await call('PATCH', `/pictures/${id}`, 'author', {
      body: JSON.stringify({ alt_text: 'Two boats' }),
      headers: { 'Content-Type': 'application/json', 'If-Match': read.headers.get('etag') ?? '' },
    });
    expect([changed.status, changed.body.alt_text, changed.body.title]).toEqual([
      200,
      'Two boats',
      created.body.title,
    ]);
    const late = await call('PATCH', `/pictures/${id}`, 'author', {
      body: '{}',
      headers: { 'Content-Type': 'application/json', 'If-Match': read.headers.get('etag') ?? '' },
    });
    expect(late.status).toBe(412);
    expect((await fetch(created.body.url)).status).toBe(200);
    const event = await app.create('events', {
      title: 'E',
      start_date: '2031-01-01 10:00',
      end_date: '2031-01-01 11:00',
      image: id,
    });
    expect(event.image.url).toBe(created.body.url);
    const deleted = await call('DELETE', `/pictures/${id}`, 'editor');
    expect([deleted.status, deleted.body.id]).toEqual([200, id]);
    expect((await call('GET', `/pictures/${id}`, 'editor')).status).toBe(404);
    expect((await app.call('GET', `/events/${event.id}`)).body.image).toBe(false);
  });

  test('of a draft is seen by who has uploaded it, and by editors; readers see it once it is published', async () => {
    const { body } = await upload('author', { title: 'Hidden title' });
    const seenBy = async (as?: Person) => [
      (await call('GET', `/pictures/${body.id}`, as)).status,
      (await call('GET', '/pictures?per_page=100', as)).body.pictures.some(
        ({ id }: { id: number }) => id === body.id,
      ),
    ];
    const hidden = [404, false];
    const shown = [200, true];
    expect([
      await seenBy(),
      await seenBy('reader'),
      await seenBy('otherAuthor'),
      await seenBy('author'),
      await seenBy('editor'),
    ]).toEqual([hidden, hidden, hidden, shown, shown]);
    await app.create('venues', { venue: 'V', image: body.id });
    expect(await seenBy()).toEqual(shown);
  });

  test('is refused from who may not upload, and where the file is none', async () => {
    expect([
      (await call('POST', '/pictures', undefined, { body: formOf() })).status,
      (await upload('reader')).status,
      (await call('POST', '/pictures', 'author', { body: new FormData() })).status,
      (await call('DELETE', '/pictures/999999', 'editor')).status,
      (await call('GET', '/pictures/abc')).status,
    ]).toEqual([401, 403, 400, 404, 404]);
    const { body } = await upload('author');
    for (const [method, as, status] of [
      ['PATCH', 'otherAuthor', 403],
      ['DELETE', 'otherAuthor', 403],
      ['DELETE', undefined, 401],
    ] as const)
      expect([method, as, (await call(method, `/pictures/${body.id}`, as)).status]).toEqual([
        method,
        as,
        status,
      ]);
  });

  test('that is uploaded again with its key is the same, with other bytes is refused, and waits for the first', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await upload('author', { alt_text: 'a' }, key);
    const again = await upload('author', { alt_text: 'a' }, key);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(await upload('author', { alt_text: 'b' }, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    });
    const next = { 'Idempotency-Key': crypto.randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload('author', {}, next)));
    expect(replies.filter(({ headers }) => headers.has('location'))).not.toEqual([]);
    expect(new Set(replies.flatMap(({ status, body }) => (status === 201 ? body.id : []))).size).toBe(1);
    for (const { status, body } of replies.filter(({ status }) => status !== 201))
      expect([status, body.code]).toEqual([409, 'idempotency-key-in-use']);
  });
});

test('users/me tells callers who they are and what they may do', async () => {
  const of = async (as?: Person) => {
    const { status, body } = await call('GET', '/users/me', as);
    return [status, body.role, body.may];
  };
  const may = (edit: boolean, publish: boolean, edit_others: boolean) => ({
    edit,
    publish,
    upload: edit,
    edit_others,
  });
  expect([
    await of(),
    await of('reader'),
    await of('contributor'),
    await of('author'),
    await of('editor'),
  ]).toEqual([
    [401, undefined, undefined],
    [200, 'reader', may(false, false, false)],
    [200, 'contributor', may(true, false, false)],
    [200, 'author', may(true, true, false)],
    [200, 'editor', may(true, true, true)],
  ]);
  const { body } = await call('GET', '/users/me', 'author');
  const own = await app.create('venues', { venue: 'Own' }, 'author');
  expect(own.author).toBe(String(body.id));
});
