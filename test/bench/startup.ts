/** How long the built app takes until its functions are registered, against a bare start of Node. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Benchmark, inTurn } from './benchmark.ts';
import { paced } from './pace.ts';

const root = join(import.meta.dirname, '..', '..');
const load = `const { loadApp } = await import(${JSON.stringify(import.meta.resolve('@records-and-calendar/functions-host/load-app'))}); await loadApp(${JSON.stringify(root)}, () => {});`;
/** The host's own loader is not the app's cost, so the bare start loads it too. */
const bare = `await import(${JSON.stringify(import.meta.resolve('@records-and-calendar/functions-host/load-app'))});`;

export const startup: Benchmark = async () => {
  const [app = Number.NaN, node = Number.NaN] = await inTurn(paced(9), [
    async () => milliseconds(load),
    async () => milliseconds(bare),
  ]);
  return [
    {
      name: 'load of the built app until functions are registered',
      value: app - node,
      unit: 'ms more',
      against: { name: 'bare node start (ms)', value: node },
      target: 'at most 200 ms more',
    },
  ];
};

function milliseconds(script: string): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${script} process.exit(0);`],
    { env: { PATH: process.env['PATH'], SERVICE_API_BASE_URL: '/api' }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Cannot measure: the process ended with ${status}.\n${stderr}`);
  return performance.now() - started;
}
