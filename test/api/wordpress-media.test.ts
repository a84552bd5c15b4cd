/** Pictures: uploads, lists, texts and deletions at `wp/v2/media`, their bytes, and events that show them. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Person, useCalendarApp } from '../support/calendar-app.ts';
import { avif, gif, jpeg, png, webp } from '../support/pictures.ts';

const app = useCalendarApp();
const root = () => `${new URL(app.root).origin}/wp-json/wp/v2`;
const dates = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };

interface CallOptions {
  readonly as?: Person | undefined;
  readonly body?: Uint8Array | FormData | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: string, path: string, { as, body, headers = {} }: CallOptions = {}) {
  const response = await fetch(path.startsWith('http') ? path : root() + path, {
    method,
    headers: { ...(as && { Authorization: `Bearer ${app.token(as)}` }), ...headers },
    ...(body === undefined ? {} : { body: body as never }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

/** Headers that say something of one request, which no cache may give to others. */
const perRequest = ['vary', 'x-request-id', 'x-tec-api-root', 'x-tec-api-origin', 'link', 'server-timing'];

/** Returns the random characters in the address of a picture. */
function keyIn(url: string): string {
  const [, key = ''] = /\/([0-9a-f]{16})\/[^/]+$/.exec(url) ?? [];
  expect(key).not.toBe('');
  return key;
}

/** Uploads a picture as the body. */
function upload(bytes: Uint8Array, name = 'a.png', more: CallOptions = {}) {
  const headers = {
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Type': 'application/octet-stream',
    ...more.headers,
  };
  return call('POST', '/media', { as: 'author', body: bytes, ...more, headers });
}

const json = (as: Person, value: object) =>
  ({ as, body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } }) as const;

