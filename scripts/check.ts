/** npm run check: says whether a change is good, in one command. */

import { spawnSync } from 'node:child_process';
import { readArguments } from './command-line.ts';

const steps = ['types', 'lint', 'build', 'check:infra', 'test', 'test:tools', 'test:dev-stack'];

readArguments({
  command: 'npm run check',
  help: `Runs ${steps.map((step) => `npm run ${step}`).join(', ')}, and stops at the first that fails.

  npm run check         takes no options`,
});
const failed = steps.find(
  (step) =>
    spawnSync('npm', ['run', step], { stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0,
);
if (failed !== undefined) process.exit(1);
