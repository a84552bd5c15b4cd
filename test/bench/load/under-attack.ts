/** Honest callers during an attack, compared with the same callers before it. */

import { setTimeout as delay } from 'node:timers/promises';
import { appProcessOf, describePeak, isAlive } from '../app-process.ts';
import type { BenchmarkRow } from '../benchmark.ts';
import { paced } from '../pace.ts';
import type { StartApp } from './app-variants.ts';
import { startAttack } from './attacker.ts';
import type { Attack } from './attacks.ts';
import { mustBeAnswered, type Summary } from './client.ts';
import type { Fixtures } from './fixtures.ts';
import { callAsClerks } from './honest-callers.ts';

/** A small heap of the app's process, which memory without a limit exhausts. */
const heap = '--max-old-space-size=384';
const warmUpSeconds = paced(2, 0.1);

/** The replies to honest callers before an attack and during it. */
export interface Observation {
  readonly name: string;
  readonly baseline: Summary;
  readonly duringAttack: Summary;
  /** Whether the process of the app has outlived the attack. */
  readonly isAlive: boolean;
  /** Peak memory of the processes, and the replies to the attacker, in words. */
  readonly processes: string;
}

/** Makes an attack on a new process of an app. */
export async function observeAttack(
  start: StartApp,
  attack: Attack,
  fixtures: Fixtures,
  seconds: number,
): Promise<Observation> {
  const app = await start({ NODE_OPTIONS: heap });
  const call = (time: number) => callAsClerks(app.url, fixtures, time);
  try {
    const pid = appProcessOf(app.process.pid);
    await call(warmUpSeconds);
    const baseline = mustBeAnswered(await call(seconds));
    const endAttack = await startAttack(app.url, attack, fixtures);
    const calls = call(seconds);
    await delay(seconds * 1000);
    const { isEffective, description } = await endAttack();
    if (!isEffective)
      throw new Error(`Cannot measure: the attack expects ${attack.status}, and has got ${description}.`);
    const duringAttack = await calls;
    const processes = `app ${describePeak(pid)}, host ${describePeak(app.process.pid ?? 0)}; attacker ${description}`;
    return {
      name: `clerk during ${attack.name} from ${attack.connections} connections`,
      baseline,
      duringAttack,
      isAlive: isAlive(pid),
      processes,
    };
  } finally {
    await app.stop();
  }
}

/** Creates the row of an observation; `unlimited` is that of the app without limits. */
export function attackRow(limited: Observation, unlimited: Observation): BenchmarkRow {
  const { name, baseline, duringAttack, processes } = limited;
  const failure = failureOf(limited);
  const details = [
    `${duringAttack.refused} refused of ${duringAttack.refused + duringAttack.answered}`,
    `p99 ${baseline.p99.toFixed(0)} to ${duringAttack.p99.toFixed(0)} ms`,
    processes,
    `without limits ${unlimited.duringAttack.statuses}, p50 ${unlimited.duringAttack.p50.toFixed(0)} ms, ${unlimited.processes}`,
  ];
  return {
    name,
    value: duringAttack.p50,
    unit: 'ms (median)',
    against: { name: 'before the attack', value: baseline.p50 },
    ratio: duringAttack.p50 / baseline.p50,
    target: 'at most 3, 0 refused',
    details: details.join('; '),
    ...(failure !== undefined && { failure }),
  };
}

function failureOf({ isAlive, duringAttack: { failed, statuses } }: Observation): string | undefined {
  if (!isAlive) return 'The process of the app has ended.';
  return failed > 0 ? `Honest callers have got ${statuses}.` : undefined;
}
