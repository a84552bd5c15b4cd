/**
 * An attack, in a child process with the lowest priority. Attackers have other machines, so the work of the attacker
 * must not delay the honest callers: it takes the processor time that the other processes leave.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../message-of.ts';
import { paced } from '../pace.ts';
import { type Attack, attackNamed } from './attacks.ts';
import { applyLoad, isRefused, summarize, type TimedReply } from './client.ts';
import type { Fixtures } from './fixtures.ts';

interface Orders extends Pick<Attack, 'name' | 'connections'> {
  readonly url: string;
  readonly fixtures: Fixtures;
}

/** What the process is called in errors. */
const processName = 'The attacker';

export interface AttackOutcome {
  /** Whether some request was answered as the attack expects, or refused: otherwise it has attacked nothing. */
  readonly isEffective: boolean;
  /** Replies by status, and their rate, in words. */
  readonly description: string;
}

/** Milliseconds in which the missing replies may arrive at the end of an attack. */
const drainMs = 2_000;

/** Starts an attack and resolves at its first reply. The returned function ends it and resolves with its outcome. */
export async function startAttack(
  url: string,
  { name, connections }: Attack,
  fixtures: Fixtures,
): Promise<() => Promise<AttackOutcome>> {
  const attacker = fork(new URL(import.meta.url), ['attack'], {
    // All threads of the process have the priority of `nice`.
    execPath: 'nice',
    execArgv: ['-n', '19', process.execPath, ...process.execArgv],
  });
  const orders: Orders = { url, name, connections: paced(connections, 8), fixtures };
  await ask(attacker, processName, orders);
  return async () => {
    const outcome = await ask<AttackOutcome>(attacker, processName, 'end');
    attacker.kill('SIGKILL');
    return outcome;
  };
}

/** Sends over all connections of the attack until the parent ends it. */
async function attack({ url, name, connections, fixtures }: Orders): Promise<void> {
  process.once('disconnect', () => process.exit());
  const { request, status } = attackNamed(name);
  const replies: TimedReply[] = [];
  let isOver = false;
  const start = performance.now();
  const load = applyLoad(url, {
    connections,
    request: () => request(fixtures),
    isOver: () => isOver,
    onReply: (reply) => {
      if (replies.push(reply) === 1) process.send?.('started');
    },
  });
  await once(process, 'message');
  isOver = true;
  const perSecond = replies.length / ((performance.now() - start) / 1000);
  await Promise.race([load, delay(drainMs)]);
  process.send?.({
    isEffective: replies.some((reply) => reply.status === status || isRefused(reply)),
    description: `${summarize(replies).statuses}, ${perSecond.toFixed(0)}/s`,
  } satisfies AttackOutcome);
}

if (process.argv[2] === 'attack' && process.send !== undefined) {
  const [orders] = (await once(process, 'message')) as [Orders];
  await attack(orders);
}
