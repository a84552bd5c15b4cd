/** The process of the local blobs: serves Azurite's blob service until its parent lets go. */

import { createRequire, Module } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tellParent, toldToStop } from 'child-process';
import { takeOverFolder } from '../state-lock.ts';

/** What we use of Azurite's `BlobServer`; starting it here, and not through its command, leaves its telemetry out. */
interface BlobServer {
  start(): Promise<void>;
  close(): Promise<void>;
  getHttpServerAddress(): string;
  /** Its LokiJS databases: of blobs, and of the files with their bytes. */
  readonly metadataStore: { readonly db: Database };
  readonly extentMetadataStore: { readonly db: Database };
}

interface Database {
  autosaveDisable(): void;
  autosaveDirty(): boolean;
  saveDatabase(done: (error?: unknown) => void): void;
}

/** Milliseconds between two saves. */
const saveInterval = 100;

/** Arguments of Azurite's `BlobConfiguration`, in its order. */
function configuration(port: number, folder: string | undefined): unknown[] {
  const place = folder ?? '.';
  const options = {
    host: '127.0.0.1',
    port,
    keepAliveTimeout: 5,
    database: join(place, 'blobs.json'),
    extentDatabase: join(place, 'extents.json'),
    files: [{ locationId: 'Default', locationPath: join(place, 'files'), maxConcurrency: 10 }],
    accessLog: false,
    accessLogStream: undefined,
    debugLog: false,
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

/** What Azurite loads for its telemetry and its debug log, neither of which we turn on. */
const unused = ['applicationinsights', 'winston'];

/** Returns Azurite's `require`, which gives an empty module in the place of each that is unused. */
function requireForAzurite(): NodeJS.Require {
  const entry = createRequire(import.meta.url).resolve('azurite/dist/src/blob/BlobServer.js');
  const require = createRequire(entry);
  for (const path of unused.map((name) => require.resolve(name))) {
    const empty = new Module(path);
    empty.loaded = true;
    require.cache[path] = empty;
  }
  return require;
}

function createServer(port: number, folder: string | undefined): BlobServer {
  const require = requireForAzurite();
  const { default: Configuration } = require('./BlobConfiguration.js');
  const { default: Server } = require('./BlobServer.js');
  return new Server(new Configuration(...configuration(port, folder)));
}

/** Saves what was changed, again and again. */
async function keepSaved(databases: readonly Database[]): Promise<never> {
  for (const database of databases) database.autosaveDisable();
  for (;;) {
    for (const database of databases) if (database.autosaveDirty()) await save(database);
    await delay(saveInterval, undefined, { ref: false });
  }
}

function save(database: Database): Promise<void> {
  return new Promise((resolve, reject) => {
    database.saveDatabase((error) => (error ? reject(error) : resolve()));
  });
}

async function serve(port: number, folder: string | undefined): Promise<void> {
  if (folder !== undefined) takeOverFolder(folder);
  const server = createServer(port, folder);
  await server.start();
  if (folder !== undefined) void keepSaved([server.metadataStore.db, server.extentMetadataStore.db]);
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
