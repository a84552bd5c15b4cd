/** The name of an uploaded file, in all forms that clients send, and bodies that are not read to their end. */

import { describe, expect, test } from 'vitest';
import { uploadOf } from '../../../../../functions/calendar/wire/picture-upload.ts';

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

async function nameOf(disposition: string): Promise<string | undefined> {
  const { files } = uploadOf(requestWith({ 'Content-Disposition': disposition }), {});
  for await (const { name } of files) return name;
  return undefined;
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  ['attachment; filename="a.png"', 'a.png'],
  ['attachment; filename=a.png; size=5', 'a.png'],
  ['attachment; filename="a \\"b\\" c.png"', 'a "b" c.png'],
  ['attachment; filename="\u00c6.png"', '\u00c6.png'],
  [latin1('attachment; filename="\u00c6\u65e5.png"'), '\u00c6\u65e5.png'],
  ['attachment; filename="x.png"; filename*=UTF-8\'\'%E2%82%AC%20rates.png', '\u20ac rates.png'],
  ['attachment; filename="x.png"; filename*=UTF-8\'\'%E2%8', 'x.png'],
  ["attachment; filename*=utf-8'en'%C3%86.png", '\u00c6.png'],
  ['attachment; filename="=?utf-8?B?w4Yg5pelLnBuZw==?="', '\u00c6 \u65e5.png'],
  ['attachment; filename="=?UTF-8?q?=C3=86_b?= =?iso-8859-1?Q?=E6.png?="', '\u00c6 b\u00e6.png'],
  ['attachment; filename="=?nothing?B?w4Y=?=.png"', '=?nothing?B?w4Y=?=.png'],
  ['attachment; name="a; filename=b"; filename="C:\\pictures\\c.png"', 'C:\\pictures\\c.png'],
])('the name of %j is read', async (disposition, name) => {
  expect(await nameOf(disposition)).toBe(name);
});

test.each(['attachment', 'attachment; name="file"', 'attachment; filename="a', ''])(
  '%j names no file',
  async (disposition) => {
    await expect(nameOf(disposition)).rejects.toMatchObject({ code: 'rest_upload_no_content_disposition' });
  },
);

describe('the body of a form', () => {
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG';

  test('that ends with an error is no form, and does not wait for more', async () => {
    async function* ending() {
      yield Buffer.from(part);
      throw new Error('The caller is gone.');
    }
    const { files } = uploadOf(requestWith(type, ending()), {});
    const read = async () => {
      for await (const { chunks } of files) await Array.fromAsync(chunks);
    };
    await expect(read()).rejects.toMatchObject({ code: 'invalid-form' });
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
    const { files } = uploadOf(requestWith(type, endless()), {});
    const refuse = async () => {
      for await (const _file of files) throw refusal;
    };
    await expect(refuse()).rejects.toBe(refusal);
    await expect.poll(() => isClosed).toBe(true);
  });
});
