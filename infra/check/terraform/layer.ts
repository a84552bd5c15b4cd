/** Layer 2: Terraform itself, with an emulator of its providers: format, init, validate, plan of both profiles, tests. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, runTool } from '../command.ts';
import type { LayerResult } from '../layer-result.ts';
import { inputs } from '../plan/sets.ts';
import { computedOnce, emulatorDigest, filesOf } from '../plan/work-folder.ts';
import { readFiles } from '../project.ts';
import { root } from '../root.ts';
import { environmentOf, terraformVersion } from './environment.ts';
import { startProviderEmulator } from './provider.ts';

const valuesOf = (name: string) => [
  `-var-file=../profiles/${name}.tfvars.json`,
  `-var=environment_name=${name}`,
  '-var=alert_emails=["operators@example.org"]',
  ...Object.values(inputs).map(([input, value]) => `-var=${input}=${value}`),
];
const plan = ['plan', '-input=false', '-lock=false', '-refresh=false', '-no-color'];
const init = ['init', '-backend=false', '-input=false', '-no-color'];

/** The commands by configuration. Each configuration's run in order; what stops one stops those after it. */
const commands: Readonly<Record<string, readonly string[][]>> = {
  'infra/terraform': [
    ['fmt', '-check', '-recursive', '-diff', '-no-color'],
    init,
    ['validate', '-no-color'],
    ...['dev', 'prod'].map((name) => [...plan, ...valuesOf(name)]),
    ['test', '-no-color'],
  ],
  'infra/terraform/entra': [init, ['validate', '-no-color'], ['test', '-no-color']],
};

/** Runs Terraform on both configurations, or says why it cannot. `folder` is the root of the repository. */
export async function checkTerraform(folder: string = root, terraform = 'terraform'): Promise<LayerResult> {
  const done = 'fmt, init, validate, plan (dev, prod), test';
  const version = await terraformVersion(terraform).catch((error: Error) => error);
  if (version instanceof Error) return { skipped: version.message, done, faults: [] };
  const stackFiles = filesOf('terraform', readFiles());
  const faults = await computedOnce(stackFiles, [terraform, version, emulatorDigest(), commands], async () =>
    JSON.stringify(await runAll(folder, terraform)),
  );
  return { done, faults: JSON.parse(faults) };
}

async function runAll(folder: string, terraform: string): Promise<string[]> {
  const provider = await startProviderEmulator();
  const scratch = mkdtempSync(join(tmpdir(), 'check-infra-'));
  try {
    const faults = await Promise.all(
      Object.entries(commands).map(([path, list], index) =>
        runInOrder(list, (parameters) =>
          runTool(terraform, parameters, {
            folder: join(folder, path),
            environment: environmentOf(provider.reattach, scratch, String(index)),
          }),
        ),
      ),
    );
    return faults.flat();
  } finally {
    provider.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runInOrder(
  list: readonly string[][],
  run: (parameters: readonly string[]) => Promise<Outcome>,
): Promise<string[]> {
  for (const parameters of list) {
    const { code, output } = await run(parameters);
    if (code !== 0) return [`terraform ${parameters[0]}: ${output}`];
  }
  return [];
}
