import { describe, expect, test } from 'vitest';
import { checkTerraform } from '../../../infra/check/terraform/layer.ts';
import { fakeTool } from '../../support/fake-tools.ts';

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
