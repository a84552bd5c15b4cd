/** Writes down what would be deployed now as what is agreed. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFiles, readProject } from '../project.ts';
import { root } from '../root.ts';
import { currentPlans } from '../rules/plans.ts';
import { written } from './lines.ts';

/** Writes every file of agreed plans and gives their names. */
export async function writePlans(): Promise<string[]> {
  const plans = currentPlans(await readProject(readFiles()));
  for (const [file, lines] of plans) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${written(lines)}\n`);
  }
  return [...plans.keys()];
}
