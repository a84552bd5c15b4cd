// Runs a script or a tool of this project with the Node version it is pinned to, and installs what the command
// needs first when it is missing or differs from that of the lock files. Works on any Node from 18 on, so it uses
// nothing but Node's own modules. An npm script that runs a tool is explained here, and not by the tool.
//
//   node scripts/run.mjs scripts/start/main.ts [arguments]     a script of ours
//   node scripts/run.mjs --dev vitest run               a tool from node_modules/.bin that is for development alone
//   node scripts/run.mjs --max-semi-space-size=8 x.ts   a script of ours, with options of Node
//   node scripts/run.mjs --with=test/engines --dev vitest    a tool that needs what a folder's own manifest lists, too

import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tryToLock } from './lock-file.mjs';
import { toolHelp } from './tool-help.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const installing = join(root, '.installing');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const windows = process.platform === 'win32';

/** A folder with a manifest, its lock file, what npm itself notes once all is in place, and what we note. */
function placeAt(folder, what, dev = true) {
  const modules = join(folder, 'node_modules');
  return {
    folder,
    what,
    dev,
    modules,
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    lock: join(folder, 'package-lock.json'),
    npmsLock: join(modules, '.package-lock.json'),
    installedLock: join(modules, '.installed-lock.json'),
  };
}

const words = process.argv.slice(2);
const folders = [];
while (words[0]?.startsWith('--with=')) folders.push(join(root, words.shift().slice('--with='.length)));
const dev = words[0] === '--dev';
if (dev) words.shift();

/** The pinned Node has a manifest of its own, and is installed where that of the user is not as new, or of another major version. */
const nodePlace = placeAt(join(root, 'scripts', 'node'), 'Node');
const [major, minor] = nodePlace.manifest.devDependencies.node.split('.').map(Number);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
// One that lies in the project, as that of an earlier version did, goes with the next installation.
const isOurs = process.execPath.startsWith(join(root, 'node_modules'));
const fits = ownMajor === major && ownMinor >= minor && !isOurs;
const pinnedNode = join(nodePlace.modules, 'node', 'bin', windows ? 'node.exe' : 'node');
const node = fits ? process.execPath : pinnedNode;

const places = [
  ...(fits ? [] : [nodePlace]),
  placeAt(root, 'dependencies', dev),
  ...folders.map((folder) => placeAt(folder, `the tools of ${relative(root, folder)}`)),
];

/** Checks whether what the lock file names was installed: by us, or by an "npm ci" of the user on a Node that leaves nothing out. */
function isInstalled(place) {
  const { lock, installedLock } = place;
  const isNoted = existsSync(installedLock) && readFileSync(installedLock).equals(readFileSync(lock));
  return (isNoted || (fits && npmHasInstalled(place))) && (!place.dev || hasDevelopment(place));
}

/** Checks whether npm has installed since the lock file changed. */
function npmHasInstalled({ lock, npmsLock }) {
  return existsSync(npmsLock) && statSync(npmsLock).mtimeMs >= statSync(lock).mtimeMs;
}

function hasDevelopment({ modules, manifest: { devDependencies = {} } }) {
  return Object.keys(devDependencies).every((name) => existsSync(join(modules, name)));
}

/** Says which process installs: this one, or its npm, which goes on when this one is killed. */
const nameInstaller = (pid) => writeFileSync(installing, String(pid));

/** Does the work alone among the commands of this project: the others wait while the process that is named installs. */
async function alone(work) {
  let told = false;
  while (!tryToLock(installing)) {
    if (!told && existsSync(installing)) {
      told = true;
      console.error('Another command is installing the dependencies (.installing); waiting for it ...');
    }
    await delay(250);
  }
  const tidyUp = () => rmSync(installing, { force: true });
  process.once('exit', tidyUp);
  await work();
  process.removeListener('exit', tidyUp);
  tidyUp();
}

