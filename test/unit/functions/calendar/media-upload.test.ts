/** The name of an uploaded file, in all forms that clients send. */

import { expect, test } from 'vitest';
import { withUpload } from '../../../../functions/calendar/wp-v2/media-upload.ts';

async function* bytes() {
  yield Buffer.from('bytes');
}

const nameOf = (disposition: string) =>
  withUpload(
    {
      ...{ method: 'POST', url: new URL('http://localhost/'), parameters: {}, body: bytes() },
      headers: new Headers({ 'Content-Disposition': disposition, 'Content-Length': '5' }),
    },
    {},
    async ({ files }) => {
      for await (const { name } of files) return name;
      return undefined;
    },
  );

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
