/** The bootstrap of every npm script, in a new project with an emulator for npm. */

import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/temporary-folder.ts';

/** "Installs" a node that is the one running now, and counts its calls. */
const npm = `#!${process.execPath}
const fs = require('node:fs');
fs.writeFileSync('npm-pid', String(process.pid));
fs.appendFileSync('npm-calls.txt', process.argv.slice(2).join(' ') + '\\n');
fs.writeFileSync('npm-path', process.env.PATH);
if (fs.existsSync('npm-fails')) process.exit(7);
if (fs.existsSync('npm-waits')) while (!fs.existsSync('npm-goes-on')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
if (fs.existsSync('no-install-scripts')) { fs.mkdirSync('node_modules', { recursive: true }); process.exit(); }
for (const folder of ['node_modules/node/bin', 'node_modules/.bin']) fs.mkdirSync(folder, { recursive: true });
fs.rmSync('node_modules/node/bin/node', { force: true });
fs.symlinkSync(process.execPath, 'node_modules/node/bin/node');
fs.writeFileSync('node_modules/.bin/tool', '#!/bin/sh\\necho tool "$@"\\n', { mode: 0o755 });
`;

let root: string;
beforeEach(() => {
  root = newFolder();
  for (const folder of ['scripts', 'bin']) mkdirSync(join(root, folder));
  for (const name of ['run.mjs', 'tool-help.mjs'])
    cpSync(join(import.meta.dirname, '../../../scripts', name), join(root, 'scripts', name));
  writeFileSync(join(root, 'bin/npm'), npm);
  chmodSync(join(root, 'bin/npm'), 0o755);
  writeFileSync(join(root, 'package.json'), '{ "engines": { "node": ">=18" } }');
  writeFileSync(join(root, 'package-lock.json'), '{ "lockfileVersion": 3 }');
  writeFileSync(
    join(root, 'scripts/hello.ts'),
    'const greeting: string = "hello"; console.log(greeting, process.argv.slice(2).join(" ")); process.exit(3);',
  );
});

function run(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/run.mjs'), ...parameters],
    { encoding: 'utf8', env: { PATH: join(root, 'bin') } },
  );
  return { status, stdout, stderr };
}

function start(...parameters: string[]) {
  const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), ...parameters], {
    env: { PATH: join(root, 'bin') },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return { child, output: text(child.stdout), errors: () => errors };
}

const installs = () =>
  existsSync(join(root, 'npm-calls.txt'))
    ? readFileSync(join(root, 'npm-calls.txt'), 'utf8').trim().split('\n').length
    : 0;

describe.skipIf(process.platform === 'win32')('scripts/run.mjs', () => {
  test('installs once with a message, and runs a script with its arguments and exit status', () => {
    expect(run('scripts/hello.ts', 'big', 'world')).toEqual({
      status: 3,
      stdout: 'hello big world\n',
      stderr: 'Installing dependencies (once; this takes about a minute) ...\n',
    });
    expect(run('scripts/hello.ts')).toEqual({ status: 3, stdout: 'hello \n', stderr: '' });
    expect(installs()).toBe(1);
  });

  test('installs again when the lock file has changed', () => {
    run('tool');
    writeFileSync(join(root, 'package-lock.json'), '{ "lockfileVersion": 3, "changed": true }');
    expect(run('tool', 'a').stdout).toBe('tool a\n');
    expect(installs()).toBe(2);
  });

  describe('after an installation of the user', () => {
    /** Leaves what npm notes at the end, that many seconds after the lock file has changed, and nothing of ours. */
    const installed = (seconds: number) => {
      run('tool');
      rmSync(join(root, 'node_modules/.installed-lock.json'));
      const note = join(root, 'node_modules/.package-lock.json');
      writeFileSync(note, '{}');
      const changed = statSync(join(root, 'package-lock.json')).mtimeMs / 1_000;
      utimesSync(note, changed + seconds, changed + seconds);
    };

    test.each([
      ['nothing where the lock file is older', 60, 1],
      ['again where the lock file is newer', -60, 2],
    ])('installs %s', (_, seconds, count) => {
      installed(seconds);
      expect(run('tool', 'first').stdout).toBe('tool first\n');
      expect(run('tool').stderr).toBe('');
      expect(installs()).toBe(count);
    });

    test('adds once, on the pinned Node, what npm has left out for its older Node', () => {
      installed(60);
      writeFileSync(join(root, 'package.json'), '{ "engines": { "node": ">=999" } }');
      expect(run('tool', 'first')).toEqual({
        status: 0,
        stdout: 'tool first\n',
        stderr: 'Adding what npm leaves out on an old Node ...\n',
      });
      expect(run('tool').stderr).toBe('');
      expect(installs()).toBe(2);
      expect(readFileSync(join(root, 'npm-calls.txt'), 'utf8')).toContain(
        'install --no-save --ignore-scripts',
      );
      expect(readFileSync(join(root, 'npm-path'), 'utf8')).toMatch(join(root, 'node_modules/node/bin'));
    });
  });

  test('stops with the status of npm when the installation fails, and tries again the next time', () => {
    writeFileSync(join(root, 'npm-fails'), '');
    const { status, stderr } = run('tool');
    expect({ status, said: stderr.split('\n').at(-2) }).toEqual({
      status: 7,
      said: 'Could not install the dependencies: "npm ci" failed, see its messages above.',
    });
    rmSync(join(root, 'npm-fails'));
    expect(run('tool').status).toBe(0);
    expect(installs()).toBe(2);
  });

  describe('with a folder of tools', () => {
    const tools = () => join(root, 'tools');
    beforeEach(() => {
      mkdirSync(tools());
      writeFileSync(join(tools(), 'package-lock.json'), '{ "lockfileVersion": 3 }');
    });
    const calls = (folder: string) => readFileSync(join(folder, 'npm-calls.txt'), 'utf8');

    test('installs it after the rest, once, and finds commands there', () => {
      run('tool');
      expect(run('--with=tools', 'tool', '--with=x').stderr).toBe(
        'Installing the tools of tools (once; this takes about a minute) ...\n',
      );
      writeFileSync(join(tools(), 'node_modules/.bin/other'), '#!/bin/sh\necho other "$@"\n', {
        mode: 0o755,
      });
      expect(run('--with=tools', 'other', '--with=x')).toEqual({
        status: 0,
        stdout: 'other --with=x\n',
        stderr: '',
      });
      expect([installs(), calls(tools()).trim().split('\n').length]).toEqual([1, 1]);
    });

    test('leaves it alone where no command names it', () => {
      expect(run('tool').status).toBe(0);
      expect(existsSync(join(tools(), 'npm-calls.txt'))).toBe(false);
    });

    test('installs it again when its lock file has changed', () => {
      run('--with=tools', 'tool');
      writeFileSync(join(tools(), 'package-lock.json'), '{ "lockfileVersion": 3, "changed": true }');
      expect(run('--with=tools', 'tool').status).toBe(0);
      expect([installs(), calls(tools()).trim().split('\n').length]).toEqual([1, 2]);
    });
  });

  test('waits while another command installs, and does not install again', async () => {
    writeFileSync(join(root, 'npm-waits'), '');
    const first = start('tool', 'first');
    await expect.poll(installs).toBe(1);
    const second = start('tool', 'second');
    await expect.poll(second.errors).toContain('Another command is installing the dependencies');
    writeFileSync(join(root, 'npm-goes-on'), '');
    expect(await Promise.all([first.output, second.output])).toEqual(['tool first\n', 'tool second\n']);
    expect(installs()).toBe(1);
  });
});
