import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkWorkflows } from '../../../infra/check/actionlint.ts';
import { checkBicep } from '../../../infra/check/bicep/layer.ts';
import { readFiles } from '../../../infra/check/project.ts';
import { checkTerraform } from '../../../infra/check/terraform/layer.ts';
import { shellTools } from '../../support/fake-tools.ts';

/** A tool that runs the given lines of the shell; `calls` gives the parameters of each call so far. */
function fakeTool(script: string) {
  const { folder, calls } = shellTools({ tool: script });
  return { tool: join(folder, 'tool'), calls: () => calls().map((call) => call.slice('tool '.length)) };
}

const version = (number: string) =>
  `if [ "$1" = version ]; then echo '{"terraform_version": "${number}"}'; exit 0; fi`;

describe('the Terraform layer', () => {
  test('runs every command on both configurations, attached to the emulated provider', async () => {
    const { tool, calls } = fakeTool(
      `${version('1.9.0')}; case "$TF_REATTACH_PROVIDERS" in *azapi*) ;; *) exit 1;; esac`,
    );
    expect((await checkTerraform(process.cwd(), tool)).faults).toEqual([]);
    const commands = calls().map((call) => call.split(' ')[0]);
    expect(commands.sort()).toEqual(
      ['version', 'fmt', 'init', 'validate', 'plan', 'plan', 'test', 'init', 'validate', 'test'].sort(),
    );
  });

  test('reports what terraform said, and runs nothing after it', async () => {
    const { tool, calls } = fakeTool(
      `${version('1.15.0')}; if [ "$1" = validate ]; then echo 'Unsupported argument' >&2; exit 1; fi`,
    );
    expect((await checkTerraform(process.cwd(), tool)).faults).toEqual([
      'terraform validate: Unsupported argument',
      'terraform validate: Unsupported argument',
    ]);
    expect(calls().some((call) => call.startsWith('test'))).toBe(false);
  });
});

describe('the layer of actionlint', () => {
  test('says that it was skipped where there is none, and else what it has found', async () => {
    expect(await checkWorkflows(process.cwd(), 'no-such-actionlint')).toMatchObject({
      skipped: 'no actionlint on the PATH',
      faults: [],
    });
    const fault = 'deploy.yml:3:1: unexpected key "onn" [syntax-check]';
    const failing = fakeTool(`echo '${fault}'; exit 1`);
    expect((await checkWorkflows(process.cwd(), failing.tool)).faults).toEqual([fault]);
    expect((await checkWorkflows(process.cwd(), fakeTool('').tool)).faults).toEqual([]);
  });
});

describe('the Bicep layer', () => {
  const files = readFiles();
  const place = (name: string, command?: string) => ({ name, command: async () => command });

  test('says that it was skipped where there is no compiler, and fails in a pipeline', async () => {
    const nowhere = [place('the PATH', 'no-such-bicep'), place('the Azure CLI')];
    const reason = 'no Bicep compiler: not in the PATH, the Azure CLI';
    expect(await checkBicep(files, nowhere, false)).toMatchObject({ skipped: reason, faults: [] });
    expect((await checkBicep(files, nowhere, true)).faults).toEqual([reason]);
  });
});
