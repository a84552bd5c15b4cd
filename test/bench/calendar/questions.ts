/** Questions that are never repeated: what each costs the app's process, beside the kept list, and the memory that it takes after many of them. */

import concurrency from '../../../infra/concurrency.json' with { type: 'json' };
import type { StorageEmulator } from '../../../local/index.ts';
import { appProcessOf, memoryOf, processorTime } from '../app-process.ts';
import { type BenchmarkRow, comparison, inTurn } from '../benchmark.ts';
import { paced } from '../pace.ts';
import { startWith } from './app-with-events.ts';
import { coldLoad } from './cold-load.ts';

const together = 32;
const perRound = paced(320, 32);
const rounds = paced(9);
/** Questions of each kind before it is measured: until the compiler has done its best, as in a service that has run for a while. */
const warmUp = paced(1_500, 32);
/** Questions of the row for memory: what a client that asks thirty times a second asks in ten minutes. */
const forMemory = paced(18_000, 32);
/** Different questions of each kind: they begin a minute apart, in the first six weeks of the calendar, however many of them a machine asks. */
const questions = 60_000;

/** Megabytes of the instance that docs/reference.md recommends for calendars of these sizes. */
const instanceMemoryMB = 2048;
const { app: mostMemory } = concurrency.memoryTakenMB[instanceMemoryMB];
/** V8 lets the heap grow to half of the memory by default, which is more on this machine than on an instance. */
const heapOfInstance = { NODE_OPTIONS: `--max-old-space-size=${instanceMemoryMB / 2}` };

