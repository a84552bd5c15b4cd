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
import { environmentOf, isRecent, oldest } from './environment.ts';
import { startProviderEmulator } from './provider.ts';

const values = Object.values(inputs).map(([name, value]) => `-var=${name}=${value}`);
const plan = ['plan', '-input=false', '-lock=false', '-refresh=false', '-no-color'];
const init = ['init', '-backend=false', '-input=false', '-no-color'];

/** The commands by configuration. Each configuration's run in order; what stops one stops those after it. */
const commands: Readonly<Record<string, readonly string[][]>> = {
  'infra/terraform': [
    ['fmt', '-check', '-recursive', '-diff', '-no-color'],
    init,
    ['validate', '-no-color'],
    [...plan, '-var-file=../profiles/dev.tfvars.json', '-var=environment_name=dev', ...values],
    [
      ...plan,
      '-var-file=../profiles/prod.tfvars.json',
      '-var=environment_name=prod',
      '-var=alert_emails=["operators@example.org"]',
      ...values,
    ],
    ['test', '-no-color'],
  ],
  'infra/terraform/entra': [init, ['validate', '-no-color'], ['test', '-no-color']],
};

/** Runs Terraform on both configurations, or says why it cannot. `folder` is the root of the repository. */
export async function checkTerraform(folder: string = root, terraform = 'terraform'): Promise<LayerResult> {
  const done = 'fmt, init, validate, plan (dev, prod), test';
  const version = await runTool(terraform, ['version', '-json'], { folder });
  if (version.code !== 0) return { skipped: 'no terraform on the PATH', done, faults: [] };
  if (!isRecent(version.output))
    return { skipped: `no terraform ${oldest.join('.')} or later`, done, faults: [] };
  const stackFiles = filesOf('terraform', readFiles());
  const faults = await computedOnce(
    stackFiles,
    [terraform, version.output, emulatorDigest(), commands],
    async () => JSON.stringify(await runAll(folder, terraform)),
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
