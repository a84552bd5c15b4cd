/** An attack, in a thread of its own, so that it does not delay the requests by which its victims are measured. */

import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { percentile } from '../benchmark.ts';
import { type Ammunition, attacks } from './attacks.ts';
import { createClient } from './client.ts';

interface Orders {
  readonly url: string;
  /** Index in the table of attacks. */
  readonly attack: number;
  readonly ammunition: Ammunition;
}

/** What came of an attack. */
export interface Outcome {
  /** Replies and failures by status or code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** p99 of the time that a refusal for too much (429, 503) took, in milliseconds; undefined without any. */
  readonly refusedIn: number | undefined;
}

/** Milliseconds in which the replies still missing at the end of an attack may come. */
const drainTime = 2_000;

/** Starts an attack and resolves once something came back; the function that it resolves with ends it, waits a little for the replies that are missing, and resolves with all that came of it. */
export async function startAttack(orders: Orders): Promise<() => Promise<Outcome>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: orders });
  await once(thread, 'message');
  return async () => {
    thread.postMessage('end');
    const [outcome] = (await once(thread, 'message')) as [Outcome];
    await thread.terminate();
    return outcome;
  };
}

/** Sends as fast as replies come, over all connections of the attack, until told to end. */
async function run({ url, attack: index, ammunition }: Orders): Promise<void> {
  const attack = attacks[index];
  if (attack === undefined || parentPort === null) throw new Error('Cannot attack: there are no orders.');
  const { connections, request } = attack;
  const { send } = createClient(url, connections);
  const statuses: Record<string, number> = {};
  const refusals: number[] = [];
  let requests = 0;
  let isOver = false;
  const attackOn = async () => {
    while (!isOver) {
      const started = performance.now();
      const status = await send(request(ammunition, requests++));
      if (Object.keys(statuses).length === 0) parentPort?.postMessage('started');
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === '503' || status === '429') refusals.push(performance.now() - started);
    }
  };
  const all = Promise.all(Array.from({ length: connections }, attackOn));
  await once(parentPort, 'message');
  isOver = true;
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, drainTime))]);
  const refusedIn = refusals.length === 0 ? undefined : percentile(refusals, 0.99);
  parentPort.postMessage({ statuses, refusedIn } satisfies Outcome);
}

if (parentPort !== null && workerData !== null) await run(workerData as Orders);
