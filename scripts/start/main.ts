/**
 * npm start, npm run dev
 * Serves the app with its dev stack until Ctrl-C. Settings: PORT, LOCAL_STATE, SAMPLE_DATA, and every setting of the app,
 * from the environment or from local.settings.json.
 */

import { join } from 'node:path';
import { styleText } from 'node:util';
import { checkState, type DevStack, freePort, lockStateFolder, startDevStack } from '../../local/index.ts';
import { buildApp } from '../build.ts';
import { readArguments } from '../command-line.ts';
import { prepareDatabases } from '../migrate/migrate.ts';
import { announce } from './announce.ts';
import { readinessProblems } from './readiness.ts';
import { restartOnChange, type Watch } from './restart-on-change.ts';
import { debuggerPort, forPeople, readInspect, readStartSettings, usage } from './settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { welcome } from './welcome.ts';

const root = join(import.meta.dirname, '..', '..');

const { values } = readArguments(
  {
    command: 'npm start',
    help: usage,
    options: {
      watch: { type: 'boolean', default: false },
      flex: { type: 'boolean', default: false },
      inspect: { type: 'string' },
    },
  },
  // As with Node itself, the port may be left out.
  process.argv.slice(2).map((word) => (word === '--inspect' ? `--inspect=${debuggerPort}` : word)),
);

const started = performance.now();
const showStep = (step: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${step} ...`);

try {
  const { port, folder, sampleData, settings } = readStartSettings(root, process.env);
  if (folder !== undefined) {
    lockStateFolder(folder);
    checkState(folder);
  }
  if (port !== 0 && (await freePort(port)) === 0)
    throw new Error(`Port ${port} is in use. Choose another one: PORT=0 npm start takes any that is free.`);
  showStep('Building the app');
  await buildApp();
  let stack: DevStack | undefined;
  let watch: Watch | undefined;
  stack = await startDevStack({
    port,
    folder,
    sampleData,
    settings: { ...forPeople, ...settings },
    // When any port will do, another run, or what is left of one, may be using the preferred ports.
    preferPorts: port !== 0,
    log: (line) => console.log(line),
    migrate: prepareDatabases,
    sourceMaps: true,
    flex: values.flex,
    inspect: readInspect(values.inspect),
    onProgress: showStep,
    onLoadFailure: (why) => {
      const line = '='.repeat(80);
      console.error(styleText('red', `\n${line}\n${why}\n${line}\n`));
    },
    onLoss: (what, part) => {
      console.error(`${what}.`);
      if (part === 'app' && watch !== undefined) watch.appIsDown();
      else void stack?.stop().then(() => process.exit(1));
    },
  });
  announce(root, folder, stack);
  const problems = await readinessProblems(stack.base);
  const { stop } = stack;
  stopOnSignal(stop);
  console.log(welcome(stack, { sampleData, folder, problems }));
  if (values.watch) watch = await restartOnChange(stack);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
