/** Calls of one user to a source that takes a second, and other documents of the same user during the calls. */

import type { BenchmarkRow } from '../benchmark.ts';
import { paced } from '../pace.ts';
import type { StartApp, Variants } from './app-variants.ts';
import {
  afterOneRequest,
  afterSeconds,
  applyLoad,
  isRefused,
  mustBeAnswered,
  summarize,
  type TimedReply,
} from './client.ts';
import { bearer, customDataOf, type Fixtures } from './fixtures.ts';
import type { Measurement } from './load.ts';

const parallelCalls = 64;
/** Milliseconds that a call waits at least before it is refused, and within which every call is answered. */
const minWaitMs = 4_000;
const deadlineMs = 10_000;
/** Seconds in which the other documents are read, before the calls and during them. */
const measuredSeconds = paced(3, 0.2);

export const slowSource: Measurement = {
  name: `${parallelCalls} calls of a user at once to a source that takes 1 s`,
  measure: measureSlowSource,
};

async function measureSlowSource(apps: Variants<StartApp>, fixtures: Fixtures): Promise<BenchmarkRow[]> {
  const limited = await measureApp(apps[0], fixtures);
  const unlimited = await measureApp(apps[1], fixtures);
  return [
    {
      name: slowSource.name,
      value: limited.missed,
      unit: 'refused before 4 s or not answered within 10 s',
      against: { name: 'without limits', value: unlimited.missed },
      target: '0',
      details: `${limited.calls} (without limits ${unlimited.calls})`,
    },
    {
      name: 'other documents of the same user during the calls',
      value: limited.duringCalls.p50,
      unit: 'ms (median)',
      against: { name: 'before the calls', value: limited.baseline.p50 },
      ratio: limited.duringCalls.p50 / limited.baseline.p50,
      target: 'at most 3, 0 refused',
      details: `${limited.duringCalls.refused} refused, p99 ${limited.duringCalls.p99.toFixed(0)} ms (without limits ${unlimited.duringCalls.refused}, p50 ${unlimited.duringCalls.p50.toFixed(0)} ms)`,
    },
  ];
}

async function measureApp(start: StartApp, { userTokens, documents, slowDocument }: Fixtures) {
  const app = await start();
  const headers = bearer(userTokens[0]);
  const read = (document: string) => ({ method: 'GET', path: customDataOf(document), headers });
  const readDocuments = async () => {
    const request = (connection: number) => read(documents[connection] ?? '');
    const load = { connections: 4, pauseMs: 40, request, isOver: afterSeconds(measuredSeconds) };
    return summarize((await applyLoad(app.url, load)).replies);
  };
  try {
    await readDocuments();
    const baseline = mustBeAnswered(await readDocuments());
    const load = { connections: parallelCalls, request: () => read(slowDocument), isOver: afterOneRequest };
    const [{ replies }, duringCalls] = await Promise.all([applyLoad(app.url, load), readDocuments()]);
    const refusals = replies.filter(isRefused).map(({ time }) => time);
    const firstRefusal =
      refusals.length === 0 ? '' : `, first refusal after ${Math.min(...refusals).toFixed(0)} ms`;
    return {
      baseline,
      duringCalls,
      missed: replies.filter(isMissed).length,
      calls: mustBeAnswered(summarize(replies)).statuses + firstRefusal,
    };
  } finally {
    await app.stop();
  }
}

function isMissed(reply: TimedReply): boolean {
  return isRefused(reply) ? reply.time < minWaitMs : reply.time > deadlineMs;
}
