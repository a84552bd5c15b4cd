/** Uploads while processes end, storage fails, or many arrive at once: no record without its bytes, and no bytes without a record that are never deleted. */

import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { openPictureStore } from '../../functions/calendar/pictures/picture-store.ts';
import { orphanAge, sweepOrphans } from '../../functions/calendar/pictures/sweep.ts';
import { useApp } from '../support/app.ts';
import { startFaultProxy } from '../support/http-fault-proxy.ts';
import { png } from '../support/pictures.ts';
import { localBlobs } from '../support/shared-emulators.ts';
import { untilKeysAreLoaded } from '../support/until-keys-are-loaded.ts';

const proxy = await startFaultProxy(inject('tablesPort'));
const container = `faults-${process.pid}`;
const app = useApp({
  sampleData: false,
  settings: {
    CALENDAR_TABLE_CONNECTION_STRING: proxy.connectionString,
    CALENDAR_BLOB_CONNECTION_STRING: localBlobs(),
    CALENDAR_BLOB_CONTAINER: container,
    BODY_BYTES_IN_FLIGHT: '3000000',
  },
});
const store = openPictureStore(
  { connectionString: localBlobs(), endpoint: '', container, calendar: 'default' },
  () => Promise.reject(new Error('No credential is asked for.')),
);
afterEach(() => {
  proxy.always(null);
  proxy.forget();
});
afterAll(() => proxy.stop());

function request(path: string, init: RequestInit = {}, base = app.base) {
  const headers = {
    Authorization: `Bearer ${app.token('alice@example.org', ['Calendar.Editor'])}`,
    'Content-Disposition': 'attachment; filename="a.png"',
  };
  return fetch(`${new URL(base).origin}/wp-json/wp/v2/media${path}`, { headers, ...init });
}

const upload = (bytes: Uint8Array<ArrayBuffer>, base?: string) =>
  request('', { method: 'POST', body: bytes }, base);
const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);

async function total(): Promise<number> {
  return Number((await request('')).headers.get('x-wp-total'));
}

async function blobs(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names;
}

describe('an upload', () => {
  test('of a process that is killed between the bytes and the record leaves no record, and its bytes are swept', async () => {
    expect((await upload(bytesOf(png()))).status).toBe(201);
    const victim = await app.stack.startAnotherApp({});
    const forever = new Promise(() => {});
    proxy.next('commit', {
      before() {
        victim.process.kill('SIGKILL');
        return forever;
      },
    });
    const ended = once(victim.process, 'exit');
    await expect(upload(bytesOf(png(9, 9)), victim.base)).rejects.toThrow();
    await ended;
    expect([await total(), (await blobs()).length]).toEqual([1, 2]);
    const [picture] = (await (await request('')).json()) as { source_url: string }[];
    expect((await fetch(picture?.source_url ?? '')).status).toBe(200);

    const stored = new Set<string>();
    for (const name of await blobs()) {
      const bytes = await store.read(name);
      if (bytes?.equals(png())) stored.add(name);
    }
    const swept = await sweepOrphans(store, (name) => stored.has(name), Date.now() + 2 * orphanAge);
    expect([swept, await blobs()]).toEqual([1, [...stored]]);
  });

  test('keeps its bytes when nobody knows whether its record was stored', async () => {
    const before = await total();
    // The record is stored, and nothing answers after it.
    proxy.next('commit', {
      cut: 'answer',
      async after() {
        proxy.always({ cut: 'request' });
      },
    });
    const reply = await upload(bytesOf(png(11, 11)));
    expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'calendar-outcome-unknown' }]);
    proxy.always(null);
    await expect.poll(total).toBe(before + 1);
    const [picture] = (await (await request('?per_page=1')).json()) as { source_url: string }[];
    expect((await fetch(picture?.source_url ?? '')).status).toBe(200);
  });

  test('is refused while the storage of pictures does not answer, and all other requests are served', async () => {
    const nowhere = localBlobs().replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1');
    const isReady = ({ base }: { readonly base: string }) =>
      untilKeysAreLoaded(`${base}/tribe/events/v1`, app.token('alice@example.org'));
    await using host = await app.startAnother({ CALENDAR_BLOB_CONNECTION_STRING: nowhere });
    await isReady(host);
    const reply = await upload(bytesOf(png()), host.base);
    expect([reply.status, reply.headers.has('retry-after'), await reply.json()]).toMatchObject([
      503,
      true,
      { code: 'pictures-unavailable' },
    ]);
    expect((await request('', {}, host.base)).status).toBe(200);
    await using without = await app.startAnother({ CALENDAR_BLOB_CONNECTION_STRING: '' });
    await isReady(without);
    const refused = await upload(bytesOf(png()), without.base);
    expect([refused.status, await refused.json()]).toMatchObject([500, { code: 'configuration' }]);
  });

  test('is one of a hundred at once that fit into the budget of bytes: each is stored, or must retry later', async () => {
    const before = await total();
    const large = bytesOf(Buffer.concat([png(), Buffer.alloc(60_000)]));
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const reply = await upload(large);
        await reply.arrayBuffer();
        return reply.status === 503 ? `503 ${reply.headers.has('retry-after')}` : String(reply.status);
      }),
    );
    const stored = statuses.filter((status) => status === '201').length;
    expect(stored).toBeGreaterThan(20);
    expect(statuses.filter((status) => !['201', '503 true'].includes(status))).toEqual([]);
    expect(await total()).toBe(before + stored);
  });
});

describe('a picture', () => {
  test('that many delete, change and read at once is deleted once, and leaves no bytes', async () => {
    const { id, source_url } = (await (await upload(bytesOf(png(7, 7)))).json()) as {
      id: number;
      source_url: string;
    };
    const before = await blobs();
    const asked = await Promise.all([
      ...Array.from({ length: 10 }, () => request(`/${id}?force=true`, { method: 'DELETE' })),
      ...Array.from({ length: 10 }, () => request(`/${id}?alt_text=x`, { method: 'POST' })),
      ...Array.from({ length: 10 }, () => fetch(source_url)),
    ]);
    const statuses = asked.map(({ status }) => status);
    expect(statuses.slice(0, 10).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect(await blobs()).toHaveLength(before.length - 1);
    expect((await fetch(source_url)).status).toBe(404);
  });
});
