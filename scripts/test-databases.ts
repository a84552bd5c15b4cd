/** `npm run test:databases`: runs the suites of the records API on other databases than ours, one after the other. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArguments } from './command-line.ts';

/** The suites that need the metadata of objects do not run on an existing product, which serves none. */
const everywhere = ['authorized', 'custom-data', 'custom-round-trip', 'custom-sources', 'reference-data'];
const onOurs = [
  ...everywhere,
  'changes',
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
const { positionals: given } = readArguments({
  command: 'npm run test:databases',
  help: `Runs the suites of the records API on other databases than ours, one after the other.

  npm run test:databases                on all of them
  npm run test:databases -- danish      on some: ${Object.keys(suites).join(', ')}`,
  allowPositionals: true,
});
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
