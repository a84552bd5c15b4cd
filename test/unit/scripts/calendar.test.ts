import { randomUUID } from 'node:crypto';
import { TableServiceClient } from '@azure/data-tables';
import { describe, expect, test } from 'vitest';
import { backup } from '../../../scripts/calendar/backup.ts';
import { noteBackup, prune } from '../../../scripts/calendar/catalogue.ts';
import { openPlace, type Place } from '../../../scripts/calendar/place.ts';
import { restore } from '../../../scripts/calendar/restore.ts';
import { contents, newCalendar, openTestLog, put, remove } from '../../support/calendar-log.ts';
import { connectionStringOfTables } from '../../support/shared-emulators.ts';

/** A calendar of its own, as a log and as a place. */
async function calendar() {
  const settings = newCalendar(connectionStringOfTables());
  return { settings, place: await placeFor(settings.tableName, settings.calendar) };
}

const placeFor = (table: string, name: string) => openPlace(`${connectionStringOfTables()}#${table}/${name}`);
const backupPlace = () => placeFor('backups', randomUUID());

/** What a process that starts now sees. */
async function seen(settings: ReturnType<typeof newCalendar>) {
  const log = openTestLog(settings);
  await log.read();
  return contents(log.replica);
}

describe('a backup of a calendar', () => {
  test('can be restored, to the version, and written to again', async () => {
    const { settings, place } = await calendar();
    const log = openTestLog(settings);
    for (let id = 0; id < 130; id += 1) await put(log, `post/${id}`, { id, text: 'ö\u2028"' });
    await put(log, 'post/3', { id: 3, text: 'x'.repeat(100_000) });
    await remove(log, 'post/4');
    const before = await seen(settings);

    const backupUrl = await backupPlace();
    const copied = await backup(place, backupUrl);
    expect(copied).toEqual({ rows: 130, version: 132 });
    await put(log, 'post/5', { id: 5, text: 'after the backup' });

    const other = await calendar();
    expect(await restore(backupUrl, other.place)).toEqual({ rows: 130, version: 132 });
    expect(await seen(other.settings)).toEqual(before);
    const again = openTestLog(other.settings);
    await put(again, 'post/1', { id: 1 });
    expect((await seen(other.settings))['post/1']).toEqual({ id: 1 });
  });

  test('made while others write is the state at its version', async () => {
    const { settings, place } = await calendar();
    const log = openTestLog(settings);
    for (let id = 0; id < 20; id += 1) await put(log, `post/${id}`, { id, turn: 0 });
    // Two records always change together, and a third is written before the scan has ended.
    const states: unknown[] = [];
    const change = async (turn: number) => {
      const json = JSON.stringify({ turn });
      const puts = ['post/1', 'post/2', `post/new-${turn}`].map((key) => ({ key, json }));
      await log.write(() => ({ puts, deletes: [], result: undefined }));
      states.push(await seen(settings));
    };
    const busy: Place = {
      ...place,
      async *rows(after, upTo) {
        let count = 0;
        for await (const row of place.rows(after, upTo)) {
          count += 1;
          if (count === 3 || count === 10) await change(count);
          yield row;
        }
      },
    };
    states.push(await seen(settings));
    const backupUrl = await backupPlace();
    await backup(busy, backupUrl);
    await change(99);
    const other = await calendar();
    await restore(backupUrl, other.place);
    expect(states).toContainEqual(await seen(other.settings));
  });

  test('takes the place of an older one, and leaves nothing of it', async () => {
    const { settings, place } = await calendar();
    const log = openTestLog(settings);
    await put(log, 'post/1', { id: 1 });
    await put(log, 'post/2', { id: 2 });
    const backupUrl = await backupPlace();
    await backup(place, backupUrl);
    await put(log, 'post/1', { id: 1, changed: true });
    expect(await backup(place, backupUrl)).toEqual({ rows: 2, version: 3 });
    const other = await calendar();
    await restore(backupUrl, other.place);
    expect(await seen(other.settings)).toEqual(await seen(settings));
  });
});

describe('a restore', () => {
  test('is refused over a calendar that is there', async () => {
    const { settings, place } = await calendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const backupUrl = await backupPlace();
    await backup(place, backupUrl);
    await expect(restore(backupUrl, place)).rejects.toThrow('There is a calendar in');
  });

  test('shows nothing before the head is there, and can be run again', async () => {
    const { settings, place } = await calendar();
    await put(openTestLog(settings), 'post/1', { id: 1 });
    const backupUrl = await backupPlace();
    await backup(place, backupUrl);
    const other = await calendar();
    const cut: Place = {
      ...other.place,
      async write(rows) {
        if (rows.some(({ rowKey }) => rowKey === 'head')) throw new Error('cut short');
        await other.place.write(rows);
      },
    };
    await expect(restore(backupUrl, cut)).rejects.toThrow('cut short');
    expect(await other.place.head()).toBeUndefined();
    expect(await restore(backupUrl, other.place)).toEqual({ rows: 1, version: 1 });
  });

  test('of half a backup is refused', async () => {
    const { place } = await calendar();
    await expect(restore(await backupPlace(), place)).rejects.toThrow(/no whole backup|TableNotFound/);
  });
});

test.each(['', 'calendar', 'https://x.table.core.windows.net/', 'https://x.table.core.windows.net/calendar'])(
  'openPlace() refuses "%s"',
  async (text) => {
    await expect(openPlace(text)).rejects.toThrow('is no place');
  },
);

describe('old backups', () => {
  const service = () =>
    TableServiceClient.fromConnectionString(connectionStringOfTables(), { allowInsecureConnection: true });
  /** Days of a year that no other test uses, of which backups are there. */
  async function days(year: number): Promise<string[]> {
    const found: string[] = [];
    for await (const { name = '' } of service().listTables())
      if (name.startsWith(`backup${year}`)) found.push(name.slice(-4));
    return found.sort();
  }
  const year = 1900 + (process.pid % 99);
  const name = randomUUID();
  const placeOf = (day: string) => `${connectionStringOfTables()}#backup${year}${day}/${name}`;

  test('are removed when there are enough whole ones that are newer; what is not whole is none of them', async () => {
    const whole = ['0101', '0102', '0104', '0105'];
    for (const day of whole) await noteBackup(placeOf(day), { rows: 1, version: 1 });
    for (const day of [...whole, '0103', '0106']) await service().createTable(`backup${year}${day}`);
    expect(await prune(placeOf('0106'), 5)).toEqual([]);
    expect(await prune(placeOf('0106'), 2)).toEqual([
      `backup${year}0101`,
      `backup${year}0102`,
      `backup${year}0103`,
    ]);
    expect(await days(year)).toEqual(['0104', '0105', '0106']);
    expect(await prune(placeOf('0106'), 2)).toEqual([]);
  });
});
