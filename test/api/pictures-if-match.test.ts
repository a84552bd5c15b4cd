/** Conditional reads and writes of pictures (RFC 9110 13.1), as of all other records. */

import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp();
const media = () => `${new URL(app.root).origin}/wp-json/wp/v2/media`;

async function send(method: string, path: string, headers: Record<string, string> = {}, texts?: object) {
  const reply = await fetch(media() + path, {
    method,
    headers: {
      Authorization: `Bearer ${app.token('editor')}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(texts === undefined ? {} : { body: JSON.stringify(texts) }),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    etag: reply.headers.get('etag') ?? '',
    body: text === '' ? {} : JSON.parse(text),
  };
}

async function newPicture() {
  const reply = await fetch(media(), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${app.token('editor')}`,
      'Content-Type': 'image/png',
      'Content-Disposition': 'attachment; filename="dot.png"',
    },
    body: new Uint8Array(png()),
  });
  const { id, ...others } = await reply.json();
  expect([reply.status, others.code]).toEqual([201, undefined]);
  return { path: `/${id}`, id, etag: reply.headers.get('etag') ?? '' };
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const deleted = (method: string) => (method === 'DELETE' ? '?force=true' : '');

describe.each(methods)('%s of a picture', (method) => {
  const write = (path: string, headers: Record<string, string>) =>
    send(method, path + deleted(method), headers, method === 'DELETE' ? undefined : { alt_text: method });

  test('changes only the version that If-Match names', async () => {
    const { path, etag: first } = await newPicture();
    const { etag: second } = await send('PATCH', path, {}, { caption: 'Changed' });
    expect(second).not.toBe(first);
    for (const tag of [first, `W/${first}`, '"x"', second.slice(1, -1), ''])
      expect(await write(path, { 'If-Match': tag }), tag).toMatchObject({
        status: 412,
        body: { code: 'precondition-failed' },
      });
    expect((await send('GET', path)).etag).toBe(second);
    expect((await write(path, { 'If-Match': `"x", ${second}` })).status).toBe(200);
  });

  test('takes *, and a tag that a proxy has made weak', async () => {
    for (const weaken of [() => '*', (tag: string) => `W/${tag}`]) {
      const { path, etag } = await newPicture();
      expect((await write(path, { 'If-Match': weaken(etag) })).status).toBe(200);
    }
  });

  test('leaves the version that If-None-Match names', async () => {
    const { path, etag } = await newPicture();
    for (const tags of ['*', etag, `W/${etag}`])
      expect((await write(path, { 'If-None-Match': tags })).status, tags).toBe(412);
    expect((await write(path, { 'If-None-Match': '"x"' })).status).toBe(200);
  });
});

test('a picture has the same tag for all who read it, while events come to show it', async () => {
  const { path, id, etag } = await newPicture();
  await app.create('events', {
    title: 'Shown',
    start_date: '2031-06-01 10:00:00',
    end_date: '2031-06-01 12:00:00',
    image: id,
  });
  expect((await send('GET', path)).etag).toBe(etag);
  const reply = await fetch(media() + path, { headers: { 'If-None-Match': etag } });
  expect(reply.status).toBe(304);
  expect((await send('PATCH', path, { 'If-Match': etag }, { title: 'New' })).status).toBe(200);
});

test('of several writers with one tag exactly one changes a picture', async () => {
  const { path, etag } = await newPicture();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      send('PATCH', path, { 'If-Match': etag }, { title: `T${index}` }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)]);
});
