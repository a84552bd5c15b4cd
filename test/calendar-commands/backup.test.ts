/** Backups of calendars, and what is restored from them. */

import { randomUUID } from 'node:crypto';
import { BlobServiceClient } from '@azure/storage-blob';
import { describe, expect, test } from 'vitest';
import { backup } from '../../scripts/calendar/backup.ts';
import { type BackupFile, isBackupFile, openBackupFile } from '../../scripts/calendar/backup-file.ts';
import { openPlace, type Place, type Row, type Source } from '../../scripts/calendar/place.ts';
import { restore } from '../../scripts/calendar/restore.ts';
import { contents, newCalendar, openTestLog, put, remove, snapshotsOf } from '../support/calendar-log.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';

/** Creates a calendar. Returns its settings and its place. */
async function createCalendar() {
  const settings = newCalendar(connectionStringOfTables());
  return { settings, place: await placeFor(settings.tableName, settings.calendar) };
}

const placeFor = (table: string, name: string) => openPlace(`${connectionStringOfTables()}#${table}/${name}`);
const newBackup = () =>
  openBackupFile(`${localBlobs()}#backups-${randomUUID().slice(0, 8)}/my calendar/20260131T014300.jsonl`);

/** Returns the records that a new process reads. */
async function readRecords(settings: ReturnType<typeof newCalendar>) {
  const log = openTestLog(settings);
  await log.read();
  return contents(log.replica);
}

describe('a backup of a calendar', () => {
  test('can be restored, to the version, and written to again', async () => {
    const { settings, place } = await createCalendar();
    const log = openTestLog(settings);
    for (let id = 0; id < 130; id += 1) await put(log, `post/${id}`, { id, text: 'ö\u2028"' });
    await put(log, 'post/3', { id: 3, text: 'x'.repeat(100_000) });
    await remove(log, 'post/4');
    const original = await readRecords(settings);

    const saved = newBackup();
    const copied = await backup(place, saved);
    expect(copied).toEqual({ rows: 130, version: 132 });
    await put(log, 'post/5', { id: 5, text: 'after the backup' });

    const copy = await createCalendar();
    expect(await restore(saved, copy.place)).toEqual({ rows: 130, version: 132 });
    expect(await readRecords(copy.settings)).toEqual(original);
    const copyLog = openTestLog(copy.settings);
    await put(copyLog, 'post/1', { id: 1 });
    expect((await readRecords(copy.settings))['post/1']).toEqual({ id: 1 });
  });

  test('during writes is the state at its version', async () => {
    const { settings, place } = await createCalendar();
    const log = openTestLog(settings);
    for (let id = 0; id < 20; id += 1) await put(log, `post/${id}`, { id, turn: 0 });
    // Each change writes two records together and adds a third while the scan runs.
    const states: unknown[] = [];
    const change = async (turn: number) => {
      const json = JSON.stringify({ turn });
      const puts = ['post/1', 'post/2', `post/new-${turn}`].map((key) => ({ key, json }));
      await log.write(() => ({ puts, deletes: [], result: undefined }));
      states.push(await readRecords(settings));
    };
    const placeWithWrites: Place = {
      ...place,
      async *rows(after, upTo) {
        // Pages of three rows.
        let last = after;
        let count = 0;
        while (last !== '') {
          const page: Row[] = [];
          for await (const row of place.rows(last, upTo)) if (page.push(row) === 3) break;
          yield* page;
          last = page.at(-1)?.rowKey ?? '';
          count += 1;
          if (count === 1 || count === 3) await change(count);
        }
      },
    };
    states.push(await readRecords(settings));
    const saved = newBackup();
    const { rows } = await backup(placeWithWrites, saved);
    // A record that the scan has found twice counts once.
    const keys: string[] = [];
    for await (const { key } of saved.rows('v|', 'v|~')) keys.push(String(key));
    expect([keys.length, new Set(keys).size]).toEqual([rows, rows]);
    await change(99);
    const copy = await createCalendar();
    await restore(saved, copy.place);
    expect(states).toContainEqual(await readRecords(copy.settings));
  });

  test('names no snapshot, which may be newer than it, and neither does what is restored from it', async () => {
    const { settings, place } = await createCalendar();
    const snapshots = snapshotsOf(settings, localBlobs(), 3);
    const log = openTestLog(settings, { snapshots });
    for (const id of [1, 2, 3]) await put(log, `post/${id}`, { id });
    const saved = newBackup();
    await log.read();
    await expect.poll(async () => (await place.head())?.['snapshot']).toEqual(expect.stringMatching(/^3 /));
    await backup(place, saved);
    // An operator brings it back under the name of the calendar, beside the snapshots of what was lost.
    const restored = { ...settings, tableName: `t${randomUUID().replaceAll('-', '')}` };
    const to = await placeFor(restored.tableName, restored.calendar);
    await restore(saved, to);
    expect([await saved.head(), await to.head()].map((head) => head?.['snapshot'])).toEqual([
      undefined,
      undefined,
    ]);
    const copyLog = openTestLog(restored, { snapshots });
    for (const id of [4, 5, 6]) await put(copyLog, `post/${id}`, { id });
    await copyLog.read();
    await expect.poll(async () => (await to.head())?.['snapshot']).toEqual(expect.stringMatching(/^[4-6] /));
    const cold = openTestLog(restored, { snapshots });
    await cold.read();
    expect(contents(cold.replica)).toEqual(await readRecords(restored));
  });

  test('of a calendar that is replaced meanwhile, or that is interrupted, is rejected, and leaves nothing', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    let heads = 0;
    const replaced = async () => {
      heads += 1;
      return { ...(await place.head()), log: `history ${heads}` } as Awaited<ReturnType<Place['head']>>;
    };
    const interrupted: Place['rows'] = async function* (after, upTo) {
      yield* place.rows(after, upTo);
      throw new Error('interrupted');
    };
    for (const change of [{ head: replaced }, { rows: interrupted }]) {
      const saved = newBackup();
      await expect(backup({ ...place, ...change }, saved)).rejects.toThrow(/replaced meanwhile|interrupted/);
      expect(await saved.head()).toBeUndefined();
    }
    await expect(backup(await placeFor(settings.tableName, 'nobody'), newBackup())).rejects.toThrow(
      'There is no calendar in',
    );
    const saved = newBackup();
    await backup(place, saved);
    await expect(backup(place, saved)).rejects.toThrow('There is a backup');
  });
});

