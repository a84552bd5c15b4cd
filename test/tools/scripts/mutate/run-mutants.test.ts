/** Whole runs over a small project. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mutantsOf } from '../../../../scripts/mutate/mutants.ts';
import { runMutants } from '../../../../scripts/mutate/run-mutants.ts';

const source = `export function sizeOf(count: number): string {
  return count > 9 ? 'large' : 'small';
}
`;
const related = `import { expect, test } from 'vitest';
import { sizeOf } from './size.ts';
test('sizes', () => expect([1, 20].map(sizeOf)).toEqual(['small', 'large']));
`;
/** Imports the source by a path that vitest does not see. */
const unrelated = `import { expect, test } from 'vitest';
test('limit', async () => {
  const { sizeOf } = await import([import.meta.dirname, '..', 'src', 'size.ts'].join('/'));
  expect(sizeOf(9)).toBe('small');
});
`;

const boundary = "return count >= 9 ? 'large' : 'small';";
const code = "return count > 9 ? 'large~' : 'small';";

let root: string;
let lines: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mutated-'));
  lines = [];
  for (const folder of ['src', 'api', 'node_modules']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'src/size.ts'), source);
  writeFileSync(join(root, '.gitignore'), 'node_modules');
  for (const name of ['vitest', '.bin'])
    symlinkSync(
      join(import.meta.dirname, '../../../../node_modules', name),
      join(root, 'node_modules', name),
    );
  execFileSync('git', ['init', '--quiet'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

const mutants = (file: string) => mutantsOf(file, source, ['boundary', 'code']).slice(0, 2);

async function outcomes(
  table: Record<string, string[]> = {},
  list = mutants('src/size.ts'),
): Promise<Record<string, string>> {
  const found = await runMutants(root, list, table, (line) => lines.push(line.trim()));
  return Object.fromEntries([...found].map(([{ after }, outcome]) => [after.trim(), outcome]));
}

test('runMutants() tells which mutants the related tests kill, marks a file without tests, and leaves the checkout unchanged', async () => {
  writeFileSync(join(root, 'src/size.test.ts'), related);
  writeFileSync(join(root, 'src/untested.ts'), source);
  await outcomes({}, [...mutants('src/size.ts'), ...mutants('src/untested.ts').slice(0, 1)]);
  expect(lines).toEqual([
    '1/3  survived   src/size.ts:2  boundary',
    '2/3  killed     src/size.ts:2  code  src/size.test.ts sizes',
    '3/3  untested   src/untested.ts:2  boundary',
  ]);
  expect(readFileSync(join(root, 'src/size.ts'), 'utf8')).toBe(source);
});

test('runMutants() then runs the tests that the table names for a folder', async () => {
  writeFileSync(join(root, 'src/size.test.ts'), related);
  writeFileSync(join(root, 'api/size.test.ts'), unrelated);
  const table = { src: ['api/*.test.ts'], other: ['other/*.test.ts'] };
  expect(await outcomes(table)).toEqual({ [boundary]: 'killed', [code]: 'killed' });
  expect(lines[0]).toBe('1/2  killed     src/size.ts:2  boundary  api/size.test.ts limit');
});

test('runMutants() throws when a test fails without a mutant too', async () => {
  writeFileSync(join(root, 'src/size.test.ts'), related.replace("'small', ", "'tiny', "));
  await expect(outcomes()).rejects.toThrow('The tests fail without any mutant: src/size.test.ts sizes');
});
