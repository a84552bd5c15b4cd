/** A process with several instances of a calendar, each with its own log and replica, which does as its parent says (`calendar-instances.ts`). */

import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../functions/calendar/log/log.ts';
import { openLog } from '../../../functions/calendar/log/open-log.ts';
import type { CalendarRequest } from '../../../functions/calendar/model/calendar-context.ts';
import type { Role } from '../../../functions/calendar/model/rights.ts';
import { siteOf } from '../../../functions/calendar/model/site.ts';
import { Calendar } from '../../../functions/calendar/operations/calendar.ts';
import { isCodedError } from '../../../shared/errors.ts';
import { snapshotsOf } from '../../support/calendar-log.ts';
import type { Loaded, Order, Served, ServeOrder } from './calendar-instances.ts';

/** Milliseconds between two writes. */
const writeInterval = 1_000;

/** An instance, and which versions its reads have shown. */
interface Instance {
  readonly calendar: Calendar;
  /** When the last read began that showed a version, in milliseconds on the clock of the machine, by version. */
  readonly lastShown: Map<number, number>;
}

let instances: readonly Instance[] = [];

process.on('message', async (order: Order) => {
  try {
    process.send?.(await follow(order));
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.stack : String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function follow(order: Order): Promise<Loaded | Served> {
  if (order.kind === 'load') return load(order);
  const [served, acknowledged] = await Promise.all([
    Promise.all(instances.map((instance) => readFor(instance, order))),
    order.writes ? writeFor(order.seconds) : [],
  ]);
  return {
    reads: served.reduce((sum, { reads }) => sum + reads, 0),
    stale: served.reduce((sum, { stale }) => sum + stale, 0),
    refused: served.reduce((sum, { refused }) => sum + refused, 0),
    acknowledged,
    shown: instances.map(({ lastShown }) => [...lastShown]),
  };
}

/** Opens new instances in place of those before, and waits until all have answered. */
async function load(order: Order & { readonly kind: 'load' }): Promise<Loaded> {
  for (const { calendar } of instances) calendar.close();
  instances = Array.from({ length: order.instances }, () => open(order));
  const refused = await Promise.all(instances.map(untilLoaded));
  return { refused: refused.reduce((sum, count) => sum + count, 0) };
}

function open({ settings, blobs, staleness }: Order & { readonly kind: 'load' }): Instance {
  const lastShown = new Map<number, number>();
  const snapshots = blobs === undefined ? undefined : snapshotsOf(settings, blobs, Number.MAX_SAFE_INTEGER);
  const calendar = new Calendar({
    site: siteOf('https://calendar.example.org', 'UTC'),
    readStalenessMs: staleness,
    openLog: (replica) => noting(openLog(settings, { replica, snapshots }), lastShown),
  });
  return { calendar, lastShown };
}

/** Notes the version that each read is answered from: a calendar answers from the state that its log has found. */
function noting(log: Log, lastShown: Map<number, number>): Log {
  return {
    ...log,
    async read(maxAgeMs) {
      const startedAt = now();
      const freshness = await log.read(maxAgeMs);
      lastShown.set(freshness.version, startedAt);
      return freshness;
    },
  };
}

/** Asks until the calendar answers, as callers do, and returns how often it was 503. */
async function untilLoaded({ calendar }: Instance): Promise<number> {
  for (let refused = 0; ; refused += 1) if ((await list(calendar)) !== undefined) return refused;
}

/** Returns the first list and how fresh it is; undefined where it is refused. */
async function list(calendar: Calendar) {
  try {
    return await calendar.list('event', request('reader', {}));
  } catch (error) {
    if (isCodedError(error, 'calendar-unavailable') || isCodedError(error, 'overloaded')) return undefined;
    throw error;
  }
}

/** Reads every few milliseconds, whether the reads before have been answered or not. */
async function readFor({ calendar }: Instance, { seconds, readsPerSecond }: ServeOrder) {
  const end = performance.now() + seconds * 1_000;
  const counts = { reads: 0, stale: 0, refused: 0 };
  const pending = new Set<Promise<void>>();
  for (let next = performance.now(); next < end; next += 1_000 / readsPerSecond) {
    await delay(Math.max(0, next - performance.now()));
    const read = readOnce(calendar, counts).finally(() => pending.delete(read));
    pending.add(read);
  }
  await Promise.all(pending);
  return counts;
}

async function readOnce(
  calendar: Calendar,
  counts: { reads: number; stale: number; refused: number },
): Promise<void> {
  const reply = await list(calendar);
  if (reply === undefined) counts.refused += 1;
  else counts.reads += 1;
  if (reply?.freshness.stale) counts.stale += 1;
}

/** Writes again and again through the first instance, and returns when each version was acknowledged. */
async function writeFor(seconds: number): Promise<(readonly [version: number, at: number])[]> {
  const [writer] = instances;
  if (writer === undefined) throw new TypeError('No instance is open');
  const acknowledged: (readonly [number, number])[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await writer.calendar.create('category', request('author', { name: `Category of ${now()}` }));
    acknowledged.push([writer.calendar.progress().version, now()]);
    await delay(writeInterval);
  }
  return acknowledged;
}

function request(role: Role, parameters: Readonly<Record<string, string>>): CalendarRequest {
  const caller = { role, subject: 'bench' };
  return { caller, parameters, root: 'https://calendar.example.org', language: undefined };
}

/** Milliseconds on a clock that the processes of this machine share. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
