/** Snapshots of the log in the blob storage: what a cold process makes of a good one, and of any that is not. */

import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { TableClient } from '@azure/data-tables';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { BlobStore } from '../../functions/calendar/blobs/blob-store.ts';
import type { Log, LogSettings, SnapshotOptions } from '../../functions/calendar/log/log.ts';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import { entityToHead, type Head } from '../../functions/calendar/log/rows.ts';
import {
  contents,
  create,
  type MapReplica,
  mapReplica,
  newCalendar,
  openTestLog,
  put,
  remove,
  snapshotsOf,
} from '../support/calendar-log.ts';
import { eventSizedRecord, fillCalendar } from '../support/fill-calendar.ts';
import { type FaultProxy, startFaultProxy } from '../support/http-fault-proxy.ts';
import { localBlobs, localTables } from '../support/shared-emulators.ts';
import { useStillClock } from '../support/timers.ts';

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy(inject('tablesPort'));
});
afterAll(() => proxy.stop());

function tableOf({ connectionString, tableName }: LogSettings): TableClient {
  return TableClient.fromConnectionString(connectionString, tableName, { allowInsecureConnection: true });
}

async function headOf(settings: LogSettings): Promise<Head> {
  return entityToHead(await tableOf(settings).getEntity(settings.calendar, 'head'));
}

/** A calendar with a snapshot, and some changes since: one that is in it changed, one deleted, one is new. */
async function withSnapshot() {
  const settings = newCalendar(localTables());
  const snapshots = snapshotsOf(settings, localBlobs(), 4);
  const log = openTestLog(settings);
  for (const value of ['a', 'b', 'c', 'd']) await create(log, value);
  await remove(log, 'event/4');
  const snapshot = await snapshotOf(settings, snapshots);
  await put(log, 'event/1', 'changed');
  await remove(log, 'event/2');
  await create(log, 'new');
  return { settings, snapshots, log, store: snapshots.store, snapshot };
}

/** Reads a log in a process of its own, since one that writes may have made a snapshot in between, and waits until the head names one of this version. */
async function snapshotOf(settings: LogSettings, snapshots: SnapshotOptions) {
  const { version } = await openTestLog(settings, { snapshots }).read();
  await expect.poll(async () => (await headOf(settings)).snapshot?.version).toBe(version);
  const { snapshot } = await headOf(settings);
  if (snapshot === undefined) throw new TypeError('It was there.');
  return snapshot;
}

/** Loads a calendar in a cold process, behind the proxy. */
async function load(
  settings: LogSettings,
  { snapshots }: Pick<Awaited<ReturnType<typeof withSnapshot>>, 'snapshots'>,
) {
  proxy.asked.length = 0;
  const log = openTestLog({ ...settings, connectionString: proxy.connectionString }, { snapshots });
  const freshness = await log.read();
  return { log, freshness, asked: [...proxy.asked] };
}

async function* chunksOf(bytes: Buffer) {
  yield bytes;
}

async function bytesOf(store: BlobStore, blob: string): Promise<Buffer> {
  const bytes = await store.read(blob);
  if (bytes === undefined) throw new TypeError(`There is no blob ${blob}`);
  return bytes;
}

const present = { 'event/1': 'changed', 'event/3': 'c', 'event/5': 'new' };

