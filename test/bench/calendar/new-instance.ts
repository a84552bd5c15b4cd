/** How long the first caller of a new instance waits: from the start of the host to the first list, with a snapshot of the calendar. */

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogSettings } from '../../../functions/calendar/log/log.ts';
import { AzureTable } from '../../../functions/calendar/log/table.ts';
import { type StorageEmulator, startBlobs } from '../../../local/index.ts';
import { openTestLog, snapshotsOf } from '../../support/calendar-log.ts';
import { type BenchmarkRow, comparison, inTurn } from '../benchmark.ts';
import { isSmoke, largeCalendar, paced } from '../pace.ts';
import { fillCalendar, firstTotal, startOn } from './app-with-events.ts';

/** What a hamlet, a town and a region have. */
const sizes = isSmoke ? [100, 200, largeCalendar] : [1_000, 10_000, largeCalendar];
/** Where snapshots lie beside the tables. */
const container = 'snapshots';

/** Measures instances of each size in turn. */
export async function newInstances(tables: StorageEmulator): Promise<BenchmarkRow[]> {
  const blobs = await startBlobs();
  try {
    const calendars = await Promise.all(
      sizes.map(async (events) => {
        const settings = await fillCalendar(tables, randomUUID(), events);
        await writeSnapshot(settings, blobs.connectionString);
        return { calendar: settings.calendar, events };
      }),
    );
    const more = {
      CALENDAR_BLOB_CONNECTION_STRING: blobs.connectionString,
      CALENDAR_BLOB_CONTAINER: container,
    };
    const [small = Number.NaN, town = Number.NaN, region = Number.NaN] = await inTurn(
      paced(5),
      calendars.map(({ calendar, events }) => async () => {
        const began = performance.now();
        const { host, list } = await startOn(tables, calendar, more);
        const total = await firstTotal(list);
        const took = performance.now() - began;
        await host.stop();
        if (total !== events) throw new Error(`Cannot measure: the list has ${total} events, not ${events}.`);
        return took;
      }),
    );
    const against = { name: 'the same with 1,000 events', value: small };
    return [
      comparison(nameOf(10_000), town, 'ms', against, 'at most 2'),
      comparison(nameOf(100_000), region, 'ms', against, ''),
    ];
  } finally {
    await blobs.stop();
  }
}

const nameOf = (events: number) =>
  `first reply of a new instance, its start and a snapshot included, ${events.toLocaleString('en')} events`;

/** Writes the snapshot of a calendar, and waits until the head names it. */
export async function writeSnapshot(settings: LogSettings, blobs: string): Promise<void> {
  const table = new AzureTable(settings, undefined, 10_000);
  const log = openTestLog(settings, { budget: 120_000, snapshots: snapshotsOf(settings, blobs, 1) });
  await log.read();
  while ((await table.head()).snapshot === undefined) await nextTurn();
  log.close();
  table.close();
}
