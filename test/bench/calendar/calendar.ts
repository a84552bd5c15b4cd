/** The calendar: lists of 10,000 events against a constant reply of the same size, the pages for citizens, and the load of a cold instance. */

import { type StorageEmulator, startTables } from '../../../local/index.ts';
import { type Benchmark, type BenchmarkRow, comparison, inTurn } from '../benchmark.ts';
import { startConstantApp } from '../constant-app.ts';
import { largeCalendar, paced } from '../pace.ts';
import { throughputs } from '../throughput.ts';
import { startWith } from './app-with-events.ts';
import { newInstances } from './new-instance.ts';
import { freshQuestions } from './questions.ts';

export const calendar: Benchmark = async () => {
  const tables = await startTables();
  try {
    return [
      ...(await lists(tables)),
      ...(await freshQuestions(tables, paced(10_000, 1_000))),
      ...(await freshQuestions(tables, largeCalendar)),
      ...(await newInstances(tables)),
    ];
  } finally {
    await tables.stop();
  }
};

async function lists(tables: StorageEmulator): Promise<BenchmarkRow[]> {
  const { host, list } = await startWith(tables, paced(10_000, 1_000));
  const constant = await startConstantApp();
  try {
    const bytes = (await (await fetch(list)).arrayBuffer()).byteLength;
    const [defaultList = 0, same = 0, search = 0, category = 0] = await throughputs([
      { url: list },
      { url: `${constant.url}/api/constant/${bytes}` },
      { url: `${list}?search=harbour+welcome` },
      { url: `${list}?categories=category-3` },
    ]);
    const against = { name: 'the default list', value: defaultList };
    return [
      comparison(
        'event list, default query, 10,000 events, 32 connections',
        defaultList,
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
      ...(await pages(host.url, list)),
    ];
  } finally {
    await Promise.all([host.stop(), constant.stop()]);
  }
}

/** Measures how long readers wait for pages, one at a time, each with another query so that nothing is kept. */
async function pages(site: string, list: string): Promise<BenchmarkRow[]> {
  const { events } = (await (await fetch(list)).json()) as {
    readonly events: readonly { readonly slug: string }[];
  };
  const paths: Readonly<Record<string, (index: number) => string>> = {
    'the list of events': (index) => `/calendar?page=${1 + index}`,
    'a search': (index) => `/calendar?search=many+${1000 + index}`,
    'a month': (index) => `/calendar?view=month&date=${2027 + (index % 3)}-0${1 + (index % 9)}-01`,
    'the page of an event': (index) => `/event/${events[index % events.length]?.slug}/`,
  };
  const times = await inTurn(
    25,
    Object.values(paths).map((pathOf) => {
      let asked = 0;
      return async () => {
        const start = performance.now();
        const reply = await fetch(site + pathOf(asked++));
        await reply.text();
        if (reply.status !== 200) throw new Error(`Cannot measure ${reply.url}: ${reply.status}`);
        return performance.now() - start;
      };
    }),
  );
  return Object.keys(paths).map((name, index) => ({
    name: `${name} as a page, 10,000 events`,
    value: times[index] ?? Number.NaN,
    unit: 'ms',
    target: 'at most 150',
  }));
}