describe('a cold process', () => {
  test('loads what the snapshot has from it, and what came since from the table', async () => {
    const all = await withSnapshot();
    const { log, freshness } = await load(all.settings, all);
    expect(freshness).toMatchObject({ version: 8, stale: false });
    expect(contents(log.replica)).toEqual(present);
    expect(contents(log.replica)).toEqual(contents(all.log.replica));
    // In the table are no rows of what changed since, and no row is read twice.
    expect(log.replica.versions).toEqual([1, 2, 3, 5, 6, 7, 8]);
    expect(log.progress()).toEqual({ version: 8, wanted: 8, records: 3, isWhole: true });
  });

  test('asks the table five times at most', async () => {
    const settings = newCalendar(localTables());
    const snapshots = snapshotsOf(settings, localBlobs(), 3_000);
    const log = openTestLog(settings);
    await fillCalendar(log, 6_000, eventSizedRecord);
    await snapshotOf(settings, snapshots);
    for (let index = 0; index < 29; index += 1) {
      const puts = Array.from({ length: 49 }, (_, record) => eventSizedRecord(49 * index + record));
      await log.write(() => ({ puts, deletes: [], result: undefined }));
    }
    const { log: cold, asked } = await load(settings, { snapshots });
    expect(asked).toEqual(['head', 'page', 'page', 'page']);
    expect(contents(cold.replica)).toEqual(contents(log.replica));
    await put(log, 'event/1', 'last');
    await cold.read();
    expect(contents(cold.replica)).toEqual(contents(log.replica));
  });

  test('writes the next snapshot from the last one and the rows since', async () => {
    const { settings, snapshots, log, snapshot } = await withSnapshot();
    await create(log, 'newer');
    const next = await snapshotOf(settings, snapshots);
    expect(next.blob).not.toBe(snapshot.blob);
    const cold = await load(settings, { snapshots });
    expect(contents(cold.log.replica)).toEqual({ ...present, 'event/6': 'newer' });
    expect(cold.log.replica.versions).toEqual([3, 5, 6, 7, 8, 9]);
  });

  test('writes on from a snapshot: no id is given twice, and nothing is lost', async () => {
    const all = await withSnapshot();
    const { log } = await load(all.settings, all);
    expect(await create(log, 'from a cold one')).toBe(6);
    await all.log.read();
    expect(contents(all.log.replica)).toEqual({ ...present, 'event/6': 'from a cold one' });
  });
});

test('a process that has found the calendar empty is not whole while it takes in a snapshot', async () => {
  const settings = newCalendar(localTables());
  const snapshots = snapshotsOf(settings, localBlobs(), 2_500);
  const replica = mapReplica();
  const wholeDuring: boolean[] = [];
  const spied: MapReplica = {
    ...replica,
    apply(changes) {
      wholeDuring.push(log.progress().isWhole);
      replica.apply(changes);
    },
  };
  const log: Log = openLog(settings, { replica: spied, snapshots });
  expect(await log.read()).toMatchObject({ version: 0 });
  const writer = openTestLog(settings);
  await fillCalendar(writer, 3_000, eventSizedRecord);
  await snapshotOf(settings, snapshots);
  const reads = Array.from({ length: 5 }, async () => {
    const { version } = await log.read();
    return [version, replica.records.size];
  });
  expect(new Set((await Promise.all(reads)).map(String))).toEqual(new Set(['3000,3000']));
  expect(wholeDuring.length).toBeGreaterThan(1);
  expect(wholeDuring).not.toContain(true);
});

