// Runs a script or a tool of this project with the Node version it is pinned to, and installs the
// dependencies first when they are missing or differ from those of the lock file. Works on any Node from 18 on,
// so it uses nothing but Node's own modules. An npm script that runs a tool is explained here, and not by the tool.
//
//   node scripts/run.mjs scripts/start/main.ts [arguments]     a script of ours
//   node scripts/run.mjs vitest run                     a tool from node_modules/.bin
//   node scripts/run.mjs --max-semi-space-size=8 x.ts   a script of ours, with options of Node
//   node scripts/run.mjs --with=test/engines vitest     a tool that needs what a folder's own manifest lists, too

import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toolHelp } from './tool-help.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const installing = join(root, '.installing');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const windows = process.platform === 'win32';
const pinnedNode = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node');

/** A folder with a manifest, its lock file, and what npm itself notes once all is in place. */
function placeAt(folder) {
  return {
    folder,
    lock: join(folder, 'package-lock.json'),
    npmsLock: join(folder, 'node_modules', '.package-lock.json'),
    installedLock: join(folder, 'node_modules', '.installed-lock.json'),
  };
}

/** Checks whether what the lock file names was installed, and noted. */
function isInstalled({ lock, installedLock }) {
  return existsSync(installedLock) && readFileSync(installedLock).equals(readFileSync(lock));
}

/** Checks whether npm has installed since the lock file changed, as by an "npm ci" of the user. */
function npmHasInstalled({ lock, npmsLock }) {
  return existsSync(npmsLock) && statSync(npmsLock).mtimeMs >= statSync(lock).mtimeMs;
}

/** Checks whether this process runs on a Node older than the project's, for which npm leaves out packages that need a newer one. */
function isOldNode() {
  const { engines = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Number.parseInt(process.versions.node, 10) < Number(/\d+/.exec(engines.node ?? ''));
}

/** Installs, unless another command of this project does: then it waits for that one. */
async function installOnce(place) {
  let told = false;
  while (!isInstalled(place)) {
    if (tryToCreate(installing)) return installAll(place);
    if (!told && existsSync(installing)) {
      console.error('Another command is installing the dependencies (.installing); waiting for it ...');
      told = true;
    }
    await delay(250);
  }
}

function tryToCreate(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isRunning(ownerOf(file))) rmSync(file, { force: true });
    return false;
  }
}

/** The process that created the file; 0 when the file has been removed since, or is still empty. */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function installAll(place) {
  if (!npmHasInstalled(place)) {
    const what = place.folder === root ? 'dependencies' : `the tools of ${relative(root, place.folder)}`;
    console.error(`Installing ${what} (once; this takes about a minute) ...`);
    await npm(place, 'npm', ['ci'], process.env);
  }
  if (isOldNode() && existsSync(pinnedNode)) {
    console.error('Adding what npm leaves out on an old Node ...');
    const parameters = ['install', '--no-save', '--ignore-scripts'];
    // npm says to its scripts where it is; Windows would run it with the Node beside it.
    const npmCli = process.env.npm_execpath ?? '';
    if (npmCli.endsWith('npm-cli.js')) await npm(place, pinnedNode, [npmCli, ...parameters], environment([]));
    else await npm(place, 'npm', parameters, environment([]));
  }
  rmSync(installing, { force: true });
  if (existsSync(pinnedNode)) copyFileSync(place.lock, place.installedLock);
}

/** Runs npm, and ends this process where that fails. */
async function npm({ folder }, command, parameters, env) {
  // --include=dev: also where NODE_ENV or the user's npm settings leave these out.
  const all = [...parameters, '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const stdio = ['ignore', process.stderr, process.stderr];
  const child = spawn(command, all, { cwd: folder, env, shell: windows && command === 'npm', stdio });
  // npm alone would continue after Ctrl-C, and be in the way of the next installation.
  for (const signal of signals) process.once(signal, () => child.kill('SIGKILL'));
  const ended = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ problem: `npm cannot be run: ${message}.` }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  for (const signal of signals) process.removeAllListeners(signal);
  if (!ended.signal && ended.code === 0) return;
  rmSync(installing, { force: true });
  if (ended.signal) process.exit(130);
  const problem = ended.problem ?? `"npm ${parameters[0]}" failed, see its messages above.`;
  fail(`Could not install the dependencies: ${problem}`, ended.code);
}

function fail(message, status) {
  console.error(message);
  process.exit(status ?? 1);
}

function commandFor(words, bins) {
  const first = words.findIndex((word) => !word.startsWith('-'));
  const [name, ...rest] = words.slice(first);
  if (/\.(ts|mjs)$/.test(name)) {
    const options = ['--disable-warning=ExperimentalWarning', ...words.slice(0, first)];
    return [pinnedNode, [...options, join(root, name), ...rest]];
  }
  const file = windows ? `${name}.cmd` : name;
  const own = join(modules, '.bin');
  const bin = [own, ...bins].find((folder) => existsSync(join(folder, file))) ?? own;
  return [join(bin, file), rest];
}

/** The tools come first on the PATH. What Node makes of our TypeScript is kept, since most of our processes are short. */
function environment(bins) {
  const path = [dirname(pinnedNode), join(modules, '.bin'), ...bins, process.env.PATH].join(
    windows ? ';' : ':',
  );
  return { NODE_COMPILE_CACHE: join(modules, '.cache', 'node'), ...process.env, PATH: path };
}

const asksForHelp = process.argv.some((word) => word === '--help' || word === '-h');
const explanation = toolHelp[process.env.npm_lifecycle_event ?? ''];
if (asksForHelp && explanation !== undefined) {
  console.log(explanation);
  process.exit(0);
}

const words = process.argv.slice(2);
const folders = [];
while (words[0]?.startsWith('--with=')) folders.push(join(root, words.shift().slice('--with='.length)));
const bins = folders.map((folder) => join(folder, 'node_modules', '.bin'));

await installOnce(placeAt(root));
if (!existsSync(pinnedNode))
  fail(
    'The pinned Node is not installed: npm was told to run no install scripts (ignore-scripts).\n' +
      'Allow it for this one package with "npm rebuild node --ignore-scripts=false", then run this again.',
  );

for (const folder of folders) await installOnce(placeAt(folder));

const [command, parameters] = commandFor(words, bins);
const child = spawn(command, parameters, {
  cwd: root,
  env: environment(bins),
  shell: windows && command.endsWith('.cmd'),
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to the whole group; the child decides how to end, we only wait for it.
for (const signal of signals) {
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
}
child.on('error', ({ message }) => fail(`Cannot run ${command}: ${message}.`));
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