describe('a restore', () => {
  test('into an existing calendar is rejected', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = newBackup();
    await backup(place, saved);
    await expect(restore(saved, place)).rejects.toThrow('There is a calendar in');
  });

  test('is invisible before its head is written, and can be repeated', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = newBackup();
    await backup(place, saved);
    const copy = await createCalendar();
    const interruptedPlace: Place = {
      ...copy.place,
      insertHead: async () => {
        throw new Error('interrupted');
      },
    };
    await expect(restore(saved, interruptedPlace)).rejects.toThrow('interrupted');
    expect(await copy.place.head()).toBeUndefined();
    expect(await restore(saved, copy.place)).toEqual({ rows: 1, version: 1 });
  });

  test('does not mix with what another restore has left, or with what somebody writes meanwhile', async () => {
    const saved: BackupFile[] = [];
    for (const id of [1, 2]) {
      const { settings, place } = await createCalendar();
      await put(openTestLog(settings), `post/${id}`, { id });
      if (id === 2) await put(openTestLog(settings), 'post/3', { id: 3 });
      saved.push(newBackup());
      await backup(place, saved.at(-1) ?? newBackup());
    }
    const [one = newBackup(), two = newBackup()] = saved;
    const left = await createCalendar();
    const insertHead = async () => {
      throw new Error('interrupted');
    };
    await expect(restore(two, { ...left.place, insertHead })).rejects.toThrow('interrupted');
    await expect(restore(one, left.place)).rejects.toThrow('has 2 rows, of which 1 are of');
    expect(await left.place.head()).toBeUndefined();
    expect(await restore(two, left.place)).toEqual({ rows: 2, version: 2 });

    const inUse = await createCalendar();
    const busy: Place = {
      ...inUse.place,
      async insertHead(head) {
        await restore(one, inUse.place);
        return inUse.place.insertHead(head);
      },
    };
    await expect(restore(one, busy)).rejects.toThrow('Somebody has begun a calendar');
    await put(openTestLog(inUse.settings), 'post/4', { id: 4 });
    expect(await readRecords(inUse.settings)).toEqual({ 'post/1': { id: 1 }, 'post/4': { id: 4 } });
  });

  test('begins a new history, so that nobody mistakes its versions for those of the calendar that was lost', async () => {
    const { settings, place } = await createCalendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const saved = newBackup();
    await backup(place, saved);
    const copy = await createCalendar();
    await restore(saved, copy.place);
    const before = await place.head();
    const after = await copy.place.head();
    expect(after).toMatchObject({ version: before?.['version'], log: expect.stringMatching(/./) });
    expect(after?.['log']).not.toBe(before?.['log']);
  });

  test('can be made of another calendar, which must stay the same meanwhile', async () => {
    const { settings, place } = await createCalendar();
    const log = openTestLog(settings);
    await put(log, 'post/1', { id: 1 });
    const copy = await createCalendar();
    expect(await restore(place, copy.place)).toEqual({ rows: 1, version: 1 });
    expect(await readRecords(copy.settings)).toEqual(await readRecords(settings));
    const changing: Source = {
      ...place,
      async *rows(after, upTo) {
        yield* place.rows(after, upTo);
        await put(log, 'post/2', { id: 2 });
      },
    };
    const other = await createCalendar();
    await expect(restore(changing, other.place)).rejects.toThrow('was replaced meanwhile');
    expect(await other.place.head()).toBeUndefined();
  });

  test('of a backup that is missing, or lacks lines, is rejected, and leaves nothing visible', async () => {
    const { settings, place } = await createCalendar();
    const copy = await createCalendar();
    await expect(restore(newBackup(), copy.place)).rejects.toThrow('no complete backup');
    for (const id of [1, 2]) await put(openTestLog(settings), `post/${id}`, { id });
    const text = `${localBlobs()}#backups-${randomUUID().slice(0, 8)}/town/20260131T014300.jsonl`;
    await backup(place, openBackupFile(text));
    const [connection = '', path = ''] = text.split('#');
    const [container = '', ...name] = path.split('/');
    const blob = BlobServiceClient.fromConnectionString(connection)
      .getContainerClient(container)
      .getBlockBlobClient(name.join('/'));
    const lines = (await blob.downloadToBuffer()).toString().trimEnd().split('\n');
    for (const [kept, message] of [
      [lines.slice(0, -1), 'its last line is missing'],
      [lines.slice(1), 'it has 1 rows, and had 2'],
      [['{"row":{"rowKey"', ...lines], 'is damaged: see its line 1'],
      [['{"id":1,"title":"A line of an export"}'], 'is no backup'],
    ] as const) {
      const whole = `${kept.join('\n')}\n`;
      await blob.upload(whole, Buffer.byteLength(whole));
      await expect(restore(openBackupFile(text), copy.place)).rejects.toThrow(message);
      expect(await copy.place.head()).toBeUndefined();
    }
  });
});

test('openBackupFile() rejects what is a place or nothing', () => {
  for (const text of [
    '',
    'backups/default/20260131.jsonl',
    'https://x.blob.core.windows.net/backups/default/20260131',
    'https://x.table.core.windows.net/backup20260131/default.jsonl',
  ]) {
    expect(isBackupFile(text)).toBe(false);
    expect(() => openBackupFile(text)).toThrow('is no backup');
  }
  expect(isBackupFile('https://x.blob.core.windows.net/backups/default/20260131.jsonl')).toBe(true);
});

test.each(['', 'calendar', 'https://x.table.core.windows.net/', 'https://x.table.core.windows.net/calendar'])(
  'openPlace() rejects "%s"',
  async (text) => {
    await expect(openPlace(text)).rejects.toThrow('is no place');
  },
);