describe('a snapshot is ignored, and all rows are read,', () => {
  type Case = Awaited<ReturnType<typeof withSnapshot>>;
  /** Has the head name other bytes, as what it says of them. */
  async function nameBytes(
    { settings, store, snapshot }: Case,
    bytes: Buffer,
    { version = snapshot.version, unpacked = snapshot.unpackedBytes } = {},
  ) {
    const blob = `${snapshot.blob}-forged`;
    await store.put(blob, chunksOf(bytes), 'application/gzip');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await name(settings, `${version} ${sha256} ${blob} ${bytes.length} ${unpacked}`);
  }
  const name = (settings: LogSettings, snapshot: string) =>
    tableOf(settings).updateEntity({ partitionKey: settings.calendar, rowKey: 'head', snapshot }, 'Merge');
  const original = ({ store, snapshot }: Case) => bytesOf(store, snapshot.blob);
  /** Replaces text in the header, of the same length. */
  const withHeader = async (all: Case, from: string, to: string) => {
    const text = gunzipSync(await original(all));
    const at = text.indexOf(from);
    expect(at).toBeGreaterThan(0);
    text.write(to, at);
    return gzipSync(text);
  };
  const replace = async ({ store, snapshot }: Case, bytes: Buffer) =>
    store.put(snapshot.blob, chunksOf(bytes), 'application/gzip');

  const cases: [what: string, spoil: (all: Case) => Promise<unknown>][] = [
    ['that is missing', ({ store, snapshot }) => store.delete(snapshot.blob)],
    ['that is empty', (all) => replace(all, Buffer.alloc(0))],
    ['that is cut', async (all) => replace(all, (await original(all)).subarray(0, -20))],
    [
      'whose bytes are others',
      async (all) => {
        const bytes = await original(all);
        bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
        await replace(all, bytes);
      },
    ],
    [
      'that is whole, and another one than the log names',
      async (all) => {
        const text = gunzipSync(await original(all));
        text.write('X', text.indexOf('"a"') + 1);
        await replace(all, gzipSync(text));
      },
    ],
    ['of another format', async (all) => nameBytes(all, await withHeader(all, '"format":1', '"format":2'))],
    [
      'of another calendar',
      async (all) =>
        nameBytes(all, await withHeader(all, all.settings.calendar, all.settings.calendar.replace(/./, 'x'))),
    ],
    [
      'of another history',
      async (all) => {
        const { log } = await headOf(all.settings);
        await nameBytes(all, await withHeader(all, log, log.replace(/./, 'x')));
      },
    ],
    ['of a version that the log has not', async (all) => nameBytes(all, await original(all), { version: 9 })],
    ['of another version than it says', async (all) => nameBytes(all, await original(all), { version: 3 })],
    ['that is no snapshot', (all) => nameBytes(all, Buffer.from('hello'))],
    [
      'that unpacks to more than the log says',
      async (all) => nameBytes(all, gzipSync(Buffer.alloc(100 * 2 ** 20)), { unpacked: 1_000 }),
    ],
    [
      'that has more bytes than the log says',
      async (all) => replace(all, Buffer.concat([await original(all), Buffer.alloc(10 * 2 ** 20)])),
    ],
    ['of which the head says nonsense', ({ settings }) => name(settings, 'hello')],
    [
      'that an earlier version has named, without its sizes',
      ({ settings, snapshot: { version, sha256, blob } }) => name(settings, `${version} ${sha256} ${blob}`),
    ],
  ];
  test.each(cases)('%s', async (_what, spoil) => {
    const all = await withSnapshot();
    await spoil(all);
    const { log, freshness } = await load(all.settings, all);
    expect(freshness).toMatchObject({ version: 8, stale: false });
    expect(contents(log.replica)).toEqual(present);
    expect(log.replica.versions).toEqual([3, 5, 6, 7, 8]);
    // The next one is whole again, though this one cannot be gone on from.
    const other = openTestLog(all.settings, { snapshots: { ...all.snapshots, after: 1 } });
    await create(other, 'next');
    await expect
      .poll(async () => {
        await other.read();
        return (await headOf(all.settings)).snapshot?.version;
      })
      .toBe(9);
    const again = await load(all.settings, all);
    expect(contents(again.log.replica)).toEqual({ ...present, 'event/6': 'next' });
  });

  test('and replaced at once, though nothing has changed since', async () => {
    const all = await withSnapshot();
    await replace(all, Buffer.from('damaged'));
    const { log } = await load(all.settings, { snapshots: { ...all.snapshots, after: 2_000 } });
    await expect
      .poll(async () => {
        await log.read();
        return (await headOf(all.settings)).snapshot?.blob;
      })
      .not.toBe(all.snapshot.blob);
    const again = await load(all.settings, all);
    expect([contents(again.log.replica), again.log.replica.versions.length]).toEqual([present, 5]);
    expect(again.asked).not.toContain('other');
  });

  test('while the blob storage cannot be reached', async () => {
    const all = await withSnapshot();
    const nobody = localBlobs().replaceAll(String(inject('blobsPort')), '1');
    const { log, freshness } = await load(all.settings, { snapshots: snapshotsOf(all.settings, nobody, 4) });
    expect(freshness).toMatchObject({ version: 8, stale: false });
    expect(contents(log.replica)).toEqual(present);
    expect(await create(log, 'without blobs')).toBe(6);
  });
});

