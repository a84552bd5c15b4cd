/** Layer 2: Terraform itself, with an emulator of its providers: format, init, validate, plan of both profiles, tests. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, runTool } from '../command.ts';
import type { LayerResult } from '../layers.ts';
import { root } from '../project.ts';
import { startProviderEmulator } from './provider.ts';

const oldest = [1, 9];
const values = [
  'location=westeurope',
  'api_client_id=00000000-0000-0000-0000-000000000001',
  'sql_administrator_login=database-admins',
  'sql_administrator_object_id=00000000-0000-0000-0000-000000000002',
  'service_api_username=service',
  'calendar_site_url=https://calendar.example.org',
].map((value) => `-var=${value}`);
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
  const provider = await startProviderEmulator();
  const scratch = mkdtempSync(join(tmpdir(), 'check-infra-'));
  try {
    const faults = await Promise.all(
      Object.entries(commands).map(([path, list], index) =>
        runInOrder(list, (parameters) =>
          runTool(terraform, parameters, {
            folder: join(folder, path),
            environment: environment(provider.reattach, scratch, String(index)),
          }),
        ),
      ),
    );
    return { done, faults: faults.flat() };
  } finally {
    provider.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Nothing of the user's own configuration of Terraform matters, and nothing is written beside the templates. */
function environment(reattach: string, scratch: string, dataFolder: string) {
  const noConfiguration = join(scratch, 'terraform.rc');
  writeFileSync(noConfiguration, '');
  return {
    TF_REATTACH_PROVIDERS: reattach,
    TF_DATA_DIR: join(scratch, dataFolder),
    TF_CLI_CONFIG_FILE: noConfiguration,
    TF_CLI_ARGS: '',
    TF_WORKSPACE: '',
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
  };
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

function isRecent(output: string): boolean {
  const [, major, minor] = /"terraform_version": *"(\d+)\.(\d+)/.exec(output) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}
