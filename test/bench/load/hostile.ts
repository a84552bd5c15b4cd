/** All known attacks on the built app, each on a process with a small heap. */

import { type Benchmark, type BenchmarkRow, isSelected, orFailure, reportRow } from '../benchmark.ts';
import { attacks } from './attacks.ts';
import { calendarName, withFixtures } from './fixtures.ts';
import { attackRow, observeAttack } from './under-attack.ts';

export const hostile: Benchmark = ({ seconds, attack: texts }) =>
  withFixtures(async (fixtures, { startAnotherApp }) => {
    const rows: BenchmarkRow[] = [];
    const start = (settings?: Readonly<Record<string, string>>) =>
      startAnotherApp({ CALENDAR_NAME: calendarName, ...settings });
    for (const attack of attacks.filter(({ name }) => isSelected(name, texts))) {
      const measured = await orFailure(attack.name, async () => {
        const observations = await observeAttack(start, attack, fixtures, seconds);
        return observations.map((observation) => attackRow(observation));
      });
      rows.push(...measured.map(reportRow));
    }
    return rows;
  });
