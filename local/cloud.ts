/** The local cloud: the stand-ins and, over them, the built app, each in a process of its own. */

import { join } from 'node:path';
import { fixedSettings } from './defaults.ts';
import { type FunctionsHost, type FunctionsHostOptions, startFunctionsHost } from './functions-host/start.ts';
import type { Identity } from './identity/start.ts';
import { migrate } from './migrate.ts';
import { fillCalendar, isCalendarEmpty, sampleRequestId } from './sample-data/calendar/load.ts';
import { fillWhole } from './sample-data/calendar/whole-or-none.ts';
import { startStandIns, tablesFolder } from './stand-ins.ts';

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
  /** Takes the app's log lines, but for those of the sample data. Default: they are dropped. */
  readonly log?: FunctionsHostOptions['log'];
  /** Whether the app's stacks name places in the source. */
  readonly sourceMaps?: boolean;
  /** Told in words when a process ends by itself; `app` when it is the app, which `restartApp` starts again. */
  readonly onLoss?: (what: string, part: 'app' | 'stand-in') => void;
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

const app = join(import.meta.dirname, '..');

/** Starts everything that no setting replaces, creates the databases, and loads the sample data unless told not to. */
export async function startLocalCloud(options: LocalCloudOptions = {}): Promise<LocalCloud> {
  const {
    port = 0,
    sampleData = true,
    settings: given = {},
    log: takeLine = 'ignore',
    sourceMaps = false,
    onProgress = () => {},
    onLoss = () => {},
  } = options;
  const log: FunctionsHostOptions['log'] =
    takeLine === 'ignore' ? 'ignore' : (line) => line.includes(sampleRequestId) || takeLine(line);
  onProgress('Starting the stand-ins');
  const { identity, running } = await startStandIns(options);
  const runs = (name: string) => running.some((one) => one.name === name);
  const settings = Object.assign({}, fixedSettings, ...running.map((one) => one.settings), given) as Settings;

  const start = (onPort: number, more: Settings = {}) =>
    startFunctionsHost({ app, port: onPort, settings: { ...settings, ...more }, log, sourceMaps });
  const startApp = async (onPort: number) => {
    const started = await start(onPort);
    void started.lost.then((what) => onLoss(what, 'app'));
    return started;
  };
  let host: FunctionsHost | undefined;
  const stop = async () => {
    await host?.stop();
    await Promise.all(running.map((one) => one.stop()));
  };
  try {
    if (options.prepareDatabases ?? runs('sql-server')) {
      onProgress(sampleData ? 'Creating the databases with their sample data' : 'Creating the databases');
      await migrate(settings, { sampleData });
    }
    onProgress('Starting the app');
    host = await startApp(port);
    const token = (email: string, roles?: readonly string[]) =>
      identity.issueToken({ email, ...(roles === undefined ? {} : { roles }) });
    if (sampleData && runs('tables') && given['AppRegistration__Authority'] === undefined) {
      onProgress('Loading the sample calendar');
      const target = { address: calendarAddress(host, settings), token: token('alice@example.org') };
      if (await isCalendarEmpty(target))
        await fillWhole(tablesFolder(options.folder), () => fillCalendar(target));
    }
    for (const { lost } of running) void lost?.then((what) => onLoss(what, 'stand-in'));
    const { address, port: appPort } = host;
    return {
      address,
      settings,
      standIns: Object.fromEntries(running.map(({ name, address }) => [name, address])),
      identity,
      token,
      async restartApp() {
        await host?.stop();
        host = await startApp(appPort);
      },
      startAnotherApp: (more) => start(0, more),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function calendarAddress({ address }: FunctionsHost, settings: Settings): string {
  return `${address}/api/${settings['CALENDAR_BASE_PATH'] ?? 'tribe/events/v1'}`;
}
