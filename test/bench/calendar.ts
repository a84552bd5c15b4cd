/** The calendar: lists of 10,000 events against a constant reply of the same size, and the load of a cold instance. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedSettings } from '../../local/defaults.ts';
import { type FunctionsHost, startFunctionsHost } from '../../local/functions-host/start.ts';
import { startTables, type Tables } from '../../local/tables/start-tables.ts';
import { writeManyEvents } from '../support/many-events.ts';
import { type Benchmark, type BenchmarkRow, comparison, inTurn, median } from './benchmark.ts';
import { startConstantApp } from './constant-app.ts';
import { throughputs } from './throughput.ts';

const app = join(import.meta.dirname, '..', '..');

export const calendar: Benchmark = async () => {
  const tables = await startTables();
  try {
    return [
      ...(await lists(tables)),
      ...(await coldLoad(tables, 10_000)),
      ...(await coldLoad(tables, 100_000)),
    ];
  } finally {
    await tables.stop();
  }
};

/** Starts the app on a calendar with that many events. */
export async function startWith(
  tables: Tables,
  events: number,
): Promise<{ host: FunctionsHost; list: string }> {
  const calendar = randomUUID();
  const { connectionString } = tables;
  await writeManyEvents(
    { connectionString, endpoint: '', tableName: 'calendar', calendar, staleIfError: 300 },
    events,
  );
  const settings = {
    ...fixedSettings,
    DB_SERVER: 'localhost,1',
    AppRegistration__Authority: 'http://localhost:1/11111111-1111-4111-8111-111111111111/v2.0',
    CALENDAR_TABLE_CONNECTION_STRING: connectionString,
    CALENDAR_NAME: calendar,
  };
  const host = await startFunctionsHost({ app, port: 0, settings });
  return { host, list: `${host.address}/api/tribe/events/v1/events` };
}

async function lists(tables: Tables): Promise<BenchmarkRow[]> {
  const { host, list } = await startWith(tables, 10_000);
  const constant = await startConstantApp();
  try {
    const bytes = (await (await fetch(list)).arrayBuffer()).byteLength;
    const searched = { name: 'the default list', value: 0 };
    const [usual = 0, same = 0, search = 0, category = 0] = await throughputs([
      { url: list },
      { url: `${constant.address}/api/constant/${bytes}` },
      { url: `${list}?search=harbour+welcome` },
      { url: `${list}?categories=category-3` },
    ]);
    const against = { ...searched, value: usual };
    return [
      comparison(
        'event list, default query, 10,000 events, 32 connections',
        usual,
        'requests/s',
        { name: `a constant of ${bytes} bytes`, value: same },
        'at least 0.7',
      ),
      comparison('event list with search, 10,000 events', search, 'requests/s', against, 'at least 0.5'),
      comparison(
        'event list with a category, 10,000 events',
        category,
        'requests/s',
        against,
        'at least 0.5',
      ),
      await firstSearch(list),
    ];
  } finally {
    await Promise.all([host.stop(), constant.stop()]);
  }
}

/** Searches that were not asked before, one after the other, so that no result is ready. */
async function firstSearch(list: string): Promise<BenchmarkRow> {
  const milliseconds = async (url: string) => {
    const started = performance.now();
    await (await fetch(url)).arrayBuffer();
    return performance.now() - started;
  };
  const numbers = Array.from({ length: 60 }, (_, index) => 1000 + index * 37);
  const usual = await inTurn(60, [() => milliseconds(list)]);
  const first: number[] = [];
  for (const number of numbers) first.push(await milliseconds(`${list}?search=many+${number}`));
  return {
    name: 'a search that was not asked before, 10,000 events, one at a time',
    value: median(first),
    unit: 'ms',
    against: { name: 'the default list (ms)', value: usual[0] ?? Number.NaN },
  };
}

async function coldLoad(tables: Tables, events: number): Promise<BenchmarkRow[]> {
  const { host, list } = await startWith(tables, events);
  try {
    const started = performance.now();
    const total = await firstTotal(list);
    const value = performance.now() - started;
    if (total !== events) throw new Error(`Cannot measure: the list has ${total} events, not ${events}.`);
    const count = events.toLocaleString('en');
    // Freed memory goes back to the system a moment after the load; these requests are that moment.
    for (let request = 0; request < 50; request += 1) await (await fetch(list)).arrayBuffer();
    return [
      { name: `first reply of a cold instance, ${count} events`, value, unit: 'ms' },
      ...memoryOf(host, `memory after load, ${count} events`),
    ];
  } finally {
    await host.stop();
  }
}

/** Asks until the calendar is loaded: a request whose time budget is over is 503, while the load goes on. */
async function firstTotal(list: string): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const response = await fetch(list);
    const { total } = (await response.json()) as { total: number };
    if (response.status === 200) return total;
  }
  throw new Error('Cannot measure: the calendar does not load.');
}

/** Resident memory of the app's process, where the system tells it (Linux). */
function memoryOf({ process: { pid } }: FunctionsHost, name: string): BenchmarkRow[] {
  if (process.platform !== 'linux') return [];
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return [{ name, value: Number(kilobytes) / 1024, unit: 'MiB', target: 'under 400 MB' }];
}
