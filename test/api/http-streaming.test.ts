/** The app with HTTP streams (HTTP_STREAMING): what they give, and what they cost. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createObjects, recordsAs } from '../support/records.ts';
import { sendChunked } from '../support/send-chunked.ts';

const app = useApp({
  settings: { HTTP_STREAMING: 'true', AzureFunctionsJobHost__functionTimeout: '00:00:04' },
});
const alice = recordsAs(app, 'alice@example.org');

describe('with HTTP streams', () => {
  test('a body without a length arrives', async () => {
    const path = `/v7/documents/${(await createObjects(alice)).document}/custom-data`;
    const headers = { Authorization: `Bearer ${app.token('alice@example.org')}` };
    const written = await sendChunked(`${app.base}${path}`, 'PUT', '{"remarks":"in chunks"}', headers);
    expect(written.status).toBe(200);
    expect((await alice('GET', path)).json).toEqual({ remarks: 'in chunks' });
  });

  test('a header beyond ASCII, or an unusable Host, hangs until the time-out of the function', async () => {
    const requests = ['Host: localhost\r\nX-U: caf\u00c3\u00a9', 'Host: 999.1.1.1'].map(
      (lines) =>
        `GET ${app.base.slice(app.stack.url.length)}/health HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`,
    );
    const started = performance.now();
    const replies = await Promise.all(requests.map((request) => sendRaw(app.stack.url, request)));
    expect(replies.map(({ status }) => status)).toEqual([500, 500]);
    expect(performance.now() - started).toBeGreaterThan(3_900);
    // The worker is replaced, since it still waits.
    await expect.poll(async () => (await app.call('GET', '/health')).status).toBe(200);
  });
});
