/** How Terraform is run by the check. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest version that will do. */
export const oldest = [1, 9];

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

/** Checks whether `terraform version -json` tells a version that the templates can do with. */
export function isRecent(output: string): boolean {
  const [, major, minor] = /"terraform_version": *"(\d+)\.(\d+)/.exec(output) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}
