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

/** The version that runs now, and one that no machine has. */
const [major, minor] = process.versions.node.split('.').map(Number);
const here = `${major}.${minor}.0`;
const elsewhere = '999.0.0';

/** "Installs" a node that is the one running now and what the manifest names, and counts its calls. */
const npm = `#!${process.execPath}
const fs = require('node:fs');
fs.writeFileSync('npm-pid', String(process.pid));
fs.appendFileSync('npm-calls.txt', process.argv.slice(2).join(' ') + '\\n');
fs.writeFileSync('npm-path', process.env.PATH);
if (fs.existsSync('npm-fails')) process.exit(7);
if (fs.existsSync('npm-waits')) while (!fs.existsSync('npm-goes-on')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
fs.mkdirSync('node_modules/.bin', { recursive: true });
const { dependencies, devDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const named = { ...dependencies, ...(process.argv.includes('--include=dev') ? devDependencies : {}) };
for (const name of Object.keys(named)) fs.mkdirSync('node_modules/' + name, { recursive: true });
if (named.node && !fs.existsSync('no-install-scripts')) {
  const headers = 'node_modules/node/node_modules/node-' + process.platform + '-' + process.arch + '/include';
  for (const folder of ['node_modules/node/bin', headers]) fs.mkdirSync(folder, { recursive: true });
  fs.rmSync('node_modules/node/bin/node', { force: true });
  fs.symlinkSync(process.execPath, 'node_modules/node/bin/node');
}
fs.writeFileSync('node_modules/.bin/tool', '#!/bin/sh\\necho tool "$@"\\n', { mode: 0o755 });
if (fs.existsSync('package-lock.json')) fs.writeFileSync('node_modules/.package-lock.json', '{}');
`;

let root: string;
beforeEach(() => {
  root = newFolder();
  for (const folder of ['scripts/node', 'bin']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['run.mjs', 'lock-file.mjs', 'tool-help.mjs'])
    cpSync(join(import.meta.dirname, '../../../scripts', name), join(root, 'scripts', name));
  writeFileSync(join(root, 'bin/npm'), npm);
  chmodSync(join(root, 'bin/npm'), 0o755);
  manifest('.', { dependencies: { library: '1' }, devDependencies: { linter: '1' } });
  manifest('scripts/node', { devDependencies: { node: here } });
  writeFileSync(
    join(root, 'scripts/hello.ts'),
    'const greeting: string = "hello"; console.log(greeting, process.argv.slice(2).join(" ")); process.exit(3);',
  );
});

/** Writes the manifest of a folder, and a lock file. */
function manifest(folder: string, content: object) {
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify(content));
  writeFileSync(join(root, folder, 'package-lock.json'), '{ "lockfileVersion": 3 }');
}

/** Says that the pinned Node is one that no machine has. */
const pinElsewhere = () => manifest('scripts/node', { devDependencies: { node: elsewhere } });

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

/** What npm was called with in a folder, without what it is always called with. */
const callsIn = (folder: string) =>
  existsSync(join(root, folder, 'npm-calls.txt'))
    ? readFileSync(join(root, folder, 'npm-calls.txt'), 'utf8')
        .trim()
        .split('\n')
        .map((call) => call.replace(' --no-fund --no-audit --loglevel=error', ''))
    : [];
