/** Every script prints its help, and runs nothing. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { days } from '../../../scripts/help.ts';

const root = join(import.meta.dirname, '../../..');

const { NODE_COMPILE_CACHE } = process.env;
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** Runs the command of a script of package.json, without its `node`. */
function run(name: string, command: string, parameter: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...command.split(' '), parameter],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...compileCache, PATH: process.env['PATH'], NO_COLOR: '1', npm_lifecycle_event: name },
    },
  );
  return { status, stdout, stderr };
}

/** The scripts of package.json, without the choice of the Node version, which adds no options. */
const all = Object.entries(scripts).map(
  ([name, command]) =>
    [name, command.replace(/^node /, '').replace(/^scripts\/run\.mjs (?:--\S+ )*(?=\S+\.ts\b)/, '')] as const,
);

test('npm run help lists each of them once', () => {
  const listed = Object.values(days).flatMap((commands) =>
    Object.keys(commands).map((name) => name.split(' ')[0]),
  );
  expect(listed.toSorted()).toEqual(Object.keys(scripts).toSorted());
});

test.each(all)('npm run %s -- --help prints the help and runs nothing', (name, command) => {
  expect(run(name, command, '--help')).toEqual({
    status: 0,
    stdout: expect.stringMatching(new RegExp(`npm (run )?(--silent )?${name}\\b`)),
    stderr: '',
  });
});
