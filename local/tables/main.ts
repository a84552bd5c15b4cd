/** The process of the local tables: serves Azurite's table service until its parent lets go. */

import { createRequire, Module } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { tellParent, toldToStop } from 'child-process';
import { takeOverFolder } from '../state-lock.ts';
import { dropUnfinished, tablesFile } from './whole-or-none.ts';

/** What we use of Azurite's `TableServer`; starting it here, and not through its command, leaves its telemetry out. */
interface TableServer {
  start(): Promise<void>;
  close(): Promise<void>;
  getHttpServerAddress(): string;
  /** Its LokiJS database, which writes a separate file and renames it, so that a kill leaves the old file or the new one. */
  readonly metadataStore: { readonly db: Database };
}

interface Database {
  /** Ends the saving every 5 seconds. */
  autosaveDisable(): void;
  /** Whether something was changed since the last save. */
  autosaveDirty(): boolean;
  saveDatabase(done: (error?: unknown) => void): void;
}

/** Milliseconds between two saves. */
const saveInterval = 100;

/** How much of its time the process may save, where saving takes long. */
const maxSavingShare = 0.2;

/** Arguments of Azurite's `TableConfiguration`, in its order. */
function configuration(port: number, folder: string | undefined): unknown[] {
  const options = {
    host: '127.0.0.1',
    port,
    keepAliveTimeout: 5,
    database: tablesFile(folder ?? '.'),
    debugLog: false,
    accessLog: false,
    accessLogStream: undefined,
    debugLogFile: undefined,
    loose: false,
    skipApiVersionCheck: true,
    certificate: '',
    key: '',
    password: '',
    oauth: undefined,
    disableProductStyleUrl: false,
    inMemory: folder === undefined,
  };
  return Object.values(options);
}

/** What Azurite loads for its telemetry and its debug log, neither of which we turn on: half of all that it loads. */
const unused = ['applicationinsights', 'winston'];

/** Returns Azurite's `require`, which gives an empty module in the place of each that is unused. */
function requireForAzurite(): NodeJS.Require {
  const entry = createRequire(import.meta.url).resolve('azurite/dist/src/table/TableServer.js');
  const require = createRequire(entry);
  for (const path of unused.map((name) => require.resolve(name))) {
    const empty = new Module(path);
    empty.loaded = true;
    require.cache[path] = empty;
  }
  return require;
}

function createServer(port: number, folder: string | undefined): TableServer {
  const require = requireForAzurite();
  const { default: Configuration } = require('./TableConfiguration.js');
  const { default: Server } = require('./TableServer.js');
  return new Server(new Configuration(...configuration(port, folder)));
}

/** Saves what was changed, again and again. */
async function keepSaved(database: Database): Promise<never> {
  database.autosaveDisable();
  for (;;) {
    const started = performance.now();
    if (database.autosaveDirty()) await save(database);
    const took = performance.now() - started;
    await delay(Math.max(saveInterval, took / maxSavingShare - took), undefined, { ref: false });
  }
}

function save(database: Database): Promise<void> {
  return new Promise((resolve, reject) => {
    database.saveDatabase((error) => (error ? reject(error) : resolve()));
  });
}

async function serve(port: number, folder: string | undefined): Promise<void> {
  if (folder !== undefined) {
    takeOverFolder(folder);
    dropUnfinished(folder);
  }
  const server = createServer(port, folder);
  await server.start();
  if (folder !== undefined) void keepSaved(server.metadataStore.db);
  tellParent({ port: Number(new URL(server.getHttpServerAddress()).port) });
  await toldToStop();
  // Closing saves what was changed.
  await server.close();
  process.exit();
}

try {
  await serve(Number(process.argv[2]), process.argv[3]);
} catch (error) {
  tellParent({ failure: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
