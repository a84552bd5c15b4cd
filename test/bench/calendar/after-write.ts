/** The first list after a write, asked alone: after one through the app itself, and after one of another process, which the app reads from the tables. */

import type { LogSettings, TakeId } from '../../../shared/calendar/log/log.ts';
import { openLog } from '../../../shared/calendar/log/open-log.ts';
import { manyRecords } from '../../support/many-events.ts';
import { processorTime } from '../app-process.ts';
import { type BenchmarkRow, comparison, median } from '../benchmark.ts';

const writes = 50;

export interface WrittenCalendar {
  readonly list: string;
  /** Where the calendar is, for the other process. */
  readonly log: LogSettings;
  /** A token of somebody who may write. */
  readonly token: string;
  /** The app's process. */
  readonly pid: number;
  readonly events: number;
}

/** Measures both, against the cached list, asked alone too. */
export async function listAfterWrite(calendar: WrittenCalendar): Promise<BenchmarkRow[]> {
  const { log: settings, pid, events } = calendar;
  const log = openLog(settings, { replica: { apply() {}, clear() {} }, budget: 60_000 });
  const cpuOf = async (work: () => Promise<unknown>) => {
    const before = processorTime(pid);
    await work();
    return processorTime(pid) - before;
  };
  const cpuOfList = () => cpuOf(() => read(calendar));
  const times = {
    cached: [] as number[],
    write: [] as number[],
    local: [] as number[],
    other: [] as number[],
  };
  for (let write = 0; write < writes; write += 1) {
    times.write.push(await cpuOf(() => create(calendar, write)));
    times.local.push(await cpuOfList());
    await log.write(addEvent);
    times.other.push(await cpuOfList());
    // The page is cached when it is asked for the second time.
    await read(calendar);
    times.cached.push(await cpuOfList());
  }
  log.close();
  const nameOf = (what: string) => `${what}, ${events.toLocaleString('en')} events`;
  const cached = { name: 'the cached list, one at a time', value: median(times.cached) };
  const against = (what: string, values: readonly number[], target: string) =>
    comparison(nameOf(what), median(values), 'ms of CPU', cached, target);
  const target = events > 10_000 ? 'at most 5 ms' : 'at most 1.5';
  return [
    against('the list after a write, one at a time', times.local, target),
    against('the same after a write of another process, what it wrote read included', times.other, ''),
    { name: nameOf('the write itself'), value: median(times.write), unit: 'ms of CPU' },
  ];
}

async function read({ list }: WrittenCalendar): Promise<void> {
  const response = await fetch(list);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`Cannot measure ${list}: ${response.status}`);
}

/** Creates an event of the next days, so that it is on the page. */
async function create({ list, token }: WrittenCalendar, index: number): Promise<void> {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const response = await fetch(list, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ title: `Written ${index}`, description: 'Everybody is welcome.', status: 'publish' },
      ...{ start_date: `${day} 00:00:00`, end_date: `${day} 01:00:00`, timezone: 'UTC' },
    }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`Cannot measure a write: ${response.status} ${text}`);
}

/** Decides on one more event, as the last one of many. */
function addEvent(takeId: TakeId) {
  const [{ json } = { json: '{}' }] = [...manyRecords(1)].slice(-1);
  const id = takeId('post');
  const record = { ...(JSON.parse(json) as object), id, slug: `written-${id}` };
  return { puts: [{ key: `event/${id}`, json: JSON.stringify(record) }], deletes: [], result: undefined };
}
