/**
 * An attack, in a process of its own with the lowest priority: attackers have machines of their own, so what the attack spends by itself
 * must not count as a delay of its victims. It takes what the others leave of the processors.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
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
  /** Replies in a second, and requests that were in flight at once, on average. */
  readonly perSecond: number;
  readonly inFlight: number;
}

/** Milliseconds in which the replies still missing at the end of an attack may come. */
const drainTime = 2_000;

/** Starts an attack and resolves once something came back; the function that it resolves with ends it, waits a little for the replies that are missing, and resolves with all that came of it. */
export async function startAttack(orders: Orders): Promise<() => Promise<Outcome>> {
  const attacker = fork(new URL(import.meta.url), ['attack'], {
    // All threads of the process are as nice as what starts it.
    execPath: 'nice',
    execArgv: ['-n', '19', process.execPath, ...process.execArgv],
  });
  attacker.send(orders);
  await once(attacker, 'message');
  return async () => {
    attacker.send('end');
    const [outcome] = (await once(attacker, 'message')) as [Outcome];
    attacker.kill('SIGKILL');
    return outcome;
  };
}

/** Sends as fast as replies come, over all connections of the attack, until told to end. */
async function run({ url, attack: index, ammunition }: Orders): Promise<void> {
  const attack = attacks[index];
  if (attack === undefined) throw new Error('Cannot attack: there are no orders.');
  const { connections, request } = attack;
  const { send } = createClient(url, connections);
  const statuses: Record<string, number> = {};
  let requests = 0;
  let replies = 0;
  let waited = 0;
  let isOver = false;
  const start = performance.now();
  const attackOn = async () => {
    while (!isOver) {
      const started = performance.now();
      const status = await send(request(ammunition, requests++));
      if (replies++ === 0) process.send?.('started');
      waited += performance.now() - started;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const all = Promise.all(Array.from({ length: connections }, attackOn));
  await once(process, 'message');
  isOver = true;
  const time = performance.now() - start;
  const [perSecond, inFlight] = [(replies / time) * 1000, waited / time];
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, drainTime))]);
  process.send?.({ statuses, perSecond, inFlight } satisfies Outcome);
}

if (process.argv[2] === 'attack' && process.send !== undefined) {
  const [orders] = (await once(process, 'message')) as [Orders];
  await run(orders);
}
