import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../../shared/heap-growth.ts');

/** Makes objects of which many live on for a while, turn by turn, as requests do. */
const program = `
  const { limitHeapGrowth } = await import(${JSON.stringify(module)});
  const { getHeapSpaceStatistics } = await import('node:v8');
  limitHeapGrowth();
  let living = [];
  for (let turn = 0; turn < 300; turn += 1) {
    for (let index = 0; index < 2000; index += 1) living.push({ index, list: [index] });
    if (living.length > 150000) living = living.slice(50000);
    await new Promise(setImmediate);
  }
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size);
`;

test('limitHeapGrowth() keeps the young generation from growing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(Number(stdout) / 2 ** 20).toBeLessThanOrEqual(32);
});
