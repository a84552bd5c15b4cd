/** The process of the local tables: serves Azurite's table service until its parent lets go. */

import { createRequire } from 'node:module';
import { tellParent, toldToStop } from 'child-process';
import { takeOverFolder } from '../state-lock.ts';
import { dropUnfinished, tablesFile } from './whole-or-none.ts';

/** What we use of Azurite's `TableServer`; starting it here, and not through its command, leaves its telemetry out. */
interface TableServer {
  start(): Promise<void>;
  close(): Promise<void>;
  getHttpServerAddress(): string;
}

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

function createServer(port: number, folder: string | undefined): TableServer {
  const require = createRequire(import.meta.url);
  const { default: Configuration } = require('azurite/dist/src/table/TableConfiguration.js');
  const { default: Server } = require('azurite/dist/src/table/TableServer.js');
  return new Server(new Configuration(...configuration(port, folder)));
}

async function serve(port: number, folder: string | undefined): Promise<void> {
  if (folder !== undefined) {
    takeOverFolder(folder);
    dropUnfinished(folder);
  }
  const server = createServer(port, folder);
  await server.start();
  tellParent({ port: Number(new URL(server.getHttpServerAddress()).port) });
  await toldToStop();
  // Only closing saves the tables.
  await server.close();
  process.exit();
}

try {
  await serve(Number(process.argv[2]), process.argv[3]);
} catch (error) {
  tellParent({ failure: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
