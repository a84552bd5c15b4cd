/** What one instance needs for calendars of several sizes, up to a million events. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark, BenchmarkRow } from '../benchmark.ts';

/** Milliseconds of the processor, and MiB. */
export interface InstanceFigures {
  /** From the rows of the log to the first reply, without the tables and their client. */
  readonly load: number;
  /** Before any word is indexed. */
  readonly firstSearch: number;
  readonly words: number;
  readonly list: number;
  readonly search: number;
  readonly broadSearch: number;
  readonly phrase: number;
  readonly broadPhrase: number;
  readonly afterWrite: number;
  readonly heap: number;
  readonly memory: number;
  readonly peak: number;
}

const names: Readonly<Record<keyof InstanceFigures, readonly [name: string, unit: string]>> = {
  load: ['load, until the first reply; the tables and their client left aside', 'ms of CPU'],
  firstSearch: ['a search right after the load, before words are indexed', 'ms of CPU'],
  words: ['the index of words, built in turns', 'ms of CPU'],
  list: ['a list that was not asked before', 'ms of CPU'],
  search: ['a search of 50 that was not asked before', 'ms of CPU'],
  broadSearch: ['a search of 50 for what all have', 'ms of CPU'],
  phrase: ['a phrase that one has', 'ms of CPU'],
  broadPhrase: ['a phrase that all have', 'ms of CPU'],
  afterWrite: ['the list after a write', 'ms of CPU'],
  heap: ['heap in use after the load', 'MiB'],
  memory: ['memory after the load', 'MiB'],
  peak: ['peak memory, after 2,600 questions that differ', 'MiB'],
};

/** Fills calendars in child processes, without the tables' emulator, which would take most of an hour for a million rows. */
export const calendarInstances: Benchmark = async ({ events }) => {
  const rows: BenchmarkRow[] = [];
  for (const count of events) {
    const figures = await figuresOf(count);
    for (const [figure, [name, unit]] of Object.entries(names))
      rows.push({
        name: `an instance with ${count.toLocaleString('en')} events: ${name}`,
        value: figures[figure as keyof InstanceFigures],
        unit,
      });
  }
  return rows;
};

async function figuresOf(count: number): Promise<InstanceFigures> {
  const script = join(import.meta.dirname, 'instance.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(count)]);
  return JSON.parse(stdout) as InstanceFigures;
}
