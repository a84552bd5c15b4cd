/** `npm run test:databases`: runs the suites of the records API on other databases than ours, one after the other. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The suites that need the metadata of objects do not run on an existing product, which serves none. */
const everywhere = ['authorized', 'custom-data', 'custom-round-trip', 'custom-sources', 'reference-data'];
const onOurs = [
  ...everywhere,
  'deeds-and-documents',
  'diaries',
  'journalized-cases',
  'lists',
  'objects',
  'replies',
  'search',
];

/** By the value of TEST_DATABASES (test/support/databases-of-test.ts). */
const suites: Readonly<Record<string, readonly string[]>> = {
  'app-rights': onOurs,
  danish: onOurs,
  turkish: onOurs,
  latin: onOurs,
  adopted: everywhere,
};

const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const unknown = given.find((name) => !Object.hasOwn(suites, name));
if (unknown !== undefined)
  throw new Error(
    `There are no databases ${unknown}; give ${Object.keys(suites).join(', ')}, or nothing for all.`,
  );

for (const name of given.length > 0 ? given : Object.keys(suites)) {
  console.log(`\nOn the databases ${name}:`);
  const files = suites[name]?.map((suite) => `test/api/records-${suite}`) ?? [];
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_DATABASES: name } },
  );
  if (status !== 0) process.exitCode = 1;
}