describe('an upload', () => {
  test('as the body answers 201 with the picture, whose bytes are served', async () => {
    const bytes = png(30, 20);
    const disposition = `attachment; filename="x.jpg"; filename*=UTF-8''My%20Pic%20%C3%86.jpg`;
    const { status, headers, body } = await upload(bytes, '', {
      headers: { 'Content-Disposition': disposition },
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${root()}/media/${body.id}`);
    expect(headers.get('x-wp-upload-attachment-id')).toBe(String(body.id));
    const url = body.source_url;
    const folder = `${root().replace('wp/v2', 'tribe/events/v1')}/pictures/${body.id}`;
    expect(url).toMatch(new RegExp(`^${folder}/[0-9a-f]{16}/My-Pic-AE\\.png$`));
    expect(body).toMatchObject({
      mime_type: 'image/png',
      media_type: 'image',
      type: 'attachment',
      post: null,
      slug: 'my-pic-ae',
      alt_text: '',
      title: { raw: 'My-Pic-AE', rendered: 'My-Pic-AE' },
      media_details: { width: 30, height: 20, file: 'My-Pic-AE.png', filesize: bytes.length },
    });
    const picture = await call('GET', url);
    expect(picture.bytes).toEqual(bytes);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(perRequest.filter((name) => picture.headers.has(name))).toEqual([]);
    const missing = await call('GET', `${url}.none`);
    expect([missing.status, missing.headers.has('x-request-id')]).toEqual([404, true]);
  });

  test('as a form answers 201 with its texts', async () => {
    const form = new FormData();
    form.set('title', 'Tom & <b>Jerry</b><script>');
    form.set('alt_text', 'A "cat" & a mouse');
    form.set('file', new Blob([new Uint8Array(jpeg())], { type: 'image/jpeg' }), 'Ærø.jpeg');
    form.set('caption', '<p onclick=x>Caption</p>');
    const { status, body } = await call('POST', '/media?description=Asked', { as: 'editor', body: form });
    expect([status, body]).toMatchObject([
      201,
      {
        description: { raw: 'Asked' },
        title: { rendered: 'Tom &#038; <b>Jerry</b>' },
        alt_text: 'A "cat" & a mouse',
        caption: { raw: '<p>Caption</p>' },
        media_details: { file: 'AEro.jpeg', width: 3, height: 2 },
      },
    ]);
  });

  test.each<[type: string, bytes: Buffer]>([
    ['image/jpeg', jpeg(4000, 3000, 100_000)],
    ['image/png', png()],
    ['image/gif', gif()],
    ['image/webp', webp(400, 300)],
    ['image/avif', avif(640, 480)],
  ])('is of the type of its bytes: %s', async (type, bytes) => {
    const { status, body } = await upload(bytes, 'wrong.exe', { headers: { 'Content-Type': 'text/plain' } });
    expect([status, body.mime_type]).toEqual([201, type]);
    const { headers, bytes: stored } = await call('GET', body.source_url);
    expect([headers.get('content-type'), stored.equals(bytes)]).toEqual([type, true]);
  });

  test.each<[title: string, status: number, code: string, bytes: Uint8Array, options?: CallOptions]>([
    ['nothing', 400, 'rest_upload_no_data', new Uint8Array()],
    ['text', 415, 'rest_upload_sideload_error', Buffer.from('hello')],
    ['SVG', 415, 'rest_upload_sideload_error', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a program', 415, 'rest_upload_sideload_error', Buffer.from('MZ\x90\0')],
    ['a page named .jpg', 415, 'rest_upload_sideload_error', Buffer.from('<script>alert(1)</script>')],
    ['PDF', 415, 'rest_upload_sideload_error', Buffer.from('%PDF-1.7')],
    ['half a PNG', 422, 'picture-damaged', png().subarray(0, 40)],
    ['half a JPEG', 422, 'picture-damaged', jpeg().subarray(0, -4)],
    ['half a WebP', 422, 'picture-damaged', webp().subarray(0, 25)],
    ['half an AVIF', 422, 'picture-damaged', avif().subarray(0, -2)],
    ['half a GIF', 422, 'picture-damaged', gif().subarray(0, -12)],
    ['the head of a JPEG', 422, 'picture-damaged', Buffer.from([0xff, 0xd8, 0xff])],
    ['a PNG without a size', 422, 'picture-damaged', png(0, 0)],
    ['too many pixels', 413, 'picture-too-large', jpeg(65_000, 65_000)],
    ['a decompression bomb', 413, 'picture-too-large', png(60_000, 60_000)],
    ['20 MB', 413, 'body-too-large', Buffer.concat([png(), Buffer.alloc(20_000_000)])],
    ['just too many bytes', 413, 'body-too-large', Buffer.concat([png(), Buffer.alloc(4 * 2 ** 20)])],
    ['another MD5', 412, 'rest_upload_hash_mismatch', png(), { headers: { 'Content-MD5': 'AAAA' } }],
    [
      'no name',
      400,
      'rest_upload_no_content_disposition',
      png(),
      { headers: { 'Content-Disposition': 'attachment' } },
    ],
  ])('of %s is refused', async (_title, status, code, bytes, options = {}) => {
    const before = (await call('GET', '/media', { as: 'editor' })).headers.get('x-wp-total');
    const { status: found, body } = await upload(bytes, 'a.jpg', options);
    expect([found, body.code]).toEqual([status, code]);
    expect((await call('GET', '/media', { as: 'editor' })).headers.get('x-wp-total')).toBe(before);
  });

  test('with its MD5 is stored', async () => {
    const md5 = createHash('md5').update(png());
    const hex = md5.copy().digest('hex');
    for (const hash of [md5.digest('base64'), hex, hex.toUpperCase()])
      expect((await upload(png(), 'a.png', { headers: { 'Content-MD5': hash } })).status).toBe(201);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(gif())]), 'a.gif');
    const other = await call('POST', '/media', { as: 'editor', body: form, headers: { 'Content-MD5': hex } });
    expect(other.body.code).toBe('rest_upload_hash_mismatch');
  });

  test.each([
    ['x'.repeat(300), `${'x'.repeat(100)}.png`],
    ['../../etc/passwd', 'passwd.png'],
    ['C:\\\\Pictures\\\\a b.JPG', 'a-b.png'],
    ['.htaccess', 'picture.png'],
    ['%2e%2e%2f', '2e-2e-2f.png'],
  ])('with the name %s has a safe one', async (name, file) => {
    expect((await upload(png(), name)).body.media_details.file).toBe(file);
  });

  test.each<[title: string, body: string, type: string, code: string]>([
    [
      'without a file',
      '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
      'rest_upload_no_data',
    ],
    [
      'without an end',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG',
      'multipart/form-data; boundary=x',
      'invalid-form',
    ],
    ['without a boundary', 'x', 'multipart/form-data', 'invalid-form'],
  ])('as a form %s is refused', async (_title, body, type, code) => {
    const reply = await call('POST', '/media', { as: 'editor', body, headers: { 'Content-Type': type } });
    expect([reply.status >= 400 && reply.status < 500, reply.body.code]).toEqual([
      true,
      code === 'invalid-form' ? expect.stringMatching(/invalid-form|rest_upload/) : code,
    ]);
  });

  test.each<[person: Person | undefined, status: number, code: string]>([
    [undefined, 401, 'rest_forbidden'],
    ['reader', 403, 'rest_cannot_create'],
    ['contributor', 403, 'rest_cannot_create'],
  ])('is refused to %s', async (as, status, code) => {
    const { status: found, body } = await upload(png(), 'a.png', { as });
    expect([found, body.code]).toEqual([status, code]);
  });

  test('is one of many at once', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => upload(png(index + 1, 1))));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
    expect(new Set(replies.map(({ body }) => body.source_url)).size).toBe(40);
  });
});

describe('the bytes of a picture', () => {
  test('are served in parts, and not at all where the caller has them', async () => {
    const bytes = png(100, 100);
    const { body } = await upload(bytes);
    const get = (headers: Record<string, string>) => call('GET', body.source_url, { headers });
    const part = await get({ Range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range'), part.bytes]).toEqual([
      206,
      `bytes 10-19/${bytes.length}`,
      bytes.subarray(10, 20),
    ]);
    expect((await get({ Range: 'bytes=-5' })).bytes).toEqual(bytes.subarray(-5));
    const whole = await get({ Range: `bytes=-${bytes.length + 1}` });
    expect([whole.headers.get('content-range'), whole.bytes]).toEqual([
      `bytes 0-${bytes.length - 1}/${bytes.length}`,
      bytes,
    ]);
    expect((await get({ Range: `bytes=${bytes.length - 3}-` })).bytes).toEqual(bytes.subarray(-3));
    const last = await get({ Range: `bytes=10-${bytes.length}` });
    expect([last.status, last.headers.get('content-range'), last.bytes]).toEqual([
      206,
      `bytes 10-${bytes.length - 1}/${bytes.length}`,
      bytes.subarray(10),
    ]);
    const beyond = await get({ Range: 'bytes=999999-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    for (const Range of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
      expect((await get({ Range })).bytes).toEqual(bytes);
    const etag = part.headers.get('etag') ?? '';
    expect((await get({ 'If-None-Match': etag })).status).toBe(304);
    expect((await get({ Range: 'bytes=0-0', 'If-Range': '"other"' })).status).toBe(200);
    const head = await call('HEAD', body.source_url);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  test('are at no other address', async () => {
    const { body } = await upload(png());
    const { body: other } = await upload(png());
    const key = keyIn(body.source_url);
    for (const url of [
      body.source_url.replace('a.png', 'b.png'),
      body.source_url.replace(`/${body.id}/`, '/999999999/'),
      body.source_url.replace(`/${body.id}/`, '/x/'),
      body.source_url.replace(key, keyIn(other.source_url)),
      body.source_url.replace(key, key.toUpperCase().replace(/^[0-9]+/, '')),
      body.source_url.replace(key, key.slice(1)),
      body.source_url.replace(key, '%20'),
    ])
      expect([url, (await call('GET', url)).status]).toEqual([url, 404]);
  });

  test('are at their earlier address, without random characters, while everybody may see the picture', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(png(400, 300))]), 'known.png');
    form.set('sizes[thumbnail]', new Blob([new Uint8Array(png(150, 150))]), 'known.png');
    const { body: picture } = await call('POST', '/media', { as: 'author', body: form });
    const { full, thumbnail } = picture.media_details.sizes;
    let addresses = [full, thumbnail].map(({ source_url: url }) => [url, url.replace(/[0-9a-f]{16}\//, '')]);
    // What becomes hidden gets another address, which its author is told.
    const readAddresses = async () => {
      const { body } = await call('GET', `/media/${picture.id}`, { as: 'author' });
      const { sizes } = body.media_details;
      addresses = addresses.map(([, earlier], index) => [
        [sizes.full, sizes.thumbnail][index].source_url,
        earlier,
      ]);
    };
    expect(addresses.map(([, earlier]) => new URL(earlier).pathname.split('/').slice(-2))).toEqual([
      [String(picture.id), 'known.png'],
      [String(picture.id), 'known-thumbnail.png'],
    ]);
    const draft = { title: 'Known', ...dates, image: picture.id, status: 'draft' };
    const { id } = await app.create('events', draft, 'author');
    const statuses = async () => {
      const found: number[][] = [];
      for (const urls of addresses)
        found.push(await Promise.all(urls.map(async (url) => (await call('GET', url)).status)));
      return found;
    };
    const hidden = [200, 404];
    const isPublic = [200, 200];
    expect(await statuses()).toEqual([hidden, hidden]);
    for (const [fields, expected] of [
      [{ status: 'publish' }, isPublic],
      [{ access_password: 'x' }, hidden],
      [{ access_password: '' }, isPublic],
      [{ image: null }, hidden],
      [{ image: picture.id }, isPublic],
      [{ status: 'private' }, hidden],
    ] as const) {
      await app.change(`/events/${id}`, fields);
      await readAddresses();
      expect([fields, await statuses()]).toEqual([fields, [expected, expected]]);
    }
    await app.change(`/events/${id}`, { status: 'publish' });
    const reply = await call('GET', addresses[0]?.[1]);
    expect([reply.bytes.equals(png(400, 300)), reply.headers.get('cache-control')]).toEqual([
      true,
      'public, max-age=3600',
    ]);
    expect(perRequest.filter((name) => reply.headers.has(name))).toEqual([]);
    await call('DELETE', `/media/${picture.id}?force=true`, { as: 'author' });
    expect(await statuses()).toEqual([
      [404, 404],
      [404, 404],
    ]);
  });
});

describe('a picture that was public', () => {
  const keyed = (text: string) => /[^"\s]*\/pictures\/\d+\/[0-9a-f]{16}\/[\w.-]+/.exec(text)?.[0] ?? '';
  const status = async (url: string) => (await call('GET', url)).status;

  test.each([
    [{ status: 'draft' }],
    [{ status: 'private' }],
    [{ status: 'trash' }],
    [{ access_password: 'x' }],
    [{ date: '2090-01-01' }],
  ])('has another address once all that show it are hidden: %j', async (withdrawal) => {
    const [own, inText, shared] = await Promise.all(
      ['own.png', 'text.png', 'shared.png'].map(
        async (name) => (await upload(png(64, 48), name, { as: 'editor' })).body,
      ),
    );
    const description = `<p><img src="${inText.source_url}" alt=""><img src="${shared.source_url}" alt=""></p>`;
    const event = await app.create('events', { title: 'Shown', ...dates, image: own.id, description });
    await app.create('venues', { venue: 'Hall', description: `<img src="${shared.source_url}">` });
    const urls = [own, inText, shared].map(({ source_url }) => source_url);
    expect(await Promise.all(urls.map(status))).toEqual([200, 200, 200]);
    const { body: hidden } = await app.change(`/events/${event.id}`, withdrawal);
    expect(await Promise.all(urls.map(status))).toEqual([404, 404, 200]);
    // Who may edit it sees its pictures, and so does everybody once it is published again.
    const now = [hidden.image.url, keyed(hidden.description)];
    expect(await Promise.all(now.map(status))).toEqual([200, 200]);
    await app.change(`/events/${event.id}`, { description: `${hidden.description}<p>More</p>` });
    const shown = { status: 'publish', access_password: '', date: '2020-01-01' };
    const { body: again } = await app.change(`/events/${event.id}`, shown);
    expect([again.image.url, keyed(again.description)]).toEqual(now);
    expect(await Promise.all(urls.map(status))).toEqual([404, 404, 200]);
  });

  test('keeps its address where it was taken from an event that stays public', async () => {
    const { body: picture } = await upload(png(64, 48), 'kept.png', { as: 'editor' });
    const event = await app.create('events', { title: 'Shown', ...dates, image: picture.id });
    await app.change(`/events/${event.id}`, { image: null });
    expect(await status(picture.source_url)).toBe(200);
  });
});

describe('a picture', () => {
  test('is shown by events, venues and organizers, and by none once it is deleted', async () => {
    const { body: picture } = await upload(png(640, 480), 'hall.png', { as: 'editor' });
    const event = await app.create('events', { title: 'With a picture', ...dates, image: picture.id });
    const venue = await app.create('venues', { venue: 'Hall', image: String(picture.id) });
    const organizer = await app.create('organizers', { organizer: 'Ann', image: picture.id });
    const image = {
      url: expect.stringMatching(/\/pictures\/\d+\/[0-9a-f]{16}\/hall\.png$/),
      id: picture.id,
      extension: 'png',
      width: 640,
      height: 480,
      filesize: expect.any(Number),
    };
    for (const record of [event, venue, organizer]) expect(record.image).toEqual(image);
    expect((await call('GET', event.image.url)).status).toBe(200);
    const read = await app.call('GET', `/events/${event.id}`);
    expect(read.body.json_ld.image).toBe(event.image.url);
    const feed = await app.call('GET', '/events.ics?start_date=2031-01-01&end_date=2032-01-01');
    expect(feed.body.replaceAll('\r\n ', '')).toContain(`IMAGE;DISPLAY=BADGE;VALUE=URI:${event.image.url}`);
    const post = await call('GET', `/tribe_events/${event.id}?_embed=wp:featuredmedia`);
    expect(post.body).toMatchObject({
      featured_media: picture.id,
      _embedded: { 'wp:featuredmedia': [{ id: picture.id, source_url: picture.source_url }] },
    });
    const removed = await call('POST', `/tribe_events/${event.id}`, json('editor', { featured_media: 0 }));
    expect(removed.body.featured_media).toBe(0);
    const restored = await call(
      'POST',
      `/tribe_events/${event.id}`,
      json('editor', { featured_media: picture.id }),
    );
    expect(restored.body.featured_media).toBe(picture.id);

    const path = `/media/${picture.id}`;
    expect((await call('DELETE', path, { as: 'editor' })).body).toMatchObject({
      code: 'rest_trash_not_supported',
      data: { status: 501 },
    });
    const { status, body } = await call('DELETE', `${path}?force=true`, { as: 'editor' });
    expect([status, body]).toMatchObject([200, { deleted: true, previous: { id: picture.id } }]);
    expect((await app.call('GET', `/events/${event.id}`)).body.image).toBe(false);
    expect((await app.call('GET', `/venues/${venue.id}`)).body.image).toBeUndefined();
    expect((await call('GET', picture.source_url)).status).toBe(404);
    expect((await call('GET', path, { as: 'editor' })).body.code).toBe('rest_post_invalid_id');
    expect((await call('DELETE', `${path}?force=true`, { as: 'editor' })).status).toBe(404);
  });

  test('is listed to readers once a published record shows it', async () => {
    const { body: picture } = await upload(png(), 'secret.png', { as: 'author' });
    const draft = await app.create('events', {
      title: 'Draft',
      ...dates,
      image: picture.id,
      status: 'draft',
    });
    const seenBy = async (as?: Person) => {
      const list = await call('GET', '/media?search=secret&per_page=100', { as });
      const { status } = await call('GET', `/media/${picture.id}`, { as });
      const { changes } = (await app.call('GET', '/changes?per_page=1000', { ...(as && { as }) })).body;
      const change = changes.find(({ id }: { id: number }) => id === picture.id);
      return [list.body.map(({ id }: { id: number }) => id), status, change.removed];
    };
    const isHidden = [[], 404, true];
    const isSeen = [[picture.id], 200, false];
    expect(await seenBy()).toEqual(isHidden);
    expect(await seenBy('otherAuthor')).toEqual(isHidden);
    expect(await seenBy('author')).toEqual(isSeen);
    expect(await seenBy('editor')).toEqual(isSeen);
    await app.change(`/events/${draft.id}`, { status: 'publish' });
    expect(await seenBy()).toEqual(isSeen);
    for (const [as, answer] of [
      [undefined, [401, undefined]],
      ['contributor', [403, undefined]],
      ['otherAuthor', [403, undefined]],
      ['author', [200, picture.title.raw]],
      ['editor', [200, picture.title.raw]],
    ] as const) {
      const edited = await call('GET', `/media/${picture.id}?context=edit`, { as });
      expect([edited.status, edited.body.title?.raw]).toEqual(answer);
    }
    await app.change(`/events/${draft.id}`, { access_password: 'x' });
    expect(await seenBy()).toEqual(isHidden);
  });

  test('has its alternative text where it is shown, until that is emptied', async () => {
    const { body: picture } = await upload(png(), 'alt.png', { as: 'editor' });
    const event = await app.create('events', { title: 'Alt', ...dates, image: picture.id });
    const venue = await app.create('venues', { venue: 'Alt', image: picture.id });
    const shown = async () => {
      const list = await app.call('GET', '/events?search=Alt&start_date=2031-01-01&end_date=2032-01-01');
      const alone = await app.call('GET', `/venues/${venue.id}`);
      return [list.body.events[0].image.alt, alone.body.image.alt];
    };
    expect([event.image.alt, ...(await shown())]).toEqual([undefined, undefined, undefined]);
    const change = (alt_text: string) => call('POST', `/media/${picture.id}`, json('editor', { alt_text }));
    await change('A "hall" & <b>people</b>');
    const { alt_text } = (await call('GET', `/media/${picture.id}`)).body;
    expect(await shown()).toEqual([alt_text, alt_text]);
    expect(alt_text).toContain('"hall" & ');
    await change('');
    expect(await shown()).toEqual([undefined, undefined]);
  });

  test('has its texts changed by its author and by editors', async () => {
    const { body: picture } = await upload(png(), 'texts.png', { as: 'author' });
    const path = `/media/${picture.id}`;
    const change = (as: Person, fields: object) => call('POST', path, json(as, fields));
    const { status, body } = await change('author', { title: { raw: 'New' }, alt_text: 'Alt' });
    expect([status, body.title.rendered, body.alt_text]).toEqual([200, 'New', 'Alt']);
    expect((await change('editor', { caption: 'C' })).body).toMatchObject({
      title: { raw: 'New' },
      caption: { raw: 'C', rendered: '<p>C</p>' },
    });
    const emptied = await change('author', { title: '', alt_text: '', caption: '' });
    expect(emptied.body).toMatchObject({ title: { raw: 'New' }, alt_text: '', caption: { raw: '' } });
    await expect.poll(async () => (await change('author', {})).body.modified).not.toBe(picture.modified);
    expect((await change('otherAuthor', { title: 'x' })).body.code).toBe('rest_forbidden');
    expect((await change('contributor', { title: 'x' })).body.code).toBe('rest_forbidden');
    expect((await change('formerAuthor', { title: 'x' })).body.code).toBe('rest_forbidden');
    expect((await call('DELETE', `${path}?force=1`, { as: 'formerAuthor' })).status).toBe(403);
    expect((await change('editor', { title: 7 })).body.code).toBe('rest_invalid_param');
    expect((await call('DELETE', `${path}?force=1`, { as: 'otherAuthor' })).status).toBe(403);
    expect((await call('DELETE', `${path}?force=1`)).status).toBe(401);
    expect((await call('DELETE', `${path}?force=1`, { as: 'author' })).status).toBe(200);
  });

  test('on another site is read by its id, and neither changed nor deleted', async () => {
    const event = await app.create('events', {
      title: 'Linked',
      ...dates,
      image: 'https://example.org/x.WEBP',
    });
    const path = `/media/${event.image.id}`;
    expect((await call('GET', path)).body).toMatchObject({
      source_url: 'https://example.org/x.WEBP',
      mime_type: 'image/webp',
      title: { rendered: 'x.WEBP' },
    });
    expect((await call('POST', path, json('editor', { title: 'x' }))).body.code).toBe('picture-not-stored');
    expect((await call('DELETE', `${path}?force=true`, { as: 'editor' })).status).toBe(409);
    const draft = { title: 'Draft', ...dates, image: 'https://example.org/y.webp', status: 'draft' };
    const hidden = `/media/${(await app.create('events', draft)).image.id}`;
    // The contributor has written nothing, and so has no author.
    for (const as of [undefined, 'contributor', 'otherAuthor'] as const)
      expect((await call('GET', hidden, { as })).status).toBe(404);
  });
});

describe('the list of pictures', () => {
  test('has pages with totals, filters and orders', async () => {
    const titles = ['list alpha', 'list beta', 'list gamma'];
    const ids: number[] = [];
    for (const title of titles) {
      const { body } = await upload(title.endsWith('beta') ? gif() : png(), `${title}.png`);
      ids.push(body.id);
    }
    const list = async (query: string) => {
      const { status, headers, body } = await call('GET', `/media?${query}`, { as: 'editor' });
      if (status !== 200) return [status, body.code];
      return [
        headers.get('x-wp-total'),
        headers.get('x-wp-totalpages'),
        body.map((item: { id: number }) => item.id),
      ];
    };
    const [a, b, c] = ids;
    expect(await list('search=list&per_page=2')).toEqual(['3', '2', [c, b]]);
    expect(await list('search=list&per_page=2&page=2')).toEqual(['3', '2', [a]]);
    expect(await list('search=list&orderby=title&order=asc')).toEqual(['3', '1', [a, b, c]]);
    expect(await list('search=list+beta')).toEqual(['1', '1', [b]]);
    expect(await list('search=list&mime_type=image/gif')).toEqual(['1', '1', [b]]);
    expect(await list(`include=${c},${a}&orderby=include`)).toEqual(['2', '1', [c, a]]);
    const missing = Array.from({ length: 9 }, (_, index) => 900_000 + index);
    expect(await list(`include=${[c, a, ...missing, b]}&orderby=include`)).toEqual(['3', '1', [c, a, b]]);
    await call('POST', `/media/${a}`, json('editor', { alt_text: 'A lighthouse', title: 'Zulu list' }));
    expect(await list('search=list+lighthouse')).toEqual(['1', '1', [a]]);
    expect(await list('search=list&orderby=title&order=asc')).toEqual(['3', '1', [b, c, a]]);
    expect(await list('search=list&orderby=slug&order=asc')).toEqual(['3', '1', [a, b, c]]);
    expect(await list('search=list&orderby=id')).toEqual(['3', '1', [c, b, a]]);
    const isLater = async () => {
      const { body } = await call('POST', `/media/${a}`, json('editor', {}));
      return body.modified > (await call('GET', `/media/${c}`, { as: 'editor' })).body.date;
    };
    await expect.poll(isLater).toBe(true);
    expect(await list('search=list&orderby=modified')).toEqual(['3', '1', [a, c, b]]);
    const { body: other } = await upload(png(), 'list delta.png', { as: 'editor' });
    expect(await list(`search=list&author=${other.author}`)).toEqual(['1', '1', [other.id]]);
    await call('DELETE', `/media/${other.id}?force=true`, { as: 'editor' });
    expect(await list('search=list&media_type=video')).toEqual(['0', '0', []]);
    expect(await list('page=999')).toEqual([400, 'rest_post_invalid_page_number']);
    for (const query of ['orderby=x', 'order=x', 'page=0', 'per_page=x', 'include=x'])
      expect(await list(query)).toEqual([400, 'rest_invalid_param']);
    const first = await call('GET', '/media?search=list&per_page=2', { as: 'editor' });
    expect(first.headers.get('link')).toContain('page=2>; rel="next"');
  });
});

describe('the filters of the list', () => {
  test.each([
    ['per_page=101', 'per_page'],
    ['media_type=picture', 'media_type'],
    ['after=x', 'after'],
    ['before=2026', 'before'],
    ['modified_after=x', 'modified_after'],
    ['modified_before=2026-01-01T00:00:00%2B99:00', 'modified_before'],
    ['offset=x', 'offset'],
    ['context=x', 'context'],
    ['status=draft', 'status'],
    ['orderby=x', 'orderby'],
    ['parent=x', 'parent'],
    ['parent_exclude=-1', 'parent_exclude'],
    ['search_columns=post_title', 'search_columns'],
    ['exclude=x', 'exclude'],
  ])('refuse %s', async (query, name) => {
    const { status, body } = await call('GET', `/media?${query}`);
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  test('find pictures by slug, dates, author and order, and skip those of an offset', async () => {
    const uploads = [];
    for (const name of ['Filtered-A.png', 'Filtered-B.png', 'Filtered-C.png'])
      uploads.push((await upload(png(), name)).body);
    const ids = uploads.map(({ id }) => id);
    const found = async (query: string) => {
      const { status, body } = await call('GET', `/media?search=filtered&${query}`, { as: 'editor' });
      expect(status).toBe(200);
      return body.map(({ id }: { readonly id: number }) => ids.indexOf(id));
    };
    expect(await found('order=asc&orderby=id')).toEqual([0, 1, 2]);
    expect(await found('slug=filtered-b')).toEqual([1]);
    expect(await found('slug[]=filtered-b&slug[]=filtered-a&orderby=slug&order=asc')).toEqual([0, 1]);
    expect(await found('orderby=id&order=asc&offset=1')).toEqual([1, 2]);
    expect(await found(`exclude=${ids[0]}&orderby=author&order=asc`)).toEqual([1, 2]);
    expect(await found('after=2099-01-01T00:00:00')).toEqual([]);
    expect(await found('before=2099-01-01T00:00:00&status=inherit&orderby=id&order=asc')).toEqual([0, 1, 2]);
    expect(await found('modified_before=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await found(`author_exclude=${uploads[0].author}`)).toEqual([]);
    expect(await found('after=2000-01-01T00:00:00%2B02:00&orderby=id&order=asc')).toEqual([0, 1, 2]);
    expect(await found('media_type=video')).toEqual([]);
  });
});

describe('the slug, date and record of a picture', () => {
  const event = (fields: object = {}, as: Person = 'author') =>
    app.create('events', { title: 'Uploaded to', ...dates, ...fields }, as);

  test('are those of the upload, and a number makes the slug unique', async () => {
    const { id } = await event({ slug: 'taken-by-event' });
    const form = new FormData();
    for (const [name, value] of Object.entries({
      slug: 'My Slug/É',
      date: '2020-02-03T04:05:06',
      post: String(id),
    }))
      form.set(name, value);
    form.set('file', new Blob([new Uint8Array(png())]), 'slugged.png');
    const { status, body } = await call('POST', '/media', { as: 'author', body: form });
    const common = { date: '2020-02-03T04:05:06', modified: '2020-02-03T04:05:06', post: id };
    expect([status, body]).toMatchObject([201, { ...common, slug: 'my-slug-e' }]);
    expect((await call('GET', `/media/${body.id}`, { as: 'author' })).body).toMatchObject(common);
    const again = await upload(png(), 'My-Slug-E.png');
    expect([again.body.slug, again.body.post]).toEqual(['my-slug-e-2', null]);
    expect((await upload(png(), 'my-slug-e.png')).body.slug).toBe('my-slug-e-3');
    expect((await upload(png(), 'taken-by-event.png')).body.slug).toBe('taken-by-event-2');
  });

  test('are changed by an update, and stay where they are not sent', async () => {
    const { id } = (await upload(png(), 'to change.png')).body;
    const to = await event();
    const change = (value: object, as: Person = 'author') => call('POST', `/media/${id}`, json(as, value));
    const date_gmt = '2019-12-31T23:30:00';
    const changed = await change({ slug: 'Changed Slug', date_gmt, post: to.id });
    const common = { slug: 'changed-slug', date_gmt, post: to.id };
    expect([changed.status, changed.body]).toMatchObject([200, common]);
    expect((await change({ caption: 'Only this' })).body).toMatchObject(common);
    expect((await change({ slug: 'changed-slug' })).body.slug).toBe('changed-slug');
    expect((await change({ slug: '' })).body.slug).toBe('changed-slug');
    expect((await change({ slug: 'to-change' })).body.slug).toBe('to-change');
    const listed = async (query: string) =>
      (await call('GET', `/media?${query}`, { as: 'editor' })).body.map((item: { id: number }) => item.id);
    expect(await listed(`parent=${to.id}`)).toEqual([id]);
    expect(await listed(`parent=${to.id}&parent_exclude=${to.id}`)).toEqual([]);
    expect(await listed(`parent=0&include=${id}`)).toEqual([]);
    expect(await listed('slug=to-change')).toEqual([id]);
    expect((await listed('orderby=parent&order=desc'))[0]).toBe(id);
    expect((await change({ post: 0 })).body.post).toBeNull();
    expect(await listed(`parent=0&include=${id}`)).toEqual([id]);
  });

  test.each<[name: string, value: unknown]>([
    ['date', 'yesterday evening at some time'],
    ['date_gmt', '2026-13-01T00:00:00'],
    ['post', 999_999],
    ['post', 'x'],
    ['post', -1],
    ['slug', ['a']],
  ])('are refused where %s is %j', async (name, value) => {
    const { id } = (await upload(png(), 'unchanged.png')).body;
    const { status, body } = await call('POST', `/media/${id}`, json('author', { [name]: value }));
    expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
  });

  test('name no record of another', async () => {
    const { id } = await event({}, 'editor');
    const picture = (await upload(png(), 'mine.png')).body;
    for (const post of [id, picture.id]) {
      const { status, body } = await call('POST', `/media/${picture.id}`, json('author', { post }));
      expect([status, Object.keys(body.data.params)]).toEqual([400, ['post']]);
    }
  });

  test('dated ahead are sent with a Last-Modified that is not', async () => {
    const { id, source_url } = (await upload(png(), 'ahead.png')).body;
    const { body } = await call('POST', `/media/${id}`, json('author', { date: '2999-01-01T00:00:00' }));
    expect(body.date).toBe('2999-01-01T00:00:00');
    const { headers } = await call('GET', source_url);
    expect(Date.parse(String(headers.get('last-modified')))).toBeLessThanOrEqual(Date.now());
  });
});

test('a search sorts pictures by relevance', async () => {
  const make = async (name: string, title: string, caption: string) => {
    const { id } = (await upload(png(), name)).body;
    await call('POST', `/media/${id}`, json('author', { title, caption }));
    return id;
  };
  const inCaption = await make('r1.png', 'Other', 'A quiet lake');
  const words = await make('r2.png', 'Lake, very quiet', '');
  const apart = await make('r3.png', 'Quiet', 'at the lake');
  const whole = await make('r4.png', 'The Quiet Lake', '');
  const { body } = await call('GET', '/media?search=quiet+lake&orderby=relevance&order=asc', {
    as: 'editor',
  });
  expect(body.map((item: { id: number }) => item.id)).toEqual([whole, words, apart, inCaption]);
  const none = await call('GET', '/media?orderby=relevance');
  expect([none.status, none.body.code]).toEqual([400, 'rest_no_search_term_defined']);
});

test('a title comes back to its editor as it was typed, and null empties the text for who does not see a picture', async () => {
  const { id } = (await upload(png(), 'typed.png')).body;
  const change = (value: object) => call('POST', `/media/${id}`, json('author', value));
  for (const title of ['Tom & Jerry', '3 < 4 & 5 > 2', 'AT&amp;T &lt;b&gt;', 'A <b>bold</b> one']) {
    const { title: written } = (await change({ title })).body;
    const again = (await change({ title: written.raw })).body.title;
    expect(again).toEqual(written);
    if (!title.includes('&amp;')) expect(written.raw).toBe(title);
  }
  await change({ alt_text: 'Seen' });
  const { status, body } = await change({ alt_text: null });
  expect([status, body.alt_text]).toEqual([200, '']);
});
