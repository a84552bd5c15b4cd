/** The calendar: lists of 10,000 events against a constant reply of the same size, and the load of a cold instance. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedSettings } from '../../local/defaults.ts';
import { type FunctionsHost, startFunctionsHost } from '../../local/functions-host/start.ts';
import { startTables, type Tables } from '../../local/tables/start-tables.ts';
import { writeManyEvents } from '../support/many-events.ts';
import { type Benchmark, type BenchmarkRow, comparison, inTurn } from './benchmark.ts';
import { startConstantApp } from './constant-app.ts';
import { throughputs } from './throughput.ts';

const app = join(import.meta.dirname, '..', '..');

export const calendar: Benchmark = async () => {
  const tables = await startTables();
  try {
    return [
      ...(await lists(tables)),
      ...(await freshQuestions(tables, 10_000)),
      ...(await freshQuestions(tables, 100_000)),
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
  return { host, list: `${host.url}/api/tribe/events/v1/events` };
}

async function lists(tables: Tables): Promise<BenchmarkRow[]> {
  const { host, list } = await startWith(tables, 10_000);
  const constant = await startConstantApp();
  try {
    const bytes = (await (await fetch(list)).arrayBuffer()).byteLength;
    const searched = { name: 'the default list', value: 0 };
    const [usual = 0, same = 0, search = 0, category = 0] = await throughputs([
      { url: list },
      { url: `${constant.url}/api/constant/${bytes}` },
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
    ];
  } finally {
    await Promise.all([host.stop(), constant.stop()]);
  }
}

/** Questions that are never repeated, by the processor time of the app's process for each, beside the kept list of as many events. */
async function freshQuestions(tables: Tables, events: number): Promise<BenchmarkRow[]> {
  const { host, list } = await startWith(tables, events);
  const { pid } = host.process;
  if (process.platform !== 'linux' || pid === undefined) return host.stop().then(() => []);
  const date = (index: number) => new Date(Date.now() + index * 60_000).toISOString().slice(0, 19);
  const feed = `${list}.ics`;
  const kinds = [
    [() => list, 'the default list, kept'],
    [() => `${list}?per_page=50`, 'the list of 50, kept'],
    [(index: number) => `${list}?start_date=${date(index)}`, 'a list that was not asked before'],
    [(index: number) => `${list}?search=many+${1000 + index}`, 'a search that was not asked before'],
    [
      (index: number) => `${list}?search=${index % 977}+welcome&per_page=50&start_date=${date(index)}`,
      'a search of 50 that was not asked before',
    ],
    [() => feed, 'the feed of 1,000, kept'],
  ] as const;
  try {
    await firstTotal(list);
    const { etag = '' } = Object.fromEntries((await fetch(feed)).headers);
    let asked = 0;
    const cpuOf = async (urlOf: (index: number) => string, headers = {}) => {
      const before = processorTime(pid);
      for (let request = 0; request < perRound; request += 1) {
        asked += 1;
        await (await fetch(urlOf(asked), { headers })).arrayBuffer();
      }
      return (processorTime(pid) - before) / perRound;
    };
    const measurements = [
      ...kinds.map(
        ([urlOf]) =>
          () =>
            cpuOf(urlOf),
      ),
      () => cpuOf(() => feed, { 'If-None-Match': etag }),
    ];
    const values = await inTurn(rounds, measurements);
    const names = [...kinds.map(([, name]) => name), 'the 304 of the feed'];
    const against = values[0] ?? Number.NaN;
    const rows = names.map((name, index) =>
      comparison(
        `${name}, ${events.toLocaleString('en')} events`,
        values[index] ?? Number.NaN,
        'ms of CPU',
        { name: 'the default list, kept', value: against },
        targets[index] ?? '',
      ),
    );
    return [
      ...rows,
      ...memoryOf(host, `memory after ${asked} questions that differ, ${events.toLocaleString('en')} events`),
    ];
  } finally {
    await host.stop();
  }
}

const perRound = 200;
const rounds = 7;
const targets = ['', '', 'at most 1.5', 'at most 1.5', '', 'at most 3', 'at most 1'];

/** Milliseconds for which a process has had a processor, where the system tells it (Linux: in ticks of 10 ms). */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
