import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBicep } from '../../../infra/check/bicep/layer.ts';
import { readFiles } from '../../../infra/check/project.ts';
import { nameOf } from '../../../infra/deploy/role-commands.ts';
import { root } from '../../../infra/deploy/root.ts';

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

test('the printed role assignments have names as the compiler makes them', () => {
  const plan = readFileSync(join(root, 'infra', 'check', 'plans', 'dev.txt'), 'utf8');
  expect(plan).toContain(`\nInsights/workbooks/${nameOf(['workbook-dev'])}\n`);
});