async function install(place) {
  // What is there but for development, or for an old Node, is completed; all else begins anew.
  const isCompleted = npmHasInstalled(place);
  const keeps = place.dev || (existsSync(place.npmsLock) && hasDevelopment(place));
  console.error(
    isCompleted
      ? `Completing ${place.what} ...`
      : `Installing ${place.what} (once; this takes about a minute) ...`,
  );
  const command = isCompleted ? ['install', '--no-save'] : ['ci'];
  // --include=dev: also where NODE_ENV or the user's npm settings leave these out.
  await npm(place, [...command, keeps ? '--include=dev' : '--omit=dev']);
  if (place === nodePlace) dropHeaders();
  if (existsSync(node)) copyFileSync(place.lock, place.installedLock);
}

/** Removes what only who compiles native modules needs, a third of what Node's package brings. */
function dropHeaders() {
  const platform = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  for (const name of [platform, platform.replace('node-', 'node-bin-')])
    rmSync(join(nodePlace.modules, 'node', 'node_modules', name, 'include'), {
      recursive: true,
      force: true,
    });
}

/** Runs npm, and ends this process where that fails. npm says to its scripts where it is; Windows would run it with the Node beside it. */
async function npm({ folder }, parameters) {
  const cli = process.env.npm_execpath ?? '';
  const [command, first] = existsSync(node) && cli.endsWith('npm-cli.js') ? [node, [cli]] : ['npm', []];
  const child = spawn(command, [...first, ...parameters, '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: folder,
    env: existsSync(node) ? environment([]) : process.env,
    shell: windows && command === 'npm',
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (child.pid !== undefined) nameInstaller(child.pid);
  // npm alone would continue after Ctrl-C, and be in the way of the next installation.
  for (const signal of signals) process.once(signal, () => child.kill('SIGKILL'));
  const ended = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ problem: `npm cannot be run: ${message}.` }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  nameInstaller(process.pid);
  for (const signal of signals) process.removeAllListeners(signal);
  if (ended.signal) process.exit(130);
  if (ended.code === 0) return;
  const problem = ended.problem ?? `"npm ${parameters[0]}" failed, see its messages above.`;
  fail(`Could not install the dependencies: ${problem}`, ended.code);
}

function fail(message, status) {
  console.error(message);
  process.exit(status ?? 1);
}

function commandFor(bins) {
  const first = words.findIndex((word) => !word.startsWith('-'));
  const [name, ...rest] = words.slice(first);
  if (/\.(ts|mjs)$/.test(name)) {
    const options = ['--disable-warning=ExperimentalWarning', ...words.slice(0, first)];
    return [node, [...options, join(root, name), ...rest]];
  }
  const file = windows ? `${name}.cmd` : name;
  return [join(bins.find((folder) => existsSync(join(folder, file))) ?? bins[0], file), rest];
}

/** The tools come first on the PATH. What Node makes of our TypeScript is kept, since most of our processes are short. */
function environment(bins) {
  const path = [dirname(node), ...bins, process.env.PATH].join(windows ? ';' : ':');
  return { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env, PATH: path };
}

const asksForHelp = process.argv.some((word) => word === '--help' || word === '-h');
const explanation = toolHelp[process.env.npm_lifecycle_event ?? ''];
if (asksForHelp && explanation !== undefined) {
  console.log(explanation);
  process.exit(0);
}

const missing = () => places.filter((place) => !isInstalled(place));
if (missing().length > 0)
  await alone(async () => {
    for (const place of missing()) {
      await install(place);
      if (!existsSync(node))
        fail(
          'The pinned Node is not installed: npm was told to run no install scripts (ignore-scripts).\n' +
            'Allow it for this one package with "npm rebuild node --prefix scripts/node --ignore-scripts=false", then run this again.',
        );
    }
  });

const bins = [root, ...folders].map((folder) => join(folder, 'node_modules', '.bin'));
const [command, parameters] = commandFor(bins);
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
function watchShell() {
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, 200);
}

// npm hands a signal to the shell between us and it, and that shell ends without a word to us. Without a shell nobody waits for the command.
const shell = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) watchShell();
child.on('error', ({ message }) => fail(`Cannot run ${command}: ${message}.`));
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
