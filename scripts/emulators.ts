/** npm run emulators: starts the emulators alone, with the built app and its settings, for Azure Functions Core Tools. */

import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Emulator,
  fixedSettings,
  lockStateFolder,
  preferredPorts,
  type Settings,
  sampleScripts,
  startEmulators,
} from '../local/index.ts';
import { buildApp } from './build.ts';
import { readArguments } from './command-line.ts';
import { prepareDatabases } from './migrate/migrate.ts';
import { announce } from './start/announce.ts';
import { readStartSettings } from './start/settings.ts';
import { stopOnSignal } from './start/stop-on-signal.ts';

const root = join(import.meta.dirname, '..');

const { values } = readArguments({
  command: 'npm run emulators',
  help: `Builds the app and starts the emulators of Entra ID, SQL Server and Table Storage until Ctrl-C, without the app.
Azure Functions Core Tools serve the app over them: run "func start" in the root of the project.

  npm run emulators

  --settings <file>  the file of settings, which is written unless it exists (local.settings.json)
  --help             this text

LOCAL_STATE, SAMPLE_DATA and PORT mean the same as for npm start. Only npm start loads the sample calendar, since that needs the app.`,
  options: { settings: { type: 'string', default: 'local.settings.json' } },
});
const settingsFile = resolve(root, values.settings);

try {
  const { folder, port, sampleData, settings: given } = readStartSettings(root, process.env);
  if (folder !== undefined) lockStateFolder(folder);
  await buildApp();
  const { identity, running } = await startEmulators({ folder, settings: given, preferPorts: port !== 0 });
  const stop = () => Promise.all(running.map((emulator) => emulator.stop()));
  stopOnSignal(stop);
  const settings: Settings = Object.assign(
    {},
    fixedSettings,
    ...running.map((emulator) => emulator.settings),
    given,
  );
  if (running.some(({ name }) => name === 'sql-server'))
    await prepareDatabases(settings, sampleScripts(sampleData));
  announce(root, folder, { identity, settings, url: `http://localhost:${preferredPorts.app}` });
  const isWritten = writeSettings(settings);
  for (const { name, endpoint } of running) console.log(`${name.padEnd(12)} ${endpoint}`);
  console.log(explain(isWritten));
  await anyLost(running);
  await stop();
  process.exit(1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Writes local.settings.json unless it exists. Returns whether it was written. */
function writeSettings(settings: Settings): boolean {
  if (existsSync(settingsFile)) return false;
  const values = { FUNCTIONS_WORKER_RUNTIME: 'node', AzureWebJobsStorage: '', ...settings };
  const content = { IsEncrypted: false, Values: values };
  writeFileSync(settingsFile, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return true;
}

function explain(isWritten: boolean): string {
  const file = isWritten
    ? `${values.settings} was written with their addresses.`
    : `${values.settings} exists and was not changed: compare its addresses with these.`;
  return `\nThe app is built. ${file}\nServe it in another terminal with: func start`;
}

/** Resolves when an emulator ends by itself. */
async function anyLost(emulators: readonly Emulator[]): Promise<void> {
  const losses = emulators.flatMap(({ lost }) => (lost === undefined ? [] : [lost]));
  console.error(`${await Promise.race(losses)}.`);
}
