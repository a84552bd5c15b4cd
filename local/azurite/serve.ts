/** The process of a storage emulator: serves one of Azurite's services until its parent lets go. */

import { readdirSync, statfsSync, statSync } from 'node:fs';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tellParent, toldToStop } from '../../packages/child-process.ts';
import { takeOverFolder } from '../state-lock.ts';

/** What we use of Azurite's servers; starting them here, and not through their commands, leaves their telemetry out. */
interface Server {
  start(): Promise<void>;
  close(): Promise<void>;
  getHttpServerAddress(): string;
  readonly httpServer: HttpServer;
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

/** Bytes that stay free beside those of the next save. */
const spareBytes = 4 * 1024 * 1024;

/**
 * Keeps databases in their files. A service answers before it saves; so it takes no change while there is no room for the next save, or the
 * last one has failed: what it has answered is saved as soon as there is room again.
 */
class Saver {
  readonly #name: string;
  readonly #folder: string;
  readonly #unsaved: Set<Database>;
  readonly #databases: readonly Database[];
  #failure: string | undefined;

  constructor(name: string, folder: string, databases: readonly Database[]) {
    this.#name = name;
    this.#folder = folder;
    this.#databases = databases;
    this.#unsaved = new Set();
    for (const database of databases) database.autosaveDisable();
  }

  /** Why no change can be taken; undefined while all is well. */
  get refusal(): string | undefined {
    if (this.#failure !== undefined) return this.#failure;
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize < 2 * this.#bytes + spareBytes ? 'there is too little room on the disk' : undefined;
  }

  /** Bytes of the files, each of which is written whole before it takes the place of the last one. */
  get #bytes(): number {
    const files = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    return files.reduce((sum, name) => sum + statSync(join(this.#folder, name)).size, 0);
  }

  /** Saves what was changed. What cannot be saved is told once, and tried again. */
  async save(): Promise<void> {
    // A database counts as saved once that was tried.
    for (const database of this.#databases) if (database.autosaveDirty()) this.#unsaved.add(database);
    try {
      for (const database of this.#unsaved) {
        await save(database);
        this.#unsaved.delete(database);
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error.message.replace(/^(Error: )+/, '') : String(error));
      return;
    }
    if (this.#failure !== undefined) console.error(`${this.#name} are saved again.`);
    this.#failure = undefined;
  }

  #fail(why: string): void {
    if (this.#failure === undefined)
      console.error(
        `${this.#name} cannot be saved: ${why}. They take no change until they can. What they have answered is in memory: make room before you stop them.`,
      );
    this.#failure = why;
  }

  /** Saves again and again. */
  async keepSaved(): Promise<never> {
    for (;;) {
      const started = performance.now();
      await this.save();
      const took = performance.now() - started;
      await delay(Math.max(saveInterval, took / maxSavingShare - took), undefined, { ref: false });
    }
  }

  /** Whether all that was changed is saved. */
  get isSaved(): boolean {
    return this.#unsaved.size === 0;
  }
}

/** Answers changes as a service does that cannot take them now, while there is a reason. */
function refuseChanges({ httpServer }: Server, reason: () => string | undefined): void {
  const [serveRequest] = httpServer.listeners('request') as [
    (request: IncomingMessage, response: ServerResponse) => void,
  ];
  httpServer.removeAllListeners('request');
  httpServer.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '');
    const why = isChange ? reason() : undefined;
    if (why === undefined) return serveRequest(request, response);
    request.resume();
    const error = { code: 'ServerBusy', message: { lang: 'en-US', value: `Nothing can be stored: ${why}.` } };
    response.writeHead(503, { 'Content-Type': 'application/json', 'x-ms-error-code': error.code });
    response.end(JSON.stringify({ 'odata.error': error }));
  });
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
  const saver =
    folder === undefined
      ? undefined
      : new Saver(`The local ${service.name.toLowerCase()}s`, folder, service.databasesOf(server));
  if (saver !== undefined) {
    refuseChanges(server, () => saver.refusal);
    void saver.keepSaved();
  }
  tellParent({ port: Number(new URL(server.getHttpServerAddress()).port) });
  await toldToStop();
  await saver?.save();
  // What cannot be saved has been told.
  if (saver?.isSaved === false) process.exit(1);
  // Closing saves what was changed meanwhile.
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
