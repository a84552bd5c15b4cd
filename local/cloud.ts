/** The local cloud: the stand-ins and, over them, the built app, each in a process of its own. */

import { join } from 'node:path';
import {
  clientId,
  databases,
  fixedSettings,
  preferredPorts,
  sqlLogin,
  sqlServerSettings,
  tenantId,
} from './defaults.ts';
import { type FunctionsHost, type FunctionsHostOptions, startFunctionsHost } from './functions-host/start.ts';
import { type Identity, startIdentity } from './identity/start.ts';
import { migrate } from './migrate.ts';
import { portIfFree } from './port-if-free.ts';
import { loadCalendarSamples } from './sample-data/calendar/load.ts';
import { sampleUsers } from './sample-data/users.ts';
import { startSqlServer } from './sql-server/start.ts';
import { startTables } from './tables/start-tables.ts';

export type Settings = Readonly<Record<string, string>>;

export interface LocalCloudOptions {
  /** Folder that keeps the state between runs; without it nothing is kept. */
  readonly folder?: string | undefined;
  /** Port of the app; 0 for any free one. */
  readonly port?: number;
  /** Whether the stand-ins take their preferred ports where these are free. Default: any free port. */
  readonly preferPorts?: boolean;
  readonly sampleData?: boolean;
  /** Whether to create and fill the databases. Default: those of the local SQL server only, never those of a server that DB_SERVER names. */
  readonly prepareDatabases?: boolean;
  /** Settings that replace ours. A stand-in whose address is among them does not start. */
  readonly settings?: Settings;
  /** Where the app's log lines go, from when the sample data is loaded. Default: nowhere. */
  readonly log?: FunctionsHostOptions['log'];
  /** Told of every step. */
  readonly onProgress?: (step: string) => void;
}

export interface LocalCloud {
  /** Address of the app without its base path: `http://localhost:7071`. */
  readonly address: string;
  /** The settings with which the app runs. */
  readonly settings: Settings;
  /** The stand-ins that run, by name, with their addresses. */
  readonly standIns: Readonly<Record<string, string>>;
  readonly identity: Identity;
  /** Issues a token of the local issuer; without roles those of the sample user. */
  token(email: string, roles?: readonly string[]): string;
  /** Ends the app and starts it again from its build, on the same port. */
  restartApp(): Promise<void>;
  /** Starts one more process of the app over the same stand-ins; stop it yourself. */
  startAnotherApp(settings?: Settings): Promise<FunctionsHost>;
  stop(): Promise<void>;
}

/** A stand-in that runs: what it adds to the settings, and how to end it. */
interface StandIn {
  readonly name: string;
  readonly address: string;
  readonly settings: Settings;
  stop(): Promise<void>;
}

const app = join(import.meta.dirname, '..');

/** Starts everything that no setting replaces, creates the databases, and loads the sample data unless told not to. */
export async function startLocalCloud(options: LocalCloudOptions = {}): Promise<LocalCloud> {
  const {
    port = 0,
    sampleData = true,
    settings: given = {},
    log = 'ignore',
    onProgress = () => {},
  } = options;
  onProgress('Starting the stand-ins');
  const identity = await startLocalIdentity(options);
  const running = await allOrNone([
    identityStandIn(identity, given),
    sqlServerStandIn(options, identity),
    tablesStandIn(options),
  ]);
  const stopStandIns = () => Promise.all(running.map((one) => one.stop()));
  const runs = (name: string) => running.some((one) => one.name === name);
  const settings = Object.assign({}, fixedSettings, ...running.map((one) => one.settings), given) as Settings;

  try {
    if (options.prepareDatabases ?? runs('sql-server')) {
      onProgress(sampleData ? 'Creating the databases with their sample data' : 'Creating the databases');
      await migrate(settings, { sampleData });
    }
    onProgress('Starting the app');
    const fillCalendar = sampleData && runs('tables') && given['AppRegistration__Authority'] === undefined;
    let loaded = !fillCalendar;
    const logOnceLoaded: FunctionsHostOptions['log'] =
      typeof log === 'function' ? (text) => loaded && log(text) : log;
    let host = await startFunctionsHost({ app, port, settings, log: logOnceLoaded });
    const token = (email: string, roles?: readonly string[]) =>
      identity.issueToken({ email, ...(roles === undefined ? {} : { roles }) });
    if (fillCalendar) {
      onProgress('Loading the sample calendar');
      await loadCalendarSamples({
        address: calendarAddress(host, settings),
        token: token('alice@example.org'),
      });
      loaded = true;
    }
    return {
      address: host.address,
      settings,
      standIns: Object.fromEntries(running.map(({ name, address }) => [name, address])),
      identity,
      token,
      async restartApp() {
        await host.stop();
        host = await startFunctionsHost({ app, port: host.port, settings, log });
      },
      startAnotherApp: (more = {}) =>
        startFunctionsHost({ app, port: 0, settings: { ...settings, ...more }, log }),
      async stop() {
        await host.stop();
        await stopStandIns();
      },
    };
  } catch (error) {
    await stopStandIns();
    throw error;
  }
}

/** Waits for every stand-in; when one cannot start, the others stop. */
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

function calendarAddress({ address }: FunctionsHost, settings: Settings): string {
  return `${address}/api/${settings['CALENDAR_BASE_PATH'] ?? 'tribe/events/v1'}`;
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
    stop: () => server.stop(),
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
  const tables = await startTables({
    ...(folder === undefined ? {} : { folder: join(folder, 'tables') }),
    port: preferPorts ? await portIfFree(preferredPorts.tables) : 0,
  });
  return {
    name: 'tables',
    address: tables.endpoint,
    settings: { CALENDAR_TABLE_CONNECTION_STRING: tables.connectionString },
    stop: () => tables.stop(),
  };
}
