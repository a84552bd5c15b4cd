/** Every script prints its help, and rejects unknown options. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

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
const ownScripts = all.filter(([, command]) => !command.startsWith('scripts/run.mjs '));

describe.each(all)('npm run %s', (name, command) => {
  test('--help prints the help and runs nothing', () => {
    const { status, stdout, stderr } = run(name, command, '--help');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`npm (run )?(--silent )?${name}\\b`)),
      stderr: '',
    });
    expect(stdout.split('\n\n')[0]).toMatch(/^[A-Z].*\.$/s);
  });
});

// All others read their words like `start`.
test.each(ownScripts.filter(([name]) => ['start', 'calendar', 'deploy'].includes(name)))(
  'npm run %s rejects --bogus',
  (name, command) => {
    const npm = name === 'start' ? 'npm start' : `npm run ${name}`;
    expect(run(name, command, '--bogus')).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^Unknown option '--bogus'\\.\n${npm} -- --help .+\\.\n$`)),
    });
  },
);
