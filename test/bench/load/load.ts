/** The cost of the limits for honest callers, and their protection under attack, against the same app without limits. */

import { type Benchmark, type BenchmarkRow, isSelected, orFailure, reportRow } from '../benchmark.ts';
import { buildVariants, type StartApp, type Variants } from './app-variants.ts';
import { type Attack, attackNamed } from './attacks.ts';
import { coldStart, parallelWrites } from './bursts.ts';
import { type Fixtures, withFixtures } from './fixtures.ts';
import { measureScenes } from './honest-use.ts';
import { scenes } from './scenes.ts';
import { slowSource } from './slow-source.ts';
import { attackRow, observeAttack } from './under-attack.ts';

/** A measurement that starts its apps itself. */
export interface Measurement {
  readonly name: string;
  readonly measure: (apps: Variants<StartApp>, fixtures: Fixtures) => Promise<readonly BenchmarkRow[]>;
}

export const load: Benchmark = ({ seconds, scenes: texts }) =>
  withFixtures(async (fixtures, stack) => {
    const { apps, remove } = await buildVariants(stack);
    const chosen = scenes.filter(({ name }) => isSelected(name, texts));
    const rows: BenchmarkRow[] = [];
    try {
      if (chosen.length > 0) rows.push(...(await measureScenes(chosen, apps, fixtures)));
      for (const { name, measure } of [coldStart, parallelWrites, slowSource, ...attacksFor(seconds)])
        if (isSelected(name, texts)) {
          const measured = await orFailure(name, () => measure(apps, fixtures));
          rows.push(...measured.map(reportRow));
        }
      return rows;
    } finally {
      remove();
    }
  });

/** Returns the short list of attacks, during which a signed-in reader calls. */
function attacksFor(seconds: number): Measurement[] {
  return [
    attackFrom(200, 'lists without a token'),
    attackFrom(500, 'lists without a token'),
    attackFrom(200, 'custom data by one user'),
    attackFrom(500, 'custom data by one user'),
    attackFrom(100, 'body of 4.9 MB without a token, to records'),
    attackFrom(200, 'distinct lists and searches'),
  ].map((attack) => ({
    name: attack.name,
    async measure([start, startUnlimited], fixtures) {
      const [limited] = await observeAttack(start, attack, fixtures, seconds);
      const [unlimited] = await observeAttack(startUnlimited, attack, fixtures, seconds);
      return limited === undefined ? [] : [attackRow(limited, unlimited)];
    },
  }));
}

function attackFrom(connections: number, name: string): Attack {
  return { ...attackNamed(name), connections, callers: ['clerk'] };
}
