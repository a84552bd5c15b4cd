/** The app with HTTP streams (HTTP_STREAMING): what they give, and what they cost. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { jpeg } from '../support/pictures.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createObjects, recordsAs } from '../support/records.ts';
import { sendChunked } from '../support/send-chunked.ts';

const app = useApp({ settings: { HTTP_STREAMING: 'true' } });
const alice = recordsAs(app, 'alice@example.org');

describe('with HTTP streams', () => {
  test('a body without a length arrives', async () => {
    const path = `/v7/documents/${(await createObjects(alice)).document}/custom-data`;
    const headers = { Authorization: `Bearer ${app.token('alice@example.org')}` };
    const written = await sendChunked(`${app.base}${path}`, 'PUT', '{"remarks":"in chunks"}', headers);
    expect(written.status).toBe(200);
    expect((await alice('GET', path)).json).toEqual({ remarks: 'in chunks' });
  });

  test('a picture is sent whole and in parts, also after callers who hang up', async () => {
    const head = jpeg(4000, 3000).subarray(0, -2);
    const end = jpeg().subarray(-2);
    const bytes = Buffer.concat([head, Buffer.alloc(3_000_000, 7), end]);
    const uploaded = await fetch(`${new URL(app.base).origin}/wp-json/wp/v2/media`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: {
        Authorization: `Bearer ${app.token('alice@example.org', ['Calendar.Editor'])}`,
        'Content-Disposition': 'attachment; filename="large.jpg"',
      },
    });
    const { source_url } = (await uploaded.json()) as { source_url: string };
    for (let reader = 0; reader < 20; reader++) await fetch(source_url).then(({ body }) => body?.cancel());
    const whole = await fetch(source_url);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(source_url, { headers: { Range: 'bytes=100-199' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(100, 200)]);
    const asked = await fetch(source_url, { method: 'HEAD' });
    expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  test('a header beyond ASCII, or an unusable Host, hangs until the time-out of the function', async () => {
    await using another = await app.startAnother({
      HTTP_STREAMING: 'true',
      AzureFunctionsJobHost__functionTimeout: '00:00:04',
    });
    const { base } = another;
    const { origin, pathname } = new URL(base);
    const requests = ['Host: localhost\r\nX-U: caf\u00c3\u00a9', 'Host: 999.1.1.1'].map(
      (lines) => `GET ${pathname}/health HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`,
    );
    const started = performance.now();
    const replies = await Promise.all(requests.map((request) => sendRaw(origin, request)));
    expect(replies.map(({ status }) => status)).toEqual([500, 500]);
    expect(performance.now() - started).toBeGreaterThan(3_900);
    // The worker is replaced, since it still waits.
    await expect.poll(async () => (await app.call('GET', '/health', { base })).status).toBe(200);
  });
});
