/** The name of an uploaded file, in all forms that clients send, and bodies that are not read to their end. */

import { describe, expect, test } from 'vitest';
import { withUpload } from '../../../../functions/wordpress/wp-v2/media-upload.ts';

async function* bytes() {
  yield Buffer.from('bytes');
}

const requestWith = (headers: Record<string, string>, body: AsyncIterable<Uint8Array> = bytes()) => ({
  method: 'POST',
  url: new URL('http://localhost/'),
  parameters: {},
  body,
  headers: new Headers({ 'Content-Length': '5', ...headers }),
});

const nameOf = (disposition: string) =>
  withUpload(requestWith({ 'Content-Disposition': disposition }), {}, async ({ files }) => {
    for await (const { name } of files) return name;
    return undefined;
  });

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  ['attachment; filename="a.png"', 'a.png'],
  ['attachment; filename=a.png; size=5', 'a.png'],
  ['attachment; filename="a \\"b\\" c.png"', 'a "b" c.png'],
  ['attachment; filename="\u00c6.png"', '\u00c6.png'],
  [latin1('attachment; filename="\u00c6\u65e5.png"'), '\u00c6\u65e5.png'],
  ['attachment; filename="x.png"; filename*=UTF-8\'\'%E2%82%AC%20rates.png', '\u20ac rates.png'],
  ['attachment; filename="x.png"; filename*=UTF-8\'\'%E2%8', 'x.png'],
])('the name of %j is read', async (disposition, name) => {
  expect(await nameOf(disposition)).toBe(name);
});

test.each(['attachment', 'attachment; name="file"', ''])('%j names no file', async (disposition) => {
  await expect(nameOf(disposition)).rejects.toMatchObject({ code: 'rest_upload_no_content_disposition' });
});

describe('the body of a form', () => {
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG';

  test('that ends with an error is no form, and does not wait for more', async () => {
    async function* ending() {
      yield Buffer.from(part);
      throw new Error('The caller is gone.');
    }
    const upload = withUpload(requestWith(type, ending()), {}, async ({ files }) => {
      for await (const { chunks } of files) await Array.fromAsync(chunks);
    });
    await expect(upload).rejects.toMatchObject({ code: 'invalid-form' });
  });

  test('is read no further once its upload is refused', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.from(part);
      } finally {
        isClosed = true;
      }
    }
    const refusal = new Error('Refused.');
    const upload = withUpload(requestWith(type, endless()), {}, async ({ files }) => {
      for await (const _file of files) throw refusal;
    });
    await expect(upload).rejects.toBe(refusal);
    await expect.poll(() => isClosed).toBe(true);
  });
});
