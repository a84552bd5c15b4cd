/** Many instances of a calendar over one partition that is held to Azure's published rates: loads, reads, writes, and where it breaks. */

import { startBlobs, startTables } from '../../../local/index.ts';
import { newCalendar } from '../../support/calendar-log.ts';
import { writeManyEvents } from '../../support/many-events.ts';
import { type BenchmarkRow, comparison, reportRow } from '../benchmark.ts';
import { writeSnapshot } from '../calendar/new-instance.ts';
import { isSmoke, paced } from '../pace.ts';
import { type CalendarInstances, type LoadOrder, stalenessOf, startInstances } from './calendar-instances.ts';
import { type LimitedTables, published, startLimitedTables, type Traffic } from './limited-tables.ts';

const events = paced(10_000, 300);
const manyEvents = paced(100_000, 600);
const most = paced(32, 2);
const counts = isSmoke ? [1, most] : [1, 4, most];
/** Instances that are kept busy to see what each asks. */
const busy = paced(8, most);
const latencies = [2, 5];
/** Seconds for which instances are read. */
const seconds = paced(3, 0.2);
/** Milliseconds: the default of `CALENDAR_READ_STALENESS_MS`. */
const staleness = 100;
/** The part of the published rates at which so few instances show where it breaks: this machine does not serve a hundred. */
const scale = paced(10, 1_000);

/** A calendar in the local tables, and the snapshot of it. */
interface Place {
  readonly order: LoadOrder;
  readonly tables: LimitedTables;
  readonly instances: CalendarInstances;
}

/** Measures many instances of a calendar. */
export async function calendarRows(): Promise<readonly BenchmarkRow[]> {
  const emulator = await startTables();
  const blobs = await startBlobs();
  const tables = await startLimitedTables(emulator.port);
  const instances = await startInstances(most);
  const placeOf = async (count: number): Promise<Place> => {
    const settings = newCalendar(emulator.connectionString);
    await writeManyEvents(settings, count);
    await writeSnapshot(settings, blobs.connectionString);
    const behindProxy = { ...settings, connectionString: tables.connectionString };
    return { order: { settings: behindProxy, blobs: blobs.connectionString, staleness }, tables, instances };
  };
  try {
    const place = await placeOf(events);
    const rows = [
      ...(await loadRows(place)),
      ...(await servingRows(place)),
      ...(await busyRows(place)),
      await breakingRow(place),
    ];
    const many = await placeOf(manyEvents);
    return [...rows, await loadRow(many, manyEvents, 8, 2, true)];
  } finally {
    instances.stop();
    await tables.stop();
    await blobs.stop();
    await emulator.stop();
  }
}

async function loadRows(place: Place): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const count of counts.slice(0, 2)) rows.push(await loadRow(place, events, count, 2, false));
  for (const latency of latencies)
    for (const count of counts) rows.push(await loadRow(place, events, count, latency, true));
  return rows;
}

async function loadRow(
  { order, tables, instances }: Place,
  count: number,
  loading: number,
  latency: number,
  hasSnapshot: boolean,
): Promise<BenchmarkRow> {
  tables.limitTo({ ...published, latency });
  tables.takeTraffic();
  const loaded = await instances.load(loading, hasSnapshot ? order : { ...order, blobs: undefined });
  return reportRow({
    name: `until ${named(loading)} ${loading === 1 ? 'has' : 'have all'} loaded ${count.toLocaleString('en')} events ${hasSnapshot ? 'from a snapshot' : 'from the table'}, ${latency} ms`,
    value: loaded.seconds,
    unit: 's',
    details: `${describe(tables.takeTraffic())}; callers refused meanwhile: ${loaded.refused}`,
  });
}

/** Reads of readers by several numbers of instances, without writes and with some. */
async function servingRows(place: Place): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const latency of latencies)
    for (const count of counts) {
      await loadInstances(place, count, { latency });
      rows.push(await servingRow(place, count, latency));
    }
  return rows;
}

async function servingRow(place: Place, count: number, latency: number): Promise<BenchmarkRow> {
  const { served, traffic, took } = await serve(place, true, 50);
  return reportRow({
    name: `reads of ${named(count)}, one of which writes once a second, ${latency} ms`,
    value: served.reads / took,
    unit: 'reads/s',
    details: `${describe(traffic, took)}; ${served.acknowledged.length} writes; a read showed what was true up to ${stalenessOf(served).toFixed(0)} ms before it; stale: ${served.stale}, refused: ${served.refused}`,
  });
}

