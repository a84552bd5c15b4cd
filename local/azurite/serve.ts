/** The process of a storage emulator: serves one of Azurite's services until its parent lets go. */

import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { tellParent, toldToStop } from '../../packages/child-process.ts';
import { takeOverFolder } from '../state-lock.ts';

/** What we use of Azurite's servers; starting them here, and not through their commands, leaves their telemetry out. */
interface Server {
  start(): Promise<void>;
  close(): Promise<void>;
  getHttpServerAddress(): string;
}

/** A LokiJS database, which writes a separate file and renames it, so that a kill leaves the old file or the new one. */
export interface Database {
  /** Ends the saving every 5 seconds. */
  autosaveDisable(): void;
  /** Whether something was changed since the last save. */
  autosaveDirty(): boolean;
  saveDatabase(done: (error?: unknown) => void): void;
}

/** One of Azurite's services. */
export interface Service<Databases> {
  readonly name: 'Table' | 'Blob';
  /** Returns the arguments of its configuration between `keepAliveTimeout` and `loose`, in their order. */
  readonly configuration: (folder: string) => object;
  readonly databasesOf: (server: Databases) => readonly Database[];
  /** Prepares a folder that an earlier process may have left. */
  readonly prepare?: (folder: string) => void;
}

/** Milliseconds between two saves. */
const saveInterval = 100;
/** How much of its time the process may save, where saving takes long. */
const maxSavingShare = 0.2;

function createServer<Databases>(
  { name, configuration }: Service<Databases>,
  port: number,
  folder: string | undefined,
): Server & Databases {
  const require = createRequire(import.meta.url);
  const source = `azurite/dist/src/${name.toLowerCase()}`;
  const { default: Configuration } = require(`${source}/${name}Configuration.js`);
  const { default: Server } = require(`${source}/${name}Server.js`);
  const options = {
    host: '127.0.0.1',
    port,
    keepAliveTimeout: 5,
    ...configuration(folder ?? '.'),
    loose: false,
    skipApiVersionCheck: true,
    certificate: '',
    key: '',
    password: '',
    oauth: undefined,
    disableProductStyleUrl: false,
    inMemory: folder === undefined,
  };
  return new Server(new Configuration(...Object.values(options)));
}

/** Saves what was changed, again and again. */
async function keepSaved(databases: readonly Database[]): Promise<never> {
  for (const database of databases) database.autosaveDisable();
  for (;;) {
    const started = performance.now();
    for (const database of databases) if (database.autosaveDirty()) await save(database);
    const took = performance.now() - started;
    await delay(Math.max(saveInterval, took / maxSavingShare - took), undefined, { ref: false });
  }
}

function save(database: Database): Promise<void> {
  return new Promise((resolve, reject) => {
    database.saveDatabase((error) => (error ? reject(error) : resolve()));
  });
}

async function serve<Databases>(service: Service<Databases>, port: number, folder?: string): Promise<void> {
  if (folder !== undefined) {
    takeOverFolder(folder);
    service.prepare?.(folder);
  }
  const server = createServer(service, port, folder);
  await server.start();
  if (folder !== undefined) void keepSaved(service.databasesOf(server));
  tellParent({ port: Number(new URL(server.getHttpServerAddress()).port) });
  await toldToStop();
  // Closing saves what was changed.
  await server.close();
  process.exit();
}

/** Serves a service at the port, and with the folder, that the arguments of the process name. */
export async function serveAzurite<Databases>(service: Service<Databases>): Promise<void> {
  try {
    await serve(service, Number(process.argv[2]), process.argv[3]);
  } catch (error) {
    tellParent({ failure: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
  }
}
