/** What every script has in common: it explains itself, and refuses what it does not know. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const { NODE_COMPILE_CACHE } = process.env;
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

function run(script: string, parameter: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, parameter],
    { cwd: root, encoding: 'utf8', env: { ...compileCache, PATH: process.env['PATH'], NO_COLOR: '1' } },
  );
  return { status, stdout, stderr };
}

describe.each([
  ['npm start', 'scripts/start/main.ts'],
  ['npm run build', 'scripts/build.ts'],
  ['npm run package', 'scripts/package.ts'],
  ['npm run token', 'scripts/token.ts'],
  ['npm run migrate', 'scripts/migrate.ts'],
  ['npm run sql', 'scripts/sql.ts'],
  ['npm run check', 'scripts/check.ts'],
  ['npm run check:infra', 'infra/check/main.ts'],
  ['npm run bench', 'test/bench/run.ts'],
  ['npm run mutate', 'scripts/mutate/main.ts'],
  ['npm run release-notes', 'scripts/release-notes.ts'],
])('%s', (command, script) => {
  test('--help explains it', () => {
    expect(run(script, '--help')).toEqual({
      status: 0,
      stdout: expect.stringContaining(command.replace('npm run ', '')),
      stderr: '',
    });
  });

  test('--bogus is refused', () => {
    expect(run(script, '--bogus')).toEqual({
      status: 2,
      stdout: '',
      stderr: `Unknown option '--bogus'.\n${command} -- --help tells what it takes.\n`,
    });
  });
});

test('-h is short for --help', () => {
  expect(run('scripts/build.ts', '-h')).toEqual(run('scripts/build.ts', '--help'));
});
