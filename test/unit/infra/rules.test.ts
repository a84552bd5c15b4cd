import { expect, test } from 'vitest';
import { readFiles, readProject } from '../../../infra/check/project.ts';
import { rules } from '../../../infra/check/rules/index.ts';
import { resourceProviders } from '../../../infra/deploy/stacks/providers.ts';

const files = readFiles();

test('both stacks register the same resource providers', () => {
  const list = /resource_providers_to_register = \[([^\]]*)\]/.exec(
    files.get('infra/terraform/versions.tf') ?? '',
  );
  const inTerraform = [...(list?.[1] ?? '').matchAll(/"([\w.]+)"/g)].map(([, name]) => name);
  expect(inTerraform.sort()).toEqual([...resourceProviders].sort());
});

test('a setting of config.ts that is gone must leave the list of those not for Azure', async () => {
  const project = await readProject(files, { settingNames: ['DB_SERVER'], plans: [] });
  expect(rules['settings']?.(project)).toContainEqual({
    file: 'infra/facts/not-for-azure.json',
    message: 'DB_PASSWORD is no longer a setting',
  });
});
