/**
 * One instance with a calendar of a given number of events, filled in this process without tables. Prints its figures as JSON. Run by
 * `instances.ts`.
 */

import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../../functions/calendar/log/log.ts';
import { siteOf } from '../../../functions/calendar/model/site.ts';
import { Calendar } from '../../../functions/calendar/operations/calendar.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { manyRecords } from '../../support/many-events.ts';
import type { InstanceFigures } from './instances.ts';

/** Records that come together, as a page of the tables does. */
const perPage = 1_000;
const times = 200;

const count = Number(process.argv[2]);
const { replica, calendar } = openCalendar();

let version = 0;
const load = await fill();
const first = await cpuOf(() => query({}));
const loaded = process.memoryUsage();
const firstSearch = await cpuOf(() => query({ search: 'first' }));
const words = await cpuOf(indexWords);
const figures: InstanceFigures = {
  load: load + first,
  firstSearch,
  words,
  list: await costOf((index) => ({ start_date: dayOf(index) })),
  search: await costOf((index) => ({ search: `${index} welcome`, per_page: '50' })),
  broadSearch: await costOf((index) => ({ search: 'welcome', per_page: '50', start_date: dayOf(index) })),
  phrase: await costOf((index) => ({ search: `"number ${index * 7} of"` })),
  broadPhrase: await costOf((index) => ({ search: '"is welcome,"', start_date: dayOf(index) })),
  afterWrite: await costAfterWrite(),
  heap: loaded.heapUsed / 2 ** 20,
  memory: loaded.rss / 2 ** 20,
  peak: process.resourceUsage().maxRSS / 2 ** 10,
};
console.log(JSON.stringify(figures));

function openCalendar(): { replica: () => CalendarReplica; calendar: Calendar } {
  let opened: CalendarReplica | undefined;
  const openLog = (replica: CalendarReplica): Log => {
    opened = replica;
    return {
      read: async () => ({ version, history: '', stale: false, age: 0 }),
      write: () => Promise.reject(new Error('Nothing is written here')),
      progress: () => ({ version, wanted: version, records: version, isWhole: true }),
      close() {},
    };
  };
  const calendar = new Calendar({ site: siteOf('https://calendar.example.org', 'UTC'), openLog });
  const replica = () => {
    if (opened === undefined) throw new TypeError('The log is opened by the first call');
    return opened;
  };
  return { replica, calendar };
}

/** Applies all records, and returns the time that this takes; they are made outside of it. */
async function fill(): Promise<number> {
  await calendar.freshness();
  let page: { key: string; json: string; version: number }[] = [];
  let cpu = 0;
  for (const record of manyRecords(count)) {
    version += 1;
    page.push({ ...record, version });
    if (page.length < perPage && version < count + 40) continue;
    const applied = page;
    cpu += await cpuOf(async () => replica().apply(applied));
    page = [];
    // As between two pages of the tables: others have their turn.
    await setImmediate();
  }
  return cpu;
}

/** Gives the event loop more turns than the words of all texts take, which are indexed in turns of 500. */
async function indexWords(): Promise<void> {
  for (let turn = 0; turn < count / 250 + 100; turn += 1) await setImmediate();
}

async function query(parameters: Readonly<Record<string, string>>): Promise<void> {
  await calendar.list('event', {
    caller: { role: 'reader' },
    parameters,
    root: 'https://calendar.example.org',
    language: undefined,
  });
}

function dayOf(index: number): string {
  return new Date(Date.now() + index * 3_600_000).toISOString().slice(0, 19);
}

/** Returns the milliseconds of the processor that a question takes, after some that warm up. */
async function costOf(questionOf: (index: number) => Readonly<Record<string, string>>): Promise<number> {
  for (let index = 0; index < times; index += 1) await query(questionOf(index));
  const cpu = await cpuOf(async () => {
    for (let index = times; index < 2 * times; index += 1) await query(questionOf(index));
  });
  return cpu / times;
}

async function costAfterWrite(): Promise<number> {
  const [written] = [...manyRecords(1)].slice(-1);
  if (written === undefined) throw new TypeError('There is no event');
  let cpu = 0;
  for (let index = 0; index < times; index += 1) {
    version += 1;
    replica().apply([{ ...written, version }]);
    cpu += await cpuOf(() => query({}));
  }
  return cpu / times;
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
