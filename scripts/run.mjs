// Runs a script or a tool of this project with the Node version it is pinned to, and installs the
// dependencies first when they are missing or older than the lock file. Works on any Node from 18 on,
// so it uses nothing but Node's own modules.
//
//   node scripts/run.mjs local/start.ts [arguments]     a script of ours
//   node scripts/run.mjs vitest run                     a tool from node_modules/.bin

import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, 'package-lock.json');
const installedLock = join(root, 'node_modules', '.installed-lock.json');
const windows = process.platform === 'win32';

function dependenciesAreCurrent() {
  return existsSync(installedLock) && readFileSync(installedLock).equals(readFileSync(lock));
}

function installDependencies() {
  console.error('Installing dependencies (once; this takes about a minute) ...');
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    shell: windows,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) {
    console.error('Could not install the dependencies: "npm ci" failed, see its messages above.');
    process.exit(status ?? 1);
  }
  copyFileSync(lock, installedLock);
}

function commandFor([name, ...rest]) {
  const pinnedNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  if (/\.(ts|mjs)$/.test(name))
    return [pinnedNode, ['--disable-warning=ExperimentalWarning', join(root, name), ...rest]];
  return [join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name), rest];
}

function environmentWithToolsFirst() {
  const path = [
    join(root, 'node_modules', 'node', 'bin'),
    join(root, 'node_modules', '.bin'),
    process.env.PATH,
  ];
  return { ...process.env, PATH: path.join(windows ? ';' : ':') };
}

if (!dependenciesAreCurrent()) installDependencies();

const [command, parameters] = commandFor(process.argv.slice(2));
const child = spawn(command, parameters, {
  cwd: root,
  env: environmentWithToolsFirst(),
  shell: windows && command.endsWith('.cmd'),
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to the whole group; the child decides how to end, we only wait for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
}
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
