/**
 * An attack, in a child process with the lowest priority. Attackers have other machines, so the work of the attacker
 * must not delay the honest callers: it takes the processor time that the other processes leave.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { paced } from '../pace.ts';
import { type Attack, attackNamed } from './attacks.ts';
import { applyLoad, summarize, type TimedReply } from './client.ts';
import type { Fixtures } from './fixtures.ts';

interface Orders extends Pick<Attack, 'name' | 'connections'> {
  readonly url: string;
  readonly fixtures: Fixtures;
}

/** Milliseconds in which the missing replies may arrive at the end of an attack. */
const drainMs = 2_000;

/** Starts an attack and resolves at its first reply. The returned function ends it and resolves with its outcome in words. */
export async function startAttack(
  url: string,
  { name, connections }: Attack,
  fixtures: Fixtures,
): Promise<() => Promise<string>> {
  const attacker = fork(new URL(import.meta.url), ['attack'], {
    // All threads of the process have the priority of `nice`.
    execPath: 'nice',
    execArgv: ['-n', '19', process.execPath, ...process.execArgv],
  });
  attacker.send({ url, name, connections: paced(connections, 8), fixtures } satisfies Orders);
  await once(attacker, 'message');
  return async () => {
    attacker.send('end');
    const [outcome] = (await once(attacker, 'message')) as [string];
    attacker.kill('SIGKILL');
    return outcome;
  };
}

/** Sends over all connections of the attack until the parent ends it. */
async function attack({ url, name, connections, fixtures }: Orders): Promise<void> {
  const { request } = attackNamed(name);
  const replies: TimedReply[] = [];
  let requests = 0;
  let isOver = false;
  const start = performance.now();
  const load = applyLoad(url, {
    connections,
    request: () => request(fixtures, requests++),
    isOver: () => isOver,
    onReply: (reply) => {
      if (replies.push(reply) === 1) process.send?.('started');
    },
  });
  await once(process, 'message');
  isOver = true;
  const perSecond = replies.length / ((performance.now() - start) / 1000);
  await Promise.race([load, delay(drainMs)]);
  process.send?.(`${summarize(replies).statuses}, ${perSecond.toFixed(0)}/s`);
}

if (process.argv[2] === 'attack' && process.send !== undefined) {
  const [orders] = (await once(process, 'message')) as [Orders];
  await attack(orders);
}
