/** The stand-ins of the local cloud, each started unless a setting names a real server in its place. */

import { join } from 'node:path';
import { startSqlServer } from 'local-sql-server';
import type { LocalCloudOptions, Settings } from './cloud.ts';
import { clientId, databases, preferredPorts, sqlLogin, sqlServerSettings, tenantId } from './defaults.ts';
import { type Identity, startIdentity } from './identity/start.ts';
import { portIfFree } from './port-if-free.ts';
import { dropUnfinished } from './sample-data/calendar/whole-or-none.ts';
import { sampleUsers } from './sample-data/users.ts';
import { startTables } from './tables/start-tables.ts';

/** A stand-in that runs: what it adds to the settings, and how to end it. */
export interface StandIn {
  readonly name: string;
  readonly address: string;
  readonly settings: Settings;
  /** Resolves when its process ends by itself. */
  readonly lost?: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the stand-ins that no setting replaces. When one cannot start, the others stop. */
export async function startStandIns(
  options: LocalCloudOptions,
): Promise<{ readonly identity: Identity; readonly running: readonly StandIn[] }> {
  const identity = await startLocalIdentity(options);
  const running = await allOrNone([
    identityStandIn(identity, options.settings ?? {}),
    sqlServerStandIn(options, identity),
    tablesStandIn(options),
  ]);
  return { identity, running };
}

async function allOrNone(starting: readonly Promise<StandIn | undefined>[]): Promise<StandIn[]> {
  const outcomes = await Promise.allSettled(starting);
  const running = outcomes
    .flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    .filter((one) => one !== undefined);
  const failed = outcomes.find((one) => one.status === 'rejected');
  if (failed === undefined) return running;
  await Promise.all(running.map((one) => one.stop()));
  throw failed.reason;
}

async function startLocalIdentity({ folder, preferPorts = false }: LocalCloudOptions): Promise<Identity> {
  return startIdentity({
    tenantId,
    clientId,
    users: sampleUsers,
    port: preferPorts ? await portIfFree(preferredPorts.identity) : 0,
    ...(folder === undefined ? {} : { folder }),
  });
}

/** The issuer always runs, since `npm run token` asks it; its settings give way to a real authority. */
async function identityStandIn(
  { address, authority, identityEndpoint, identityHeader, stop }: Identity,
  given: Settings,
): Promise<StandIn> {
  const settings = {
    AppRegistration__Authority: authority,
    ...(given['IDENTITY_ENDPOINT'] === undefined
      ? { IDENTITY_ENDPOINT: identityEndpoint, IDENTITY_HEADER: identityHeader }
      : {}),
  };
  return { name: 'identity', address, settings, stop };
}

async function sqlServerStandIn(
  { folder, preferPorts = false, settings = {} }: LocalCloudOptions,
  { authority: issuer }: Identity,
): Promise<StandIn | undefined> {
  if (settings['DB_SERVER'] !== undefined) return undefined;
  const server = await startSqlServer({
    ...(folder === undefined ? {} : { folder: join(folder, 'sql-server') }),
    databases: Object.values(databases),
    users: { [sqlLogin.user]: sqlLogin.password },
    issuer,
    port: preferPorts ? await portIfFree(preferredPorts.sqlServer) : 0,
  });
  return {
    name: 'sql-server',
    address: `localhost,${server.port}`,
    settings: { ...sqlServerSettings, DB_SERVER: `localhost,${server.port}` },
    lost: server.lost,
    stop: server.stop,
  };
}

async function tablesStandIn({
  folder,
  preferPorts = false,
  settings = {},
}: LocalCloudOptions): Promise<StandIn | undefined> {
  if (
    settings['CALENDAR_TABLE_CONNECTION_STRING'] !== undefined ||
    settings['CALENDAR_TABLE_ENDPOINT'] !== undefined
  )
    return undefined;
  const kept = tablesFolder(folder);
  if (kept !== undefined) dropUnfinished(kept);
  const tables = await startTables({
    ...(kept === undefined ? {} : { folder: kept }),
    port: preferPorts ? await portIfFree(preferredPorts.tables) : 0,
  });
  return {
    name: 'tables',
    address: tables.endpoint,
    settings: { CALENDAR_TABLE_CONNECTION_STRING: tables.connectionString },
    lost: tables.lost,
    stop: tables.stop,
  };
}

/** Where the tables are kept, below the folder of the state. */
export function tablesFolder(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, 'tables');
}
