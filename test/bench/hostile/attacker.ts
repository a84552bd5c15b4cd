/** An attack, in a thread of its own, so that it does not delay the requests by which its victims are measured. */

import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type Ammunition, attacks } from './attacks.ts';
import { createClient } from './client.ts';

interface Orders {
  readonly url: string;
  /** Index in the table of attacks. */
  readonly attack: number;
  readonly ammunition: Ammunition;
}

/** Replies and failures by status or code. */
export type Statuses = Readonly<Record<string, number>>;

/** Starts an attack and resolves once something came back; the function that it resolves with ends it and resolves with all that did. */
export async function startAttack(orders: Orders): Promise<() => Promise<Statuses>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: orders });
  await once(thread, 'message');
  return async () => {
    thread.postMessage('end');
    const [statuses] = (await once(thread, 'message')) as [Statuses];
    await thread.terminate();
    return statuses;
  };
}

/** Sends as fast as replies come, over all connections of the attack, until told to end. */
async function run({ url, attack: index, ammunition }: Orders): Promise<void> {
  const attack = attacks[index];
  if (attack === undefined || parentPort === null) throw new Error('Cannot attack: there are no orders.');
  const { connections, request } = attack;
  const { send } = createClient(url, connections);
  const statuses: Record<string, number> = {};
  let sent = 0;
  const attackOn = async () => {
    for (;;) {
      const status = await send(request(ammunition, sent++));
      if (Object.keys(statuses).length === 0) parentPort?.postMessage('started');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  for (let connection = 0; connection < connections; connection++) void attackOn();
  await once(parentPort, 'message');
  parentPort.postMessage(statuses);
}

if (parentPort !== null && workerData !== null) await run(workerData as Orders);
