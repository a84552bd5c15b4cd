/** Apps for one test file after the other, since starting an app is slow. Each file has new databases and a new calendar. */

import { TableClient } from '@azure/data-tables';
import { inject, vi } from 'vitest';
import { type DevStack, startDevStack } from '../../local/index.ts';
import { settingsOfRealServer } from './database-settings.ts';
import { databasesOfTest, nameOfDatabases } from './databases-of-test.ts';
import { hostMode } from './host-mode.ts';
import { type RenamingProxy, startRenamingProxy } from './renaming-proxy.ts';
import { sampleFolders } from './sample-databases.ts';
import { settingsOfOwnDatabases, settingsOfOwnTable } from './shared-emulators.ts';
import { keysOfFile } from './signing-keys.ts';

type Settings = Readonly<Record<string, string>>;

/** An app that runs, and what to call when the file is done with it. */
export interface TakenApp {
  readonly stack: DevStack;
  release(): Promise<void>;
}

interface ReusedApp {
  readonly stack: DevStack;
  readonly proxy: RenamingProxy;
  isLost: boolean;
}

/** The app that no file of this process uses now. Its processes end with this one. */
let idle: ReusedApp | undefined;

/** Checks whether files may share an app: where the databases are on the local server. */
export function canReuseApp(): boolean {
  return settingsOfRealServer() === undefined;
}

/**
 * Starts an app without special settings, or takes over that of an earlier file of this process. Leads it to new databases and to an empty
 * calendar.
 */
export async function takeApp(): Promise<TakenApp> {
  const before = idle;
  idle = undefined;
  if (before !== undefined) await renew(before);
  const app = before ?? (await start());
  const { stack, proxy } = app;
  return {
    stack,
    async release() {
      const isFit = !app.isLost && stack.identity.intercept === undefined;
      if (isFit && idle === undefined) idle = app;
      else await Promise.all([stack.stop(), proxy.stop()]);
    },
  };
}

async function start(): Promise<ReusedApp> {
  const ownSettings = await createOwnDatabases();
  const proxy = await startRenamingProxy(inject('sqlServerPort'));
  const behindProxy = { ...ownSettings, DB_SERVER: `127.0.0.1,${proxy.port}` };
  const stack = await startDevStack({
    settings: { ...settingsOfOwnTable(), ...hostMode.settings, ...behindProxy },
    flex: hostMode.flex,
    generateKey: keysOfFile(),
    prepareDatabases: false,
    sampleCalendar: false,
    onLoss: () => {
      app.isLost = true;
    },
  });
  const app: ReusedApp = { stack, proxy, isLost: false };
  return app;
}

/** Creates databases with the sample data for an app. Returns the settings that lead to them. */
async function createOwnDatabases(): Promise<Settings> {
  const { migrate, settings } = databasesOfTest(nameOfDatabases());
  const ownSettings = { ...settingsOfOwnDatabases(), ...settings };
  await migrate(ownSettings, sampleFolders);
  return ownSettings;
}

async function renew(app: ReusedApp): Promise<void> {
  await Promise.all([leadToNewDatabases(app), emptyCalendar(app.stack)]);
}

/** Leads an app that runs to new databases, and waits until it has found both. */
async function leadToNewDatabases({ stack, proxy }: ReusedApp): Promise<void> {
  const ownSettings = await createOwnDatabases();
  const name = (settings: Settings, setting: string) => settings[setting] ?? '';
  const names = ['DB_NAME', 'DB_CUSTOMIZATION_NAME'].map((setting) => [
    name(stack.settings, setting),
    name(ownSettings, setting),
  ]);
  proxy.leadTo(Object.fromEntries(names));
  const headers = { Authorization: `Bearer ${stack.token('alice@example.org')}` };
  const look = async () => {
    const reply = await fetch(`${stack.base}/v8.0/documents/document-letter/custom-data`, { headers });
    const text = await reply.text();
    if (reply.status !== 200)
      throw new Error(`The app does not find its new databases: ${reply.status} ${text}`);
  };
  await vi.waitFor(look, { timeout: 300_000 });
}

/** Drops the table of an app that runs. Its next read finds that, makes a new table, and forgets what it knows of the old one. */
async function emptyCalendar({ settings, calendar }: DevStack): Promise<void> {
  const { CALENDAR_TABLE_CONNECTION_STRING = '', CALENDAR_TABLE_NAME = '' } = settings;
  const client = TableClient.fromConnectionString(CALENDAR_TABLE_CONNECTION_STRING, CALENDAR_TABLE_NAME, {
    allowInsecureConnection: true,
  });
  await client.deleteTable();
  const reply = await fetch(`${calendar}/events?start_date=1900-01-01`);
  const { total } = (await reply.json()) as { total?: number };
  if (total !== 0)
    throw new Error(`The calendar is not empty: GET /events answers ${reply.status}, ${total}`);
}