/** What a hundred busy instances ask of a partition, computed from as many as this machine keeps busy. */
async function busyRows(place: Place): Promise<BenchmarkRow[]> {
  const perInstance = async (writes: boolean) => {
    const rates: number[] = [];
    for (let round = 0; round < paced(3); round += 1) {
      const { traffic, took } = await serve(place, writes, 100);
      rates.push(traffic.requests / took / busy);
    }
    // A machine that is short of processors makes it less, and never more.
    return Math.max(...rates);
  };
  await loadInstances(place, busy);
  const reading = await perInstance(false);
  const writing = await perInstance(true);
  await loadInstances(place, busy, { staleness: 0 });
  const unshared = await perInstance(false);
  const against = { name: 'its published target', value: published.requests };
  return [
    reportRow({
      ...comparison(
        'requests to a partition of 100 busy instances',
        100 * reading,
        'requests/s',
        against,
        'at most 0.5',
      ),
      details: `a hundred times what each of ${busy} took with 100 reads a second; where one of them writes once a second: ${(100 * writing).toFixed(0)}`,
    }),
    reportRow({
      name: 'busy instances of an account, each calendar in a partition of its own',
      value: published.accountRequests / reading,
      unit: 'instances',
      details: `computed from the row above: an account serves ${published.accountRequests.toLocaleString('en')} requests a second`,
    }),
    reportRow({
      name: 'requests to a partition of an instance whose reads share nothing (CALENDAR_READ_STALENESS_MS=0)',
      value: unshared,
      unit: 'requests/s',
      details: `with 100 reads a second; a partition serves ${(published.requests / unshared).toFixed(0)} such instances`,
    }),
  ];
}

/** Adds instances to a partition that is held to a part of the published rates, until it refuses some requests. */
async function breakingRow(place: Place): Promise<BenchmarkRow> {
  const seen: string[] = [];
  let breaksAt = Number.POSITIVE_INFINITY;
  for (let count = paced(16, most); count <= most; count += 4) {
    await loadInstances(place, count);
    place.tables.limitTo({
      requests: published.requests / scale,
      entities: published.entities / scale,
      latency: 2,
    });
    const { served, traffic, took } = await serve(place, false, 50);
    seen.push(
      `${count}: ${(traffic.requests / took).toFixed(0)} requests/s, ${traffic.refusals} refused, ${served.stale} of ${served.reads + served.refused} reads stale, ${served.refused} refused`,
    );
    if (traffic.refusals > 0) breaksAt = Math.min(breaksAt, count);
  }
  return reportRow({
    name: `instances at which a partition refuses requests, all at 1/${scale} of its published rate`,
    value: breaksAt,
    unit: 'instances',
    details: `${breaksAt === Number.POSITIVE_INFINITY ? 'none is refused, since this machine is too busy for so many; ' : ''}${seen.join('; ')}`,
  });
}

/** Opens instances and loads them without limits. */
async function loadInstances(
  { order, tables, instances }: Place,
  count: number,
  { latency = 2, ...other }: { readonly latency?: number; readonly staleness?: number } = {},
): Promise<void> {
  tables.limitTo({ requests: Number.POSITIVE_INFINITY, entities: Number.POSITIVE_INFINITY, latency: 0 });
  await instances.load(count, { ...order, ...other });
  tables.limitTo({ ...published, latency });
}

async function serve({ instances, tables }: Place, writes: boolean, readsPerSecond: number) {
  tables.takeTraffic();
  const startedAt = performance.now();
  const served = await instances.serve({ seconds, writes, readsPerSecond });
  if (served.reads === 0)
    throw new Error(`Cannot measure: no read is answered, ${served.refused} are refused.`);
  return { served, traffic: tables.takeTraffic(), took: (performance.now() - startedAt) / 1_000 };
}

function named(count: number): string {
  return count === 1 ? '1 instance' : `${count} instances`;
}

function describe({ requests, entities, refusals }: Traffic, took?: number): string {
  const asked = took === undefined ? `${requests} requests` : `${(requests / took).toFixed(0)} requests/s`;
  return `${asked} and ${entities.toLocaleString('en')} entities of the partition, which refused ${refusals}`;
}
