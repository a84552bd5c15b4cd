/** How Terraform is run by the check. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../command.ts';
import { ToolMissing } from '../plan/plan.ts';
import { root } from '../root.ts';

/** The oldest version of Terraform that the templates can do with. */
const oldest = [1, 9];

/** Nothing of the user's own configuration of Terraform matters, and nothing is written beside the templates. */
export function environmentOf(reattach: string, scratch: string, dataFolder: string) {
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

/** Returns what `terraform version -json` says. Throws ToolMissing where it is missing or too old. */
export async function terraformVersion(terraform = 'terraform'): Promise<string> {
  const { code, output } = await runTool(terraform, ['version', '-json'], { folder: root });
  if (code !== 0) throw new ToolMissing('no terraform on the PATH');
  const [, major, minor] = /"terraform_version": *"(\d+)\.(\d+)/.exec(output) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  if (Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor))
    return output;
  throw new ToolMissing(`no terraform ${oldest.join('.')} or later`);
}
