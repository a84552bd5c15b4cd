/** The layer of the Bicep compiler, with the compiler. */

import { expect, test } from 'vitest';
import { checkBicep } from '../../infra/check/bicep/layer.ts';
import { readFiles } from '../../infra/check/project.ts';
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
