/** A part of the checks that has passed does not run again, until one of its files is another. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { shellTools } from '../../support/fake-tools.ts';
import { newFolder } from '../../support/temporary-folder.ts';

const scripts = join(import.meta.dirname, '../../../scripts');
let root: string;
let tools: ReturnType<typeof shellTools>;

beforeEach(() => {
  root = newFolder();
  for (const name of ['unless-passed.ts', 'command-line.ts'])
    cpSync(join(scripts, name), join(root, 'scripts', name));
  for (const folder of ['local', 'functions']) mkdirSync(join(root, folder));
  write('package.json', '{ "type": "module" }');
  write('local/index.ts', '1');
  write('functions/index.ts', '1');
  tools = shellTools({ npm: `[ -e ${join(root, '.cache/fails')} ] && exit 1` });
  spawnSync('git', ['init', '--quiet'], { cwd: root });
  write('.gitignore', '.cache');
});

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

/** Runs a part, and returns its status, whether npm was called, and what it said. */
function run(part = 'dev-stack') {
  const before = tools.calls().length;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/unless-passed.ts', part], {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: `${tools.folder}${delimiter}${process.env['PATH']}`,
      XDG_CACHE_HOME: join(root, '.cache'),
      // A checkout above this folder is another one.
      GIT_CEILING_DIRECTORIES: join(root, '..'),
    },
  });
  return { status, calls: tools.calls().slice(before), stdout, stderr };
}

const ran = { status: 0, calls: ['npm run test:dev-stack'], stdout: '' };
const skipped = { status: 0, calls: [], stdout: expect.stringContaining('dev-stack has passed with these') };

describe('a part that has passed', () => {
  test('is skipped with the same files, whatever has changed elsewhere', () => {
    expect(run()).toMatchObject(ran);
    write('functions/index.ts', '2');
    expect(run()).toMatchObject(skipped);
  });

  test.each([
    ['a file has changed', () => write('local/index.ts', '2')],
    ['there is one more, which git does not know yet', () => write('local/more.ts', '1')],
    ['one is gone', () => rmSync(join(root, 'local/index.ts'))],
    ['a package is another', () => write('package-lock.json', '{}')],
  ])('runs again where %s', (_, change) => {
    run();
    change();
    expect(run()).toMatchObject(ran);
  });
});

test('a part that fails runs again', () => {
  mkdirSync(join(root, '.cache'));
  write('.cache/fails', '');
  expect(run()).toMatchObject({ status: 1, calls: ran.calls });
  expect(run()).toMatchObject({ status: 1, calls: ran.calls });
  rmSync(join(root, '.cache/fails'));
  expect(run()).toMatchObject(ran);
});

test('without git a part always runs', () => {
  rmSync(join(root, '.git'), { recursive: true });
  expect(run()).toMatchObject(ran);
  expect(run()).toMatchObject(ran);
  expect(existsSync(join(root, '.cache'))).toBe(false);
});

test('another word is refused', () => {
  expect(run('nothing')).toMatchObject({
    status: 2,
    calls: [],
    stderr: expect.stringMatching(/no part "nothing"/),
  });
});
