/** The cost of the limits for honest callers, and their protection under attack, against the same app without limits. */

import type { DevStack } from '../../../local/index.ts';
import { type Benchmark, type BenchmarkRow, isSelected, orFailure, reportRow } from '../benchmark.ts';
import { buildVariants, type StartApp, type Variants } from './app-variants.ts';
import { attacks } from './attacks.ts';
import { coldStart, parallelWrites } from './bursts.ts';
import { crowdOfCitizens } from './citizens.ts';
import { type Fixtures, withFixtures } from './fixtures.ts';
import { measureScenes } from './honest-use.ts';
import { scenes } from './scenes.ts';
import { slowSource } from './slow-source.ts';
import { attackRow, observeAttack } from './under-attack.ts';

/** A measurement that starts its apps itself. */
export interface Measurement {
  readonly name: string;
  readonly measure: (
    apps: Variants<StartApp>,
    fixtures: Fixtures,
    stack: DevStack,
  ) => Promise<readonly BenchmarkRow[]>;
}

export const load: Benchmark = async ({ seconds, scenes: texts }) => {
  const chosen = scenes.filter(({ name }) => isSelected(name, texts));
  const others = [coldStart, parallelWrites, crowdOfCitizens, slowSource, ...attacksFor(seconds)].filter(
    ({ name }) => isSelected(name, texts),
  );
  // Preparing takes longer than to see that there is nothing to measure.
  if (chosen.length + others.length === 0) return [];
  return withFixtures(async (fixtures, stack) => {
    const { apps, remove } = await buildVariants(stack);
    const rows: BenchmarkRow[] = [];
    try {
      if (chosen.length > 0) rows.push(...(await measureScenes(chosen, apps, fixtures)));
      for (const { name, measure } of others) {
        const measured = await orFailure(name, () => measure(apps, fixtures, stack));
        rows.push(...measured.map(reportRow));
      }
      return rows;
    } finally {
      remove();
    }
  });
};

function attacksFor(seconds: number): Measurement[] {
  return attacks.map((attack) => ({
    name: attack.name,
    async measure([start, startUnlimited], fixtures) {
      const limited = await observeAttack(start, attack, fixtures, seconds);
      const unlimited = await observeAttack(startUnlimited, attack, fixtures, seconds);
      return [attackRow(limited, unlimited)];
    },
  }));
}
