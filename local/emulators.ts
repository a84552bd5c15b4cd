/** The emulators of the dev stack, each started unless a setting names a real server in its place. */

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { startBlobs } from './blobs/start-blobs.ts';
import { clientId, databases, preferredPorts, sqlLogin, sqlServerSettings, tenantId } from './defaults.ts';
import { startOnFreePort } from './free-port.ts';
import { type Identity, type IdentityOptions, startIdentity } from './identity/start.ts';
import { sampleUsers } from './sample-data/users.ts';
import { startTables } from './tables/start-tables.ts';

export type Settings = Readonly<Record<string, string>>;

export interface EmulatorOptions {
  /** Folder that keeps the state between runs; without it nothing is kept. */
  readonly folder?: string | undefined;
  /** Whether the emulators take their preferred ports where these are free. Default: any free port. */
  readonly preferPorts?: boolean;
  /** Settings that replace ours. An emulator whose endpoint is among them does not start. */
  readonly settings?: Settings;
  /** Makes the keys that the issuer signs with. Default: new ones. */
  readonly generateKey?: IdentityOptions['generateKey'];
}

/** An emulator that runs: what it adds to the settings, and how to end it. */
export interface Emulator {
  readonly name: string;
  readonly endpoint: string;
  readonly settings: Settings;
  /** Its process, where it has one of its own. */
  readonly process?: ChildProcess;
  /** Resolves when its process ends by itself. */
  readonly lost?: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the emulators that no setting replaces. When one cannot start, the others stop. */
export async function startEmulators(
  options: EmulatorOptions,
): Promise<{ readonly identity: Identity; readonly running: readonly Emulator[] }> {
  const identity = await startLocalIdentity(options);
  const running = await allOrNone([
    identityEmulator(identity, options.settings ?? {}),
    sqlServerEmulator(options, identity),
    tablesEmulator(options),
    blobsEmulator(options),
  ]);
  return { identity, running };
}

async function allOrNone(starting: readonly Promise<Emulator | undefined>[]): Promise<Emulator[]> {
  const outcomes = await Promise.allSettled(starting);
  const running = outcomes
    .flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    .filter((outcome) => outcome !== undefined);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return running;
  await Promise.all(running.map((item) => item.stop()));
  throw failed.reason;
}

async function startLocalIdentity({
  folder,
  preferPorts = false,
  generateKey,
}: EmulatorOptions): Promise<Identity> {
  return startOnFreePort(preferPorts ? preferredPorts.identity : 0, (port) =>
    startIdentity({
      tenantId,
      clientId,
      users: sampleUsers,
      port,
      generateKey,
      ...(folder === undefined ? {} : { folder }),
    }),
  );
}

/** The issuer always runs, since `npm run token` asks it; its settings give way to a real authority. */
async function identityEmulator(
  { url, authority, identityEndpoint, identityHeader, stop }: Identity,
  given: Settings,
): Promise<Emulator> {
  const settings = {
    AppRegistration__Authority: authority,
    SIGN_IN_HINTS: sampleUsers.map(({ email }) => email).join(),
    ...(given['IDENTITY_ENDPOINT'] === undefined
      ? { IDENTITY_ENDPOINT: identityEndpoint, IDENTITY_HEADER: identityHeader }
      : {}),
  };
  return { name: 'identity', endpoint: url, settings, stop };
}

async function sqlServerEmulator(
  { folder, preferPorts = false, settings = {} }: EmulatorOptions,
  { authority: issuer }: Identity,
): Promise<Emulator | undefined> {
  if (settings['DB_SERVER'] !== undefined) return undefined;
  const server = await startOnFreePort(preferPorts ? preferredPorts.sqlServer : 0, (port) =>
    startSqlServer({
      ...(folder === undefined ? {} : { folder: join(folder, sqlServerFolder) }),
      databases: Object.values(databases),
      users: { [sqlLogin.user]: sqlLogin.password },
      issuer,
      port,
    }),
  );
  return {
    name: 'sql-server',
    endpoint: `localhost,${server.port}`,
    settings: { ...sqlServerSettings, DB_SERVER: `localhost,${server.port}` },
    process: server.process,
    lost: server.lost,
    stop: server.stop,
  };
}

/** The folder of the local SQL server, in that of the state. */
export const sqlServerFolder = 'sql-server';

/** Settings that name real tables. */
const tableSettings = ['CALENDAR_TABLE_CONNECTION_STRING', 'CALENDAR_TABLE_ENDPOINT'];

async function tablesEmulator({
  folder,
  preferPorts = false,
  settings = {},
}: EmulatorOptions): Promise<Emulator | undefined> {
  if (tableSettings.some((name) => settings[name] !== undefined)) return undefined;
  const folderOfTables = tablesFolder(folder);
  const tables = await startOnFreePort(preferPorts ? preferredPorts.tables : 0, (port) =>
    startTables({ ...(folderOfTables === undefined ? {} : { folder: folderOfTables }), port }),
  );
  return {
    name: 'tables',
    endpoint: tables.endpoint,
    settings: { CALENDAR_TABLE_CONNECTION_STRING: tables.connectionString },
    process: tables.process,
    lost: tables.lost,
    stop: tables.stop,
  };
}

/** The blobs go with the tables: those of real tables are not local. */
async function blobsEmulator({
  folder,
  preferPorts = false,
  settings = {},
}: EmulatorOptions): Promise<Emulator | undefined> {
  const names = ['CALENDAR_BLOB_CONNECTION_STRING', 'CALENDAR_BLOB_ENDPOINT', ...tableSettings];
  if (names.some((name) => settings[name] !== undefined)) return undefined;
  const blobs = await startOnFreePort(preferPorts ? preferredPorts.blobs : 0, (port) =>
    startBlobs({ ...(folder === undefined ? {} : { folder: join(folder, 'blobs') }), port }),
  );
  return {
    name: 'blobs',
    endpoint: blobs.endpoint,
    settings: { CALENDAR_BLOB_CONNECTION_STRING: blobs.connectionString },
    process: blobs.process,
    lost: blobs.lost,
    stop: blobs.stop,
  };
}

/** Where the tables are kept, below the folder of the state. */
export function tablesFolder(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, 'tables');
}
