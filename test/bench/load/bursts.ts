/** Requests that arrive at once: after a cold start, and as writes in several processes. */

import type { BenchmarkRow } from '../benchmark.ts';
import { paced } from '../pace.ts';
import { forBoth, type StartApp, type Variants } from './app-variants.ts';
import { afterOneRequest, applyLoad, type HttpRequest, type LoadResult } from './client.ts';
import { bearer, calendar, type Fixtures, newEvent } from './fixtures.ts';
import { compareThroughput } from './honest-use.ts';
import type { Measurement } from './load.ts';
import { customDataRequest, distinctRequest } from './scenes.ts';

const rounds = paced(9);
const processes = 4;

/** Requests of visitors and users to an app that has just started. */
export const coldStart: Measurement = {
  name: '60 requests right after a cold start',
  measure: measureColdStart,
};

/** Writes of one editor to several processes on one calendar. */
export const parallelWrites: Measurement = {
  name: '8 parallel writes of an editor in each of four processes',
  measure: measureParallelWrites,
};

async function measureColdStart(
  apps: Variants<StartApp>,
  { userTokens, documents }: Fixtures,
): Promise<BenchmarkRow[]> {
  let index = 0;
  const request = (connection: number) =>
    connection % 2 === 0
      ? distinctRequest(index++)
      : customDataRequest(userTokens[connection % userTokens.length], documents, index++);
  const loads = forBoth(apps, (start) => async () => {
    const app = await start();
    return sendAtOnce(app.url, 60, request).finally(() => app.stop());
  });
  return [await compareThroughput(coldStart.name, rounds, loads)];
}

async function measureParallelWrites(
  apps: Variants<StartApp>,
  { tokens }: Fixtures,
): Promise<BenchmarkRow[]> {
  const path = `${calendar}/events`;
  const write = { method: 'POST', path, headers: bearer(tokens['alice']), body: newEvent };
  const clusters = await Promise.all(
    forBoth(apps, (start) =>
      Promise.all(Array.from({ length: processes }, () => start({ CALENDAR_NAME: 'writers' }))),
    ),
  );
  try {
    await Promise.all(clusters.flat().map(({ url }) => fetch(url + path)));
    const loads = forBoth(clusters, (hosts) => async () => {
      const results = await Promise.all(hosts.map(({ url }) => sendAtOnce(url, 8, () => write)));
      const seconds = Math.max(...results.map((result) => result.seconds));
      return { replies: results.flatMap(({ replies }) => replies), seconds };
    });
    return [await compareThroughput(parallelWrites.name, rounds, loads)];
  } finally {
    await Promise.all(clusters.flat().map((host) => host.stop()));
  }
}

function sendAtOnce(
  url: string,
  connections: number,
  request: (connection: number) => HttpRequest,
): Promise<LoadResult> {
  return applyLoad(url, { connections, request, isOver: afterOneRequest });
}
