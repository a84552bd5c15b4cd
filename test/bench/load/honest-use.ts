/** Throughput of honest use, with limits and without. */

import { type BenchmarkRow, inTurn, orFailure, reportRow } from '../benchmark.ts';
import { paced } from '../pace.ts';
import { forBoth, type StartApp, type Variants } from './app-variants.ts';
import {
  afterSeconds,
  applyLoad,
  type LoadResult,
  mustBeAnswered,
  summarize,
  type TimedReply,
} from './client.ts';
import type { Fixtures } from './fixtures.ts';
import { distinctRequest, type Scene } from './scenes.ts';

const rounds = paced(6);
/** Seconds in which requests are sent: in a round, and before the first. */
const roundSeconds = paced(0.7, 0.1);
const warmUpSeconds = paced(4, 0.1);

/** Measures scenes, one after the other, on a pair of apps. */
export async function measureScenes(
  scenes: readonly Scene[],
  apps: Variants<StartApp>,
  fixtures: Fixtures,
): Promise<BenchmarkRow[]> {
  const running = await Promise.all(forBoth(apps, (start) => start()));
  let index = 0;
  const apply = (url: string, seconds: number, { connections, request }: Omit<Scene, 'name'>) =>
    applyLoad(url, {
      connections,
      isOver: afterSeconds(seconds),
      request: (connection) => request(fixtures, index++, connection),
    });
  const warmUp = { connections: 10, request: (_: Fixtures, index: number) => distinctRequest(index) };
  const rows: BenchmarkRow[] = [];
  try {
    for (const { url } of running) await apply(url, warmUpSeconds, warmUp);
    for (const scene of scenes) {
      const measure = (url: string) => () => apply(url, roundSeconds, scene);
      const loads = forBoth(running, ({ url }) => measure(url));
      const measured = await orFailure(scene.name, async () => [
        await compareThroughput(scene.name, rounds, loads),
      ]);
      rows.push(...measured.map(reportRow));
    }
    return rows;
  } finally {
    await Promise.all(running.map((app) => app.stop()));
  }
}

/** Applies a load to both apps in turn and compares the answered requests per second. */
export async function compareThroughput(
  name: string,
  rounds: number,
  loads: Variants<() => Promise<LoadResult>>,
): Promise<BenchmarkRow> {
  const collected = forBoth(loads, (apply) => ({ apply, replies: [] as TimedReply[] }));
  const [value = Number.NaN, unlimitedValue = Number.NaN] = await inTurn(
    rounds,
    collected.map(({ apply, replies }) => async () => {
      const result = await apply();
      replies.push(...result.replies);
      return summarize(result.replies).answered / result.seconds;
    }),
  );
  const [limited, unlimited] = forBoth(collected, ({ replies }) => mustBeAnswered(summarize(replies)));
  const details = [
    `${limited.refused} refused (without limits ${unlimited.refused})`,
    `p50 ${limited.p50.toFixed(0)} ms (${unlimited.p50.toFixed(0)}), p99 ${limited.p99.toFixed(0)} ms (${unlimited.p99.toFixed(0)})`,
    limited.statuses,
  ];
  return {
    name,
    value,
    unit: 'requests/s',
    against: { name: 'without limits', value: unlimitedValue },
    ratio: value / unlimitedValue,
    target: 'at least 0.9, 0 refused',
    details: details.join('; '),
  };
}
