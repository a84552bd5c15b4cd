/** The dev stack: the emulators and, over them, the built app, each in a child process. */

import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FunctionsHost,
  type FunctionsHostOptions,
  startFunctionsHost,
} from '@records-and-calendar/functions-host';
import { fixedSettings, startRequestId } from './defaults.ts';
import {
  type EmulatorOptions,
  type Settings,
  sqlServerFolder,
  startEmulators,
  tablesFolder,
} from './emulators.ts';
import type { Identity } from './identity/start.ts';
import { fillCalendar, isCalendarEmpty } from './sample-data/calendar/load.ts';
import { type ServiceUrls, urlsOf } from './service-urls.ts';
import { fillWhole, isUnfinished } from './tables/whole-or-none.ts';

export interface DevStackOptions extends EmulatorOptions {
  /** Port of the app; 0 for any free one. */
  readonly port?: number;
  /** Whether to load the sample records and the sample calendar. Default: true. */
  readonly sampleData?: boolean;
  /** Whether to load the sample calendar, which takes longer than all the rest. Default: as `sampleData`. */
  readonly sampleCalendar?: boolean;
  /** Creates the databases that the settings name, with the scripts of folders. Without it they are unchanged. */
  readonly migrate?: (settings: Settings, folders: readonly string[]) => Promise<void>;
  /** Whether to migrate. Default: the databases of the local SQL server only, never those of a server that DB_SERVER names. */
  readonly prepareDatabases?: boolean;
  /** Where the debugger of the app's process listens: `9229`, or `host:port`. Default: nowhere. */
  readonly inspect?: string | undefined;
  /** Takes the app's log lines as it wrote them, but for those of requests that the start makes. Default: they are dropped. */
  readonly log?: FunctionsHostOptions['log'];
  /** Whether the host does what it does on Flex Consumption. */
  readonly flex?: boolean;
  /**
   * Called with the reason when the app did not load (the host then answers every path with 404), or when the calendar cannot be filled.
   * Default: the start fails.
   */
  readonly onLoadFailure?: (why: string) => void;
  /** Whether the app's stacks name places in the source. */
  readonly sourceMaps?: boolean;
  /** Told in words when a process ends by itself; `app` when it is the app, which `restartApp` starts again. */
  readonly onLoss?: (what: string, part: 'app' | 'emulator') => void;
  /** Told of every step. */
  readonly onProgress?: (step: string) => void;
}

export interface DevStack extends ServiceUrls {
  /** URL of the app without its base path: `http://localhost:7071`. */
  readonly url: string;
  /** The settings with which the app runs. */
  readonly settings: Settings;
  /** The emulators that run, by name, with their endpoints. */
  readonly emulators: Readonly<Record<string, string>>;
  /** The processes of those that have one of their own, by name. */
  readonly processes: Readonly<Record<string, ChildProcess>>;
  readonly identity: Identity;
  /** Issues a token of the local issuer; without roles those of the sample user. */
  token(email: string, roles?: readonly string[]): string;
  /** Ends the app and starts it again from its build, on the same port. False when it did not load. */
  restartApp(): Promise<boolean>;
  /** Starts one more process of the app over the same emulators; stop it yourself. */
  startAnotherApp(settings?: Settings): Promise<FunctionsHost & ServiceUrls>;
  stop(): Promise<void>;
}

/** The prefix that the host writes before a line of the app, for joining it with other records. */
const invocationPrefix = /^\[\w+\] Function\.\S+\.User [0-9a-f-]{36}: /;

const app = join(import.meta.dirname, '..');

/** Starts everything that no setting replaces, creates the databases, and loads the sample data unless told not to. */
export async function startDevStack(options: DevStackOptions = {}): Promise<DevStack> {
  const {
    port = 0,
    sampleData = true,
    sampleCalendar = sampleData,
    settings: given = {},
    log: takeLine = 'ignore',
    sourceMaps = false,
    flex = false,
    migrate,
    inspect,
    onProgress = () => {},
    onLoss = () => {},
    onLoadFailure = (why) => {
      throw new Error(why);
    },
  } = options;
  const log: FunctionsHostOptions['log'] =
    takeLine === 'ignore'
      ? 'ignore'
      : (line) => line.includes(startRequestId) || takeLine(line.replace(invocationPrefix, ''));
  onProgress('Starting the emulators');
  // The tables drop what is unfinished as they start; a process that the last run has left behind may still write to them.
  const wasUnfinished = isUnfinished(tablesFolder(options.folder));
  const hasDatabases = options.folder !== undefined && existsSync(join(options.folder, sqlServerFolder));
  const { identity, running } = await startEmulators(options);
  const runs = (name: string) => running.some((item) => item.name === name);
  const settings = Object.assign(
    {},
    fixedSettings,
    ...running.map((item) => item.settings),
    given,
  ) as Settings;

  const host = { app, log, flex, sourceMaps };
  let first: FunctionsHost | undefined;
  const startApp = async (onPort: number) => {
    const started = await startFunctionsHost({ ...host, port: onPort, settings, inspect });
    void started.lost.then((what) => onLoss(what, 'app'));
    first = started;
    if (started.warning !== undefined) onLoadFailure(started.warning);
    return started;
  };
  const stop = async () => {
    await first?.stop();
    await Promise.all(running.map((item) => item.stop()));
  };
  try {
    if (migrate !== undefined && (options.prepareDatabases ?? runs('sql-server'))) {
      onProgress(
        hasDatabases
          ? 'Looking for what the databases lack'
          : `Creating the databases${sampleData ? ' with their sample data' : ''}`,
      );
      await migrate(settings, sampleScripts(sampleData));
    }
    onProgress('Starting the app');
    const { url, port: appPort, warning } = await startApp(port);
    const urls = urlsOf(url, settings);
    const token = (email: string, roles?: readonly string[]) =>
      identity.issueToken({ email, ...(roles === undefined ? {} : { roles }) });
    const served = warning === undefined && /calendar/i.test(settings['APIS'] ?? 'calendar');
    if (served && sampleCalendar && runs('tables') && given['AppRegistration__Authority'] === undefined) {
      const target = { url: urls.calendar, token: token('alice@example.org') };
      const empty = await isCalendarEmpty(target).catch(({ message }: Error) => onLoadFailure(message));
      if (empty !== undefined && (empty || wasUnfinished)) {
        onProgress('Loading the sample calendar');
        await fillWhole(tablesFolder(options.folder), () => fillCalendar(target));
      }
    }
    for (const { lost } of running) void lost?.then((what) => onLoss(what, 'emulator'));
    return {
      url,
      ...urls,
      settings,
      emulators: Object.fromEntries(running.map(({ name, endpoint }) => [name, endpoint])),
      processes: Object.fromEntries(
        running.flatMap(({ name, process }) => (process === undefined ? [] : [[name, process]])),
      ),
      identity,
      token,
      async restartApp() {
        await first?.stop();
        return (await startApp(appPort)).warning === undefined;
      },
      async startAnotherApp(more) {
        const all = { ...settings, ...more };
        const another = await startFunctionsHost({ ...host, port: 0, settings: all });
        return { ...another, ...urlsOf(another.url, all) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The folders of the sample data's scripts. The sample users are always included, since without users every call is rejected. */
export function sampleScripts(sampleData: boolean): string[] {
  const folder = join(import.meta.dirname, 'sample-data');
  return [join(folder, 'users'), ...(sampleData ? [join(folder, 'records')] : [])];
}