interface Kind {
  readonly name: string;
  readonly url: (index: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status of every reply. Default 200. */
  readonly status?: number;
  /** Name of the kind that it is compared with. */
  readonly against?: string;
  readonly maxRatio?: number;
  /** Set where nothing is asked for. */
  readonly isFree?: boolean;
}

const list10 = 'the default list, kept';
const list50 = 'the list of 50, kept';
const keptFeed = 'the feed of 1,000, kept';

function kindsOf(list: string, etag: string, events: number): Kind[] {
  // Those of the first six weeks are before the last question.
  const pages = Math.floor((0.9 * events) / 50);
  const feed = `${list}.ics`;
  const feedPages = Math.max(1, Math.min(9, Math.floor(events / 1_000) - 1));
  const began = Date.now();
  const date = (index: number) => new Date(began + index * 60_000).toISOString().slice(0, 19);
  const likeTen = { against: list10, maxRatio: 1.5 };
  const likeFifty = { against: list50, maxRatio: 1.5 };
  const fresh = (query: string) => (index: number) => `${list}?${query}&start_date=${date(index)}`;
  return [
    { name: list10, url: () => list },
    { name: list50, url: () => `${list}?per_page=50` },
    { name: 'a list', url: (index) => `${list}?start_date=${date(index)}`, ...likeTen },
    { name: 'a search for a rare word', url: (index) => `${list}?search=many+${1000 + index}`, ...likeTen },
    {
      name: 'a search of 50',
      url: (index) => fresh(`search=${index % 977}+welcome&per_page=50`)(index),
      ...likeFifty,
    },
    { name: 'a search of 50 for what all have', url: fresh('search=welcome&per_page=50'), ...likeFifty },
    {
      name: 'a list of 50 from all over',
      url: (index) => fresh(`per_page=50&page=${1 + ((37 * index) % pages)}`)(index),
      ...likeFifty,
    },
    { name: 'a list by title', url: fresh('orderby=title'), against: list10 },
    { name: keptFeed, url: () => feed, against: list10, maxRatio: 3 },
    {
      name: 'a feed of 1,000',
      url: (index) => `${feed}?start_date=${date(index)}&page=${1 + (index % feedPages)}`,
      against: keptFeed,
      isFree: true,
    },
    {
      name: 'the 304 of the feed',
      url: () => feed,
      headers: { 'If-None-Match': etag },
      status: 304,
      against: list10,
      maxRatio: 1,
    },
  ];
}

/** Measures the load of an instance that has just started, and then each kind in turn with the others. */
export async function freshQuestions(tables: StorageEmulator, events: number): Promise<BenchmarkRow[]> {
  if (process.platform !== 'linux') return [];
  const { host, list } = await startWith(tables, events, heapOfInstance);
  try {
    const pid = appProcessOf(host.process.pid);
    const load = await coldLoad(list, pid, events);
    const { etag = '' } = Object.fromEntries((await fetch(`${list}.ics`)).headers);
    await request(`${list}?search=first`);
    let asked = 0;
    const cpuOf = async ({ url, headers = {}, status = 200 }: Kind, times: number) => {
      const before = processorTime(pid);
      await inParallel(times, async () => {
        asked += 1;
        await request(url(asked % questions), [status], headers);
      });
      return (processorTime(pid) - before) / times;
    };
    const kinds = kindsOf(list, etag, events);
    for (const { url, headers = {}, status = 200 } of kinds)
      for (const index of [0, questions - 1]) await request(url(index), [status], headers);
    for (const kind of kinds) await cpuOf(kind, warmUp);
    const values = await inTurn(
      rounds,
      kinds.map((kind) => () => cpuOf(kind, perRound)),
    );
    const found = new Map(kinds.map(({ name }, index) => [name, values[index] ?? Number.NaN]));
    const rows = kinds.map((kind) => rowOf(kind, found, events));
    await inParallel(forMemory, async () => {
      asked += 1;
      // Some ask for a page beyond the end.
      await request(mixed(list, asked % questions, events), [200, 404]);
    });
    const name = `peak memory after ${count(asked)} questions that differ, as fast as they go, ${count(events)} events, the heap as on ${instanceMemoryMB} MB`;
    const target = `at most ${mostMemory}`;
    return [...load, ...rows, { name, value: memoryOf(pid, 'VmHWM'), unit: 'MiB', target }];
  } finally {
    await host.stop();
  }
}

function rowOf(
  { name, against, maxRatio, isFree = false }: Kind,
  found: ReadonlyMap<string, number>,
  events: number,
): BenchmarkRow {
  const value = found.get(name) ?? Number.NaN;
  const row = { name: `${name}, ${count(events)} events`, value, unit: 'ms of CPU' };
  if (against === undefined) return row;
  // The list that is kept costs the same whatever the calendar holds; what is looked for does not.
  const ratio = maxRatio === undefined ? '' : `at most ${maxRatio}`;
  const target = isFree ? '' : events > 10_000 ? 'at most 10 ms' : ratio;
  return comparison(row.name, value, row.unit, { name: against, value: found.get(against) ?? 0 }, target);
}

/** Lists, searches, phrases and orders, from all over the calendar. */
function mixed(list: string, index: number, events: number): string {
  const day = new Date(Date.now() + (index % 700) * 86_400_000 + index * 1000).toISOString().slice(0, 19);
  const kinds = [
    `start_date=${day}&per_page=50`,
    `search=${index % events}&start_date=${day}`,
    `search=welcome+${index % 977}&per_page=50&page=${1 + (index % 5)}`,
    `search=%22number+${index % events}%22`,
    `orderby=title&start_date=${day}&categories=category-${index % 20}`,
  ];
  return `${list}?${kinds[index % kinds.length]}`;
}

/** Asks, and throws unless the reply has one of the statuses. */
async function request(
  url: string,
  statuses: readonly number[] = [200],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!statuses.includes(response.status))
    throw new Error(`Cannot measure ${url}: ${response.status} ${text}`);
}

async function inParallel(times: number, work: () => Promise<void>): Promise<void> {
  let remaining = times;
  const workers = Array.from({ length: together }, async () => {
    while (remaining-- > 0) await work();
  });
  await Promise.all(workers);
}

function count(number: number): string {
  return number.toLocaleString('en');
}
