/** `npm run check:infra`: proves offline that the templates are sound. Exit code 1 when a layer finds a fault. With --agree, what would be deployed now is written down as agreed first. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../scripts/command-line.ts';
import { checkWorkflows } from './actionlint.ts';
import { checkBicep } from './bicep/layer.ts';
import { checkRules, type Layer } from './layers.ts';
import { written } from './plan/page.ts';
import { readFiles, readProject } from './project.ts';
import { root } from './root.ts';
import { currentPages } from './rules/plans.ts';
import { checkTerraform } from './terraform/layer.ts';

const { values } = readArguments({
  command: 'npm run check:infra',
  help: `Proves offline that the templates are sound: by both compilers, and by rules on what they say would be deployed.

  npm run check:infra                 exits with 1 when a layer finds a fault
  npm run check:infra -- --agree      first writes down what would be deployed now as agreed (infra/check/plans)`,
  options: { agree: { type: 'boolean', default: false } },
});

if (values.agree)
  for (const [file, lines] of currentPages(await readProject(readFiles()))) {
    writeFileSync(join(root, file), written(lines));
    console.log(`wrote ${file}`);
  }

const layers: readonly Layer[] = [
  { title: 'rules', run: () => checkRules() },
  { title: 'terraform', run: () => checkTerraform() },
  { title: 'bicep compiler', run: () => checkBicep() },
  { title: 'actionlint', run: () => checkWorkflows() },
];

let faultCount = 0;
for (const { title, run } of layers) {
  const started = performance.now();
  const { skipped, done, faults } = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (skipped) console.log(`- ${title}: skipped: ${skipped}`);
  else console.log(`${faults.length === 0 ? '✓' : '✗'} ${title}: ${done} (${seconds} s)`);
  for (const finding of faults) console.log(`    ${finding.replaceAll('\n', '\n    ')}`);
  faultCount += faults.length;
}
if (faultCount > 0) {
  console.log(`${faultCount} ${faultCount === 1 ? 'fault' : 'faults'} in infra/.`);
  process.exitCode = 1;
}
