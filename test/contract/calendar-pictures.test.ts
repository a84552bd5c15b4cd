/** The store of pictures on Azure Blob Storage: whole or not at all, in parts, and without orphans. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openBlobStore } from '../../functions/calendar/blobs/blob-store.ts';
import { openPictureStore, type PictureStore } from '../../functions/calendar/pictures/picture-store.ts';
import { orphanAge, sweepOrphans } from '../../functions/calendar/pictures/sweep.ts';
import { maxPictureBytes, uploadPicture } from '../../functions/calendar/pictures/upload.ts';
import { jpeg, png } from '../support/pictures.ts';
import { localBlobs } from '../support/shared-emulators.ts';

function open(
  connectionString = localBlobs(),
  container = `pictures-${randomUUID().slice(0, 8)}`,
  calendar = 'a calendar',
): PictureStore {
  // The emulator takes its time on a busy machine.
  const settings = { connectionString, endpoint: '', container, calendar, timeout: 60_000 };
  return openPictureStore(settings, () => Promise.reject(new Error('No credential is asked for.')));
}

async function* chunks(...parts: readonly Uint8Array[]) {
  yield* parts;
}

async function namesIn(store: PictureStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names;
}

describe('the store of pictures', () => {
  test('returns what was stored, whole and in parts', async () => {
    const store = open();
    expect(await store.read('a.png')).toBeUndefined();
    expect(await namesIn(store)).toEqual([]);
    await store.put('a.png', chunks(Buffer.from('hello '), Buffer.from('world')), 'image/png');
    expect((await store.read('a.png'))?.toString()).toBe('hello world');
    expect((await store.read('a.png', { offset: 6, count: 3 }))?.toString()).toBe('wor');
    expect(await new Response(await store.open('a.png')).text()).toBe('hello world');
    expect(await new Response(await store.open('a.png', { offset: 6, count: 3 })).text()).toBe('wor');
    expect(await store.open('b.png')).toBeUndefined();
    expect(await namesIn(store)).toEqual(['a.png']);
    await store.delete('a.png');
    await store.delete('a.png');
    expect(await store.read('a.png')).toBeUndefined();
  });

  test('has the pictures of its calendar alone, in a container that others use too', async () => {
    const container = `pictures-${randomUUID().slice(0, 8)}`;
    const first = open(undefined, container, 'town');
    const second = open(undefined, container, 'town/2');
    for (const [store, bytes] of [
      [first, 'first'],
      [second, 'second'],
    ] as const)
      await store.put('a.png', chunks(Buffer.from(bytes)), 'image/png');
    expect([await namesIn(first), await namesIn(second)]).toEqual([['a.png'], ['a.png']]);
    expect(await sweepOrphans(first, () => false, Date.now() + 2 * orphanAge)).toBe(1);
    expect([await first.read('a.png'), String(await second.read('a.png'))]).toEqual([undefined, 'second']);
  });

  test('stores nothing where the bytes end with an error', async () => {
    const store = open();
    async function* ending() {
      yield Buffer.alloc(3_000_000);
      throw new Error('The caller is gone.');
    }
    await expect(store.put('a.png', ending(), 'image/png')).rejects.toThrow('The caller is gone.');
    expect(await namesIn(store)).toEqual([]);
  });

  const partsOf = (picture: Buffer) =>
    Array.from({ length: Math.ceil(picture.length / 1000) }, (_, index) =>
      picture.subarray(index * 1000, (index + 1) * 1000),
    );

  test('has no upload that is too large together with other files, wherever in it that is noticed', async () => {
    const store = open();
    const start = jpeg().subarray(0, -2);
    const end = jpeg().subarray(-2);
    const picture = Buffer.concat([start, Buffer.alloc(1_000_000), end]);
    const upload = (usedBytes: number) => uploadPicture(store, chunks(...partsOf(picture)), { usedBytes });
    const fitting = maxPictureBytes - picture.length;
    for (const usedBytes of [fitting + 1, maxPictureBytes])
      await expect(upload(usedBytes)).rejects.toMatchObject({ code: 'body-too-large' });
    expect(await namesIn(store)).toEqual([]);
    expect((await upload(fitting)).bytes).toBe(picture.length);
  });

  test('has an upload whose bytes come in small parts', async () => {
    const store = open();
    const picture = jpeg(30, 20, 300_000);
    const { blob, ...facts } = await uploadPicture(store, chunks(...partsOf(picture)));
    expect(facts).toMatchObject({ type: 'image/jpeg', width: 30, height: 20, bytes: picture.length });
    expect(await store.read(blob)).toEqual(picture);
    // The size of this one stands behind the head that is read.
    const late = uploadPicture(store, chunks(...partsOf(jpeg(30, 20, 3_000_000))));
    await expect(late).rejects.toMatchObject({ code: 'picture-damaged' });
    expect(await namesIn(store)).toEqual([blob]);
  });

  test('loses no blob of a record to a sweep, and no blob of today', async () => {
    const store = open();
    const used = await uploadPicture(store, chunks(png()));
    const orphan = await uploadPicture(store, chunks(png(5, 5)));
    const isUsed = (blob: string) => blob === used.blob;
    expect(await sweepOrphans(store, isUsed)).toBe(0);
    expect((await namesIn(store)).sort()).toEqual([used.blob, orphan.blob].sort());
    expect(await sweepOrphans(store, isUsed, Date.now() + orphanAge + 60_000)).toBe(1);
    expect(await namesIn(store)).toEqual([used.blob]);
  });

  test('lets one process at a time work under a name, and the next one when that has ended, however it did', async () => {
    const container = `pictures-${randomUUID().slice(0, 8)}`;
    const [one, other] = [open(undefined, container), open(undefined, container)];
    const work = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const first = one.runAlone('lock', () => {
      begun.resolve();
      return work.promise;
    });
    await begun.promise;
    expect(await other.runAlone('lock', async () => 'meanwhile')).toBeUndefined();
    expect(await other.runAlone('another lock', async () => 'meanwhile')).toBe('meanwhile');
    work.resolve('done');
    expect(await first).toBe('done');
    const failure = new Error('The work has failed.');
    await expect(other.runAlone('lock', () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await one.runAlone('lock', async () => 'again')).toBe('again');
  });

  test('asks for a credential again where it got none', async () => {
    let asked = 0;
    const settings = { endpoint: 'https://pictures.invalid', container: 'pictures', calendar: 'a calendar' };
    const store = openPictureStore({ connectionString: '', ...settings }, () => {
      asked += 1;
      return Promise.reject(new Error(`No token ${asked}`));
    });
    for (const answer of ['No token 1', 'No token 2']) await expect(store.read('a')).rejects.toThrow(answer);
  });

  test('says why it cannot be used', async () => {
    const wrongKey = localBlobs().replace(/AccountKey=[^;]+/, 'AccountKey=d3Jvbmc=');
    await expect(open(wrongKey).read('a')).rejects.toMatchObject({ code: 'pictures-access' });
    const nowhere = localBlobs().replace(
      /BlobEndpoint=http:\/\/127\.0\.0\.1:\d+/,
      'BlobEndpoint=http://127.0.0.1:1',
    );
    await expect(open(nowhere).read('a')).rejects.toMatchObject({
      code: 'pictures-unavailable',
      retryAfter: 2,
    });
    const snapshots = (connectionString: string) =>
      openBlobStore(
        { connectionString, endpoint: '', container: 'pictures', folder: 'a', contents: 'snapshots' },
        () => Promise.reject(new Error('No credential is asked for.')),
      );
    await expect(snapshots(wrongKey).read('a')).rejects.toMatchObject({
      code: 'blobs-access',
      message: expect.stringMatching(/^Cannot use the snapshots in/),
    });
    await expect(snapshots(nowhere).read('a')).rejects.toMatchObject({ code: 'blobs-unavailable' });
    await expect(open('').read('a')).rejects.toMatchObject({
      code: 'configuration',
      facts: { setting: 'CALENDAR_BLOB_ENDPOINT' },
    });
  });
});