describe('of a table that was copied, or put back', () => {
  /** Copies all rows to another table, as a tool does that knows nothing of them. */
  async function copy(settings: LogSettings): Promise<LogSettings> {
    const copied = { ...settings, tableName: `copy${Date.now()}${Math.floor(Math.random() * 1e6)}` };
    const to = tableOf(copied);
    await to.createTable();
    for await (const entity of tableOf(settings).listEntities()) {
      if (entity.partitionKey !== settings.calendar) continue;
      const { etag: _etag, timestamp: _time, ...row } = entity;
      await to.createEntity(row as { partitionKey: string; rowKey: string });
    }
    return copied;
  }

  test('no history is met with the snapshot of the other, though both go on under one name', async () => {
    const { settings, snapshots, log } = await withSnapshot();
    const copied = await copy(settings);
    const elsewhere = openTestLog(copied);
    for (const value of ['x', 'y', 'z', 'x', 'y']) await put(elsewhere, 'event/3', value);
    await create(log, 'here');
    await create(log, 'here too');
    // A snapshot of the first history, of a version that the other has gone beyond.
    await snapshotOf(settings, snapshots);
    const [here, there] = [await load(settings, { snapshots }), await load(copied, { snapshots })];
    expect(contents(here.log.replica)).toEqual({ ...present, 'event/6': 'here', 'event/7': 'here too' });
    expect(contents(there.log.replica)).toEqual({ ...present, 'event/3': 'y' });
  });
});

test('snapshots that are no longer named are removed, but the last one and those of other tables', async () => {
  const { settings, snapshots, store, snapshot, log } = await withSnapshot();
  const hour = 60 * 60_000;
  /** The store as it is in some hours. */
  const aged = (hours: number): BlobStore => ({
    ...store,
    async *list() {
      for await (const { name, changed } of store.list()) yield { name, changed: changed - hours * hour };
    },
  });
  const { log: history } = await headOf(settings);
  const put = (name: string) => store.put(name, chunksOf(Buffer.from('old')), 'application/gzip');
  for (const name of [`${history}/3-left-behind`, 'another/7-live']) await put(name);
  const names = async () => {
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    return found.sort();
  };
  await create(log, 'next');
  const second = await snapshotOf(settings, { ...snapshots, store: aged(1) });
  await expect.poll(names).toEqual(['another/7-live', snapshot.blob, second.blob, 'lock'].sort());
  for (const value of ['1', '2', '3', '4']) await create(log, value);
  const third = await snapshotOf(settings, { ...snapshots, store: aged(800 * 24) });
  await expect.poll(names).toEqual(['another/7-live', second.blob, third.blob, 'lock'].sort());
});

test('a snapshot that cannot be written is not tried again for ten seconds, however often the log is read', async () => {
  useStillClock();
  const settings = newCalendar(localTables());
  const snapshots = snapshotsOf(settings, localBlobs(), 1);
  let attempts = 0;
  const store: BlobStore = {
    ...snapshots.store,
    runAlone() {
      attempts += 1;
      return Promise.reject(new Error('The blob storage is away.'));
    },
  };
  const log = openTestLog(settings, { snapshots: { ...snapshots, store } });
  await create(log, 'one');
  const read = async () => {
    for (let count = 0; count < 5; count += 1) await log.read();
    return attempts;
  };
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(9_999);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await read()).toBe(2);
});
