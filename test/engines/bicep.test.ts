/** The layer of the Bicep compiler, with the compiler; and a rule that reads its plans. */

import { expect, test } from 'vitest';
import { checkBicep } from '../../infra/check/bicep/layer.ts';
import { readFiles, readProject } from '../../infra/check/project.ts';
import { settings } from '../../infra/check/rules/settings.ts';
import { hasInfraTools } from '../support/infra-tools.ts';

const files = readFiles();

test.runIf(hasInfraTools)(
  'the templates compile with every profile, and it says by which compiler',
  async () => {
    const { faults, done } = await checkBicep(files);
    expect({ faults, done }).toEqual({
      faults: [],
      done: expect.stringMatching(
        /^bicep 0\.\d+\.\d+ of .*: the templates with dev, small, prod; entra (?:with the registry's types|skipped by the registry's types)/,
      ),
    });
  },
);

test.runIf(hasInfraTools)('a warning is a fault, told once, with its place', async () => {
  const file = 'infra/bicep/modules/budget.bicep';
  const changed = new Map(files).set(file, `${files.get(file)}\nvar unused = 1\n`);
  const lines = changed.get(file)?.split('\n').length ?? 0;
  expect((await checkBicep(changed)).faults).toEqual([
    `${file}(${lines - 1},5): no-unused-vars: Variable "unused" is declared but never used.`,
  ]);
});

test('a setting of config.ts that is gone must leave the list of those not for Azure', async () => {
  const project = await readProject(files, { settingNames: ['DB_SERVER'], plans: [] });
  expect(settings(project)).toContainEqual({
    file: 'infra/facts/not-for-azure.json',
    message: 'DB_PASSWORD is no longer a setting',
  });
});