const installs = () => callsIn('.').length;

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

  describe('where it is for development alone', () => {
    test('a tool waits until it is asked for, and completes what is there', () => {
      run('scripts/hello.ts');
      expect([callsIn('.'), existsSync(join(root, 'node_modules/linter'))]).toEqual([
        ['ci --omit=dev'],
        false,
      ]);
      expect(run('--dev', 'tool').stderr).toBe('Completing dependencies ...\n');
      expect(run('--dev', 'tool').stderr).toBe('');
      expect(run('scripts/hello.ts').stderr).toBe('');
      expect(callsIn('.')).toEqual(['ci --omit=dev', 'install --no-save --include=dev']);
    });

    test('a tool stays when the lock file has changed', () => {
      run('--dev', 'tool');
      writeFileSync(join(root, 'package-lock.json'), '{ "lockfileVersion": 3, "changed": true }');
      utimesSync(join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 60_000));
      run('scripts/hello.ts');
      expect(callsIn('.')).toEqual(['ci --include=dev', 'ci --include=dev']);
    });
  });

  describe('after an installation of the user', () => {
    /** Leaves what npm notes at the end, that many seconds after the lock file has changed, and nothing of ours. */
    const installed = (seconds: number) => {
      run('--dev', 'tool');
      rmSync(join(root, 'node_modules/.installed-lock.json'));
      const note = join(root, 'node_modules/.package-lock.json');
      const changed = statSync(join(root, 'package-lock.json')).mtimeMs / 1_000;
      utimesSync(note, changed + seconds, changed + seconds);
    };

    test.each([
      ['nothing where the lock file is older', 60, 1],
      ['again where the lock file is newer', -60, 2],
    ])('installs %s', (_, seconds, count) => {
      installed(seconds);
      expect(run('--dev', 'tool', 'first').stdout).toBe('tool first\n');
      expect(run('--dev', 'tool').stderr).toBe('');
      expect(installs()).toBe(count);
    });

    test('completes once, on the pinned Node, what npm has left out for another one', () => {
      installed(60);
      pinElsewhere();
      expect(run('tool', 'first')).toEqual({
        status: 0,
        stdout: 'tool first\n',
        stderr: 'Installing Node (once; this takes about a minute) ...\nCompleting dependencies ...\n',
      });
      expect(run('tool').stderr).toBe('');
      expect(callsIn('.').slice(1)).toEqual(['install --no-save --include=dev']);
      expect(readFileSync(join(root, 'npm-path'), 'utf8')).toMatch(
        join(root, 'scripts/node/node_modules/node/bin'),
      );
    });
  });

  describe('on another Node than the pinned one', () => {
    beforeEach(pinElsewhere);
    const headers = `scripts/node/node_modules/node/node_modules/node-${process.platform}-${process.arch}/include`;

    test('installs that one first, without the headers of C++, and runs all else on it', () => {
      expect(run('scripts/hello.ts', 'big').stdout).toBe('hello big\n');
      expect([callsIn('scripts/node'), callsIn('.'), existsSync(join(root, headers))]).toEqual([
        ['ci --include=dev'],
        ['ci --omit=dev'],
        false,
      ]);
      expect(run('scripts/hello.ts').stderr).toBe('');
    });

    test('says what to do where npm runs no install scripts', () => {
      writeFileSync(join(root, 'scripts/node/no-install-scripts'), '');
      const { status, stderr } = run('scripts/hello.ts');
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining('npm rebuild node --prefix scripts/node --ignore-scripts=false'),
      });
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
      manifest('tools', {});
    });

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
      expect([installs(), callsIn('tools').length]).toEqual([1, 1]);
    });

    test('leaves it alone where no command names it', () => {
      expect(run('tool').status).toBe(0);
      expect(existsSync(join(tools(), 'npm-calls.txt'))).toBe(false);
    });

    test('installs it again when its lock file has changed', () => {
      run('--with=tools', 'tool');
      writeFileSync(join(tools(), 'package-lock.json'), '{ "lockfileVersion": 3, "changed": true }');
      expect(run('--with=tools', 'tool').status).toBe(0);
      expect([installs(), callsIn('tools').length]).toEqual([1, 2]);
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
    expect(existsSync(join(root, '.installing'))).toBe(false);
  });

  test('waits for the npm of a command that was killed', async () => {
    writeFileSync(join(root, 'npm-waits'), '');
    const first = start('tool', 'first');
    await expect.poll(installs).toBe(1);
    first.child.kill('SIGKILL');
    const second = start('tool', 'second');
    await expect.poll(second.errors).toContain('Another command is installing the dependencies');
    expect(installs()).toBe(1);
    writeFileSync(join(root, 'npm-goes-on'), '');
    expect(await second.output).toBe('tool second\n');
    expect(callsIn('.')).toEqual(['ci --omit=dev']);
  });

  test('waits for no command that has ended without tidying up', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(root, '.installing'), String(pid));
    expect(run('tool', 'a')).toMatchObject({ status: 0, stdout: 'tool a\n' });
    expect(existsSync(join(root, '.installing'))).toBe(false);
  });
});
