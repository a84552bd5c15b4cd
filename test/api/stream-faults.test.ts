/** Streams that are cut, stalled and closed at each step, on their way in and out: each request ends, and nobody beside it notices. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { followedDuring } from '../support/followed-during.ts';
import { jpeg } from '../support/pictures.ts';
import { localBlobs } from '../support/shared-emulators.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { untilKeysAreLoaded } from '../support/until-keys-are-loaded.ts';

const proxy = await startTcpProxy(inject('blobsPort'));
const app = useApp({
  sampleData: false,
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

  /** Sends a request, or the beginning of one, and hangs up once the reply has a number of bytes. */
  async function hangUp(request: Buffer, replyBytes = 0): Promise<void> {
    const { hostname, port } = new URL(host.base);
    const socket = connect(Number(port), hostname);
    // The other side may close first.
    socket.on('error', () => {});
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(request, resolve));
    let count = 0;
    socket.on('data', (chunk) => {
      count += chunk.length;
      if (count >= replyBytes) socket.resetAndDestroy();
    });
    if (replyBytes === 0) socket.resetAndDestroy();
    if (!socket.closed) await once(socket, 'close');
    expect(count).toBeGreaterThanOrEqual(replyBytes);
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
          hangUp(request, count),
          hangUp(request, count),
        ]),
      ),
    );
    const url = `${new URL(host.base).origin}${pathname}`;
    expect([statuses, await download(url)]).toEqual([[200], [200, true]]);
  });

  test('an upload whose caller hangs up is stored nowhere', async () => {
    const { pathname, host: name } = new URL(media());
    const headers = Object.entries({ ...uploadHeaders(), Host: name, 'Content-Length': bytes.length });
    const head = Buffer.from(
      `POST ${pathname} HTTP/1.1\r\n${headers.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`,
    );
    const total = async () =>
      (await fetch(media(), { headers: { Authorization: `Bearer ${token()}` } })).headers.get('x-wp-total');
    const before = await total();
    const statuses = await beside(() =>
      Promise.all(
        [0, 1, 100, 70_000, 1_100_000, bytes.length - 1].map((count) =>
          hangUp(Buffer.concat([head, bytes.subarray(0, count)])),
        ),
      ),
    );
    expect([statuses, await total()]).toEqual([[200], before]);
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
