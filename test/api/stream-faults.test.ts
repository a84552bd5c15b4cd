/**
 * Streams that are cut, stalled and closed at each step, on their way in and out: each request ends, and nobody beside it notices. Microsoft's host
 * was tried with the same faults (docs/decisions/functions-and-streaming.md): a caller who hangs up in a body is told of by a line `body-incomplete`
 * with streams there, too, but a half-closed one is not.
 */

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { followedDuring } from '../support/followed-during.ts';
import { hangUp, headOf } from '../support/hang-up.ts';
import { addLogLine, type LogLine } from '../support/log-lines.ts';
import { jpeg } from '../support/pictures.ts';
import { localBlobs } from '../support/shared-emulators.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { untilKeysAreLoaded } from '../support/until-keys-are-loaded.ts';

const proxy = await startTcpProxy(inject('blobsPort'));
/** What the processes of the app have logged. */
const lines: LogLine[] = [];
const app = useApp({
  sampleData: false,
  log: (line) => addLogLine(lines, line),
  settings: {
    CALENDAR_BLOB_CONNECTION_STRING: localBlobs().replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`),
  },
});
afterEach(heal);
afterAll(() => proxy[Symbol.asyncDispose]());

/** A picture that takes several chunks on each of its ways. */
const bytes = Buffer.concat([
  jpeg(400, 300).subarray(0, -2),
  Buffer.alloc(3_000_000, 7),
  jpeg().subarray(-2),
]);

function heal() {
  proxy.onRequest = undefined;
  proxy.onReply = undefined;
  proxy.gone = false;
  proxy.silent = false;
  proxy.cutAll();
}

/** Lets a number of the chunks of the blob service's replies pass, and then breaks with it. */
function breakAfter(chunks: number, how: 'cut' | 'pass-then-cut') {
  let passed = 0;
  proxy.onReply = () => {
    passed += 1;
    if (passed <= chunks) return 'pass';
    proxy.gone = true;
    return how;
  };
}

/** Lets a number of the chunks of the blob service's replies pass, and then nothing more. */
function stallAfter(chunks: number) {
  let passed = 0;
  proxy.onReply = () => {
    passed += 1;
    proxy.silent = passed > chunks;
    return 'pass';
  };
}

/** Lets a number of bytes of a request to the blob service pass, and then breaks with it. */
function breakBehind(length: number) {
  proxy.onRequest = (sent) => {
    if (sent.length <= length) return 'pass';
    proxy.gone = true;
    return 'cut';
  };
}

describe.each(['false', 'true'])('with HTTP_STREAMING %s', (streaming) => {
  let host: Awaited<ReturnType<typeof app.startAnother>>;
  const token = () => app.token('alice@example.org', ['Calendar.Editor']);
  const media = () => `${new URL(host.base).origin}/wp-json/wp/v2/media`;
  beforeAll(async () => {
    host = await app.startAnother({ HTTP_STREAMING: streaming });
    await untilKeysAreLoaded(host.calendar, token());
  });
  afterAll(() => host[Symbol.asyncDispose]());

  const uploadHeaders = () => ({
    Authorization: `Bearer ${token()}`,
    'Content-Type': 'image/jpeg',
    'Content-Disposition': 'attachment; filename="large.jpg"',
  });
  const upload = (signal: AbortSignal | null = null) =>
    fetch(media(), { method: 'POST', headers: uploadHeaders(), body: new Uint8Array(bytes), signal });
  async function uploaded(): Promise<string> {
    const reply = await upload();
    expect(reply.status).toBe(201);
    return ((await reply.json()) as { readonly source_url: string }).source_url;
  }

  /** Returns the status of a picture and whether it came whole; undefined where its connection broke. */
  async function download(url: string): Promise<readonly [number, boolean] | undefined> {
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(30_000) });
      return [reply.status, Buffer.from(await reply.arrayBuffer()).equals(bytes)];
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return undefined;
    }
  }

  const beside = (action: () => Promise<unknown>) =>
    followedDuring({ calendar: host.calendar, token: token() }, action);

  test('a picture whose blob breaks off ends, and is never shown as if it were whole', async () => {
    const url = await uploaded();
    const statuses = await beside(async () => {
      for (const chunks of [0, 1, 2, 5, 20])
        for (const how of ['cut', 'pass-then-cut'] as const) {
          breakAfter(chunks, how);
          const shown = await download(url);
          if (shown?.[1] !== true) expect([undefined, 503]).toContain(shown?.[0]);
          heal();
        }
    });
    expect([statuses, await download(url)]).toEqual([[200], [200, true]]);
  });

  test('callers who hang up in the middle of a picture leave it to others', async () => {
    const { pathname, host: name } = new URL(await uploaded());
    const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    const statuses = await beside(() =>
      Promise.all(
        [1, 1_000, 70_000, 500_000, 2_000_000].flatMap((count) => [
          hangUp(host.base, request, count),
          hangUp(host.base, request, count),
        ]),
      ),
    );
    const url = `${new URL(host.base).origin}${pathname}`;
    expect([statuses, await download(url)]).toEqual([[200], [200, true]]);
  });

  test('a caller who hangs up in a body leaves nothing, and is no failure of ours', async () => {
    const total = async () =>
      (await fetch(media(), { headers: { Authorization: `Bearer ${token()}` } })).headers.get('x-wp-total');
    const before = await total();
    const text = Buffer.from(JSON.stringify({ title: 'x'.repeat(300_000) }));
    const json = { Authorization: `Bearer ${token()}`, 'Content-Type': 'application/json' };
    const form = { ...json, 'Content-Type': 'application/x-www-form-urlencoded' };
    const bodies = [
      ['POST', media(), uploadHeaders(), bytes],
      ['POST', `${host.calendar}/events`, json, text],
      ['POST', `${host.calendar}/events`, form, Buffer.from(`title=${'x'.repeat(300_000)}`)],
      ['PATCH', `${host.base}/v8.0/documents/none`, json, text],
      ['PUT', `${host.base}/v8.0/documents/none/custom-data`, json, text],
    ] as const;
    const requestIds: string[] = [];
    const statuses = await beside(() =>
      Promise.all(
        bodies.flatMap(([method, url, headers, body]) =>
          [0, 1, 100, 70_000, 150_000, 1_100_000, body.length - 1].map((count) => {
            const requestId = crypto.randomUUID();
            requestIds.push(requestId);
            const head = headOf(method, url, {
              ...headers,
              'X-Request-Id': requestId,
              'Content-Length': String(body.length),
            });
            return hangUp(
              host.base,
              Buffer.concat([head, body.subarray(0, Math.min(count, body.length - 1))]),
            );
          }),
        ),
      ),
    );
    expect([statuses, await total()]).toEqual([[200], before]);
    const logged = () => lines.filter(({ requestId = '' }) => requestIds.includes(requestId));
    // Without streams the host asks the app for nothing before it has the whole body.
    const requests = () =>
      logged().flatMap(({ event, status, code }) => (event === 'request' ? [{ status, code }] : []));
    const incomplete = expect.arrayContaining([{ status: 400, code: 'body-incomplete' }]);
    await expect.poll(requests).toEqual(streaming === 'true' ? incomplete : []);
    expect(logged().filter(({ event, status = 0 }) => event === 'failure' || status >= 500)).toEqual([]);
  });

  test('a blob that stalls is given up with its callers, and read again by others', async () => {
    const url = await uploaded();
    const statuses = await beside(async () => {
      for (const chunks of [0, 1, 5]) {
        stallAfter(chunks);
        const given = new AbortController();
        const shown = fetch(url, { signal: given.signal }).then((reply) => reply.arrayBuffer());
        const refusal = expect(shown).rejects.toThrow();
        await expect.poll(() => proxy.silent).toBe(true);
        given.abort();
        await refusal;
        heal();
        expect(await download(url)).toEqual([200, true]);
      }
    });
    expect(statuses).toEqual([200]);
  });

  test('an upload whose blob stalls holds up no other, and its caller may hang up', async () => {
    const statuses = await beside(async () => {
      const given = new AbortController();
      proxy.onRequest = () => {
        proxy.silent = true;
        return 'hold';
      };
      const sent = upload(given.signal);
      const refusal = expect(sent).rejects.toThrow();
      await expect.poll(() => proxy.silent).toBe(true);
      given.abort();
      await refusal;
      heal();
      expect((await upload()).status).toBe(201);
    });
    expect(statuses).toEqual([200]);
  });

  test('an upload whose blob breaks off is refused, and may be sent again', async () => {
    const statuses = await beside(async () => {
      for (const length of [0, 1_000, 100_000, 1_050_000]) {
        breakBehind(length);
        const reply = await upload();
        expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'pictures-unavailable' }]);
        heal();
      }
    });
    expect([statuses, (await upload()).status]).toEqual([[200], 201]);
  });
});
