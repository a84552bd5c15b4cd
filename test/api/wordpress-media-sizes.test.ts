/** The smaller sizes of a picture, which the page of uploads makes in the browser and sends with it. */

import { describe, expect, test } from 'vitest';
import { openPictureStore } from '../../functions/calendar/pictures/picture-store.ts';
import { useCalendarApp } from '../support/calendar-app.ts';
import { avif, jpeg, png, webp } from '../support/pictures.ts';
import { localBlobs } from '../support/shared-emulators.ts';

const container = `sizes-${process.pid}`;
const app = useCalendarApp({
  CALENDAR_BLOB_CONNECTION_STRING: localBlobs(),
  CALENDAR_BLOB_CONTAINER: container,
});
const store = openPictureStore(
  { connectionString: localBlobs(), endpoint: '', container, calendar: 'default' },
  () => Promise.reject(new Error('No credential is asked for.')),
);
const media = () => `${new URL(app.root).origin}/wp-json/wp/v2/media`;
const authorization = () => ({ Authorization: `Bearer ${app.token('editor')}` });

type Part = readonly [field: string, bytes: Uint8Array, name?: string];

/** Uploads parts of a form in their order. */
function upload(...parts: Part[]) {
  return uploadWith({}, ...parts);
}

async function uploadWith(headers: Readonly<Record<string, string>>, ...parts: Part[]) {
  const form = new FormData();
  for (const [field, bytes, name = 'boat.jpg'] of parts)
    form.append(field, new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(media(), {
    method: 'POST',
    body: form,
    headers: { ...authorization(), ...headers },
  });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}

async function blobs(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names.toSorted();
}

describe('sizes that come with a picture', () => {
  const sizes = {
    thumbnail: jpeg(150, 150),
    medium: png(300, 188),
    medium_large: jpeg(768, 480),
    large: webp(1024, 640),
    '1536x1536': avif(1536, 960),
  };
  const types = {
    thumbnail: 'image/jpeg',
    medium: 'image/png',
    medium_large: 'image/jpeg',
    large: 'image/webp',
    '1536x1536': 'image/avif',
  };

  test('are stored with it, shown where it is shown, served as they are, and deleted with it', async () => {
    const before = await blobs();
    const parts = Object.entries(sizes).map(([name, bytes]): Part => [`sizes[${name}]`, bytes]);
    // The order of the parts does not matter.
    const { status, body } = await upload(
      ...parts.slice(0, 2),
      ['file', jpeg(1920, 1200)],
      ...parts.slice(2),
    );
    expect(status).toBe(201);
    expect(await blobs()).toHaveLength(before.length + 6);
    const shown = body.media_details.sizes;
    expect(Object.keys(shown)).toEqual(['full', ...Object.keys(sizes)]);
    const event = await app.create('events', {
      title: 'With sizes',
      start_date: '2031-05-01 19:00:00',
      end_date: '2031-05-01 21:00:00',
      image: body.id,
    });
    for (const [name, bytes] of Object.entries(sizes)) {
      const { source_url, mime_type, width, height, filesize } = shown[name];
      const type = types[name as keyof typeof types];
      expect([mime_type, filesize]).toEqual([type, bytes.length]);
      expect(event.image.sizes[name]).toEqual({
        width,
        height,
        'mime-type': type,
        filesize,
        url: source_url.replace(media().replace('wp/v2/media', 'tribe/events/v1'), app.root),
      });
      const picture = await fetch(source_url);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, type]);
      expect(Buffer.from(await picture.arrayBuffer()).equals(bytes)).toBe(true);
      const end = await fetch(source_url, { headers: { Range: 'bytes=-5' } });
      expect([end.status, end.headers.get('content-range')]).toEqual([
        206,
        `bytes ${bytes.length - 5}-${bytes.length - 1}/${bytes.length}`,
      ]);
      expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-5))).toBe(true);
    }
    const page = await (await fetch(new URL(`/event/${event.slug}/`, app.root))).text();
    const offered = /srcset="([^"]*)"/.exec(page)?.[1]?.match(/\d+w/g);
    // A thumbnail is cut off at two sides.
    expect(offered).toEqual(['300w', '768w', '1024w', '1536w', '1920w']);
    await fetch(`${media()}/${body.id}?force=true`, { method: 'DELETE', headers: authorization() });
    expect(await blobs()).toEqual(before);
    expect((await fetch(shown.medium.source_url)).status).toBe(404);
  });

  test('that are sent again with their key leave no second files', async () => {
    const parts: Part[] = [
      ['file', jpeg(1920, 1200)],
      ['sizes[medium]', png(300, 188)],
    ];
    const key = { 'Idempotency-Key': 'sizes-1' };
    const first = await uploadWith(key, ...parts);
    const before = await blobs();
    const again = await uploadWith(key, ...parts);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await blobs()).toEqual(before);
  });

  test('may be some of them, a pixel off, or those of a picture that the camera has turned', async () => {
    for (const [picture, size, bytes] of [
      [jpeg(1001, 667), 'medium', jpeg(300, 200)],
      [jpeg(1001, 667), 'large', jpeg(1000, 667)],
      [jpeg(4000, 3000), 'large', jpeg(768, 1024)],
      [png(10_000, 10), 'medium', png(300, 1)],
      [png(200, 100), 'thumbnail', png(150, 100)],
    ] as const) {
      const { status, body } = await upload(['file', picture], [`sizes[${size}]`, bytes]);
      expect([status, Object.keys(body.media_details.sizes)]).toEqual([201, ['full', size]]);
    }
  });

  test('have safe names that differ, also of a picture with a long name', async () => {
    const name = `${'x'.repeat(300)}/../Æ.png`;
    const square = png(150, 150);
    const { body } = await upload(
      ['file', png(160, 160), name] as const,
      ['sizes[thumbnail]', square, name] as const,
      ['sizes[medium]', square, '../../etc/passwd'] as const,
    );
    const { full, ...others } = body.media_details.sizes;
    expect([full.file, others.thumbnail.file, others.medium.file]).toEqual([
      'AE.png',
      'AE-thumbnail.png',
      'AE-medium.png',
    ]);
  });

  const whole = jpeg(1920, 1200);
  test.each<[title: string, status: number, code: string, parts: readonly Part[]]>([
    ['larger than its box', 422, 'picture-size-invalid', [['sizes[medium]', jpeg(301, 188)]]],
    ['a thumbnail larger than its box', 422, 'picture-size-invalid', [['sizes[thumbnail]', jpeg(150, 151)]]],
    ['of another aspect ratio', 422, 'picture-size-invalid', [['sizes[large]', jpeg(1024, 700)]]],
    ['of an unknown name', 422, 'picture-size-invalid', [['sizes[huge]', jpeg(10, 10)]]],
    ['named like a property of objects', 422, 'picture-size-invalid', [['sizes[__proto__]', jpeg(10, 10)]]],
    ['without a name', 422, 'picture-size-invalid', [['sizes[]', jpeg(10, 10)]]],
    [
      'sent twice',
      422,
      'picture-size-invalid',
      [
        ['sizes[medium]', jpeg(300, 188)],
        ['sizes[medium]', jpeg(300, 188)],
      ],
    ],
    ['that is no picture', 415, 'rest_upload_sideload_error', [['sizes[medium]', Buffer.from('<svg/>')]]],
    ['that is damaged', 422, 'picture-damaged', [['sizes[medium]', jpeg(300, 188).subarray(0, -3)]]],
    ['that is empty', 400, 'rest_upload_no_data', [['sizes[medium]', new Uint8Array()]]],
    [
      'that makes the whole too large',
      413,
      'body-too-large',
      [
        ['sizes[large]', jpeg(1024, 640, 2.2 * 2 ** 20)],
        ['sizes[medium_large]', jpeg(768, 480, 2.2 * 2 ** 20)],
      ],
    ],
  ])('%s are refused, and nothing is kept', async (_title, status, code, parts) => {
    const before = await blobs();
    for (const all of [
      [['file', whole] as const, ...parts],
      [...parts, ['file', whole] as const],
    ]) {
      const reply = await upload(...all);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
    }
    expect(await blobs()).toEqual(before);
  });

  test('have 4 MiB with it at most, and no byte more', async () => {
    const padded = (bytes: Buffer, length: number) =>
      Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(length - bytes.length), bytes.subarray(-2)]);
    const half = 2 * 2 ** 20;
    const replies = async (excess: number) => {
      const { status, body } = await upload(
        ['file', whole],
        ['sizes[large]', padded(jpeg(1024, 640), half)],
        ['sizes[medium]', padded(jpeg(300, 188), half - whole.length + excess)],
      );
      return [status, body.code];
    };
    const before = await blobs();
    expect(await replies(1)).toEqual([413, 'body-too-large']);
    expect(await blobs()).toEqual(before);
    expect(await replies(0)).toEqual([201, undefined]);
  });

  test('are refused without a picture, as large as it, or where a form breaks off', async () => {
    const before = await blobs();
    const alone = await upload(['sizes[medium]', jpeg(300, 188)]);
    expect([alone.status, alone.body.code]).toEqual([400, 'rest_upload_no_data']);
    const same = await upload(['file', jpeg(300, 188)], ['sizes[medium]', jpeg(300, 188)]);
    expect([same.status, same.body.code]).toEqual([422, 'picture-size-invalid']);
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
    const size = '\r\n--x\r\nContent-Disposition: form-data; name="sizes[medium]"; filename="a.jpg"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), whole, Buffer.from(size), jpeg(300, 188).subarray(0, 20)]);
    const headers = { ...authorization(), 'Content-Type': 'multipart/form-data; boundary=x' };
    const broken = await fetch(media(), { method: 'POST', body, headers });
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'invalid-form' }]);
    expect(await blobs()).toEqual(before);
  });

  test.each<[title: string, status: number, code: string, texts: readonly [string, string][]]>([
    ['a text that is too long', 413, 'form-too-large', [['title', 'x'.repeat(70_000)]]],
    ['too many texts', 413, 'form-too-large', Array.from({ length: 60 }, (_, index) => [`t${index}`, 'x'])],
    ['a text of another form', 400, 'rest_invalid_param', [['title[x]', 'y']]],
  ])('are not kept where the form has %s', async (_title, status, code, texts) => {
    const before = await blobs();
    for (const isBefore of [true, false]) {
      const form = new FormData();
      const add = () => {
        for (const [name, value] of texts) form.append(name, value);
      };
      if (isBefore) add();
      form.append('file', new Blob([new Uint8Array(whole)]), 'a.jpg');
      form.append('sizes[medium]', new Blob([new Uint8Array(jpeg(300, 188))]), 'a.jpg');
      if (!isBefore) add();
      const reply = await fetch(media(), { method: 'POST', body: form, headers: authorization() });
      expect([reply.status, await reply.json()]).toMatchObject([status, { code }]);
    }
    expect(await blobs()).toEqual(before);
  });
});
