/** The calendar: lists of 10,000 events against a constant reply of the same size, and the load of a cold instance. */

import type { StorageEmulator } from '../../../local/azurite/start.ts';
import { startTables } from '../../../local/tables/start-tables.ts';
import { type Benchmark, type BenchmarkRow, comparison } from '../benchmark.ts';
import { startConstantApp } from '../constant-app.ts';
import { paced } from '../pace.ts';
import { throughputs } from '../throughput.ts';
import { startWith } from './app-with-events.ts';
import { freshQuestions } from './questions.ts';

export const calendar: Benchmark = async () => {
  const tables = await startTables();
  try {
    return [
      ...(await lists(tables)),
      ...(await freshQuestions(tables, paced(10_000, 1_000))),
      ...(await freshQuestions(tables, paced(100_000, 2_000))),
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
    ];
  } finally {
    await Promise.all([host.stop(), constant.stop()]);
  }
}
