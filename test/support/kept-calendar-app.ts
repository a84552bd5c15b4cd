/** Apps with a calendar, for one test file after the other: an app that has just started is slow, and most files want the same settings. */

import { TableClient } from '@azure/data-tables';
import { clientId, fixedSettings, sqlServerSettings, tenantId } from '../../local/defaults.ts';
import { type FunctionsHost, startFunctionsHost } from '../../local/functions-host/start.ts';
import { type Identity, startIdentity } from '../../local/identity/start.ts';
import { sampleUsers } from '../../local/sample-data/users.ts';
import { type ServiceUrls, urlsOf } from '../../local/service-urls.ts';
import { hostMode } from './host-mode.ts';
import { settingsOfOwnTable } from './shared-emulators.ts';
import { keysOfFile } from './signing-keys.ts';

type Settings = Readonly<Record<string, string>>;

export type CalendarHost = FunctionsHost & ServiceUrls;

/** An app on an empty calendar, and the issuer that it trusts. */
export interface StartedCalendarApp {
  readonly host: CalendarHost;
  readonly identity: Identity;
  /** Starts one more process of the app on the same calendar; stop it yourself. */
  startAnother(): Promise<CalendarHost>;
  /** Hands it back: the next file takes it, or it stops. */
  release(): Promise<void>;
}

interface Kept {
  readonly app: StartedCalendarApp;
  readonly table: Settings;
}

/** The app without settings of its own that no file of this process uses now. Its processes end with this one. */
let free: Kept | undefined;

/** Starts an app with more settings, or takes over the one that an earlier file of this process has released. */
export async function takeCalendarApp(settings: Settings): Promise<StartedCalendarApp> {
  if (Object.keys(settings).length > 0) return (await start(settings)).app;
  const kept = free;
  free = undefined;
  if (kept === undefined) return (await start(settings)).app;
  await empty(kept);
  return kept.app;
}

async function start(settings: Settings): Promise<Kept> {
  const table = settingsOfOwnTable();
  const identity = await startIdentity({ tenantId, clientId, users: sampleUsers, generateKey: keysOfFile() });
  const startHost = async () => {
    const all = {
      ...sqlServerSettings,
      ...fixedSettings,
      ...hostMode.settings,
      DB_SERVER: 'localhost,1',
      AppRegistration__Authority: identity.authority,
      ...table,
      ...settings,
    };
    const { flex } = hostMode;
    const host = await startFunctionsHost({ app: process.cwd(), port: 0, settings: all, flex });
    return { ...host, ...urlsOf(host.url, all) };
  };
  const host = await startHost();
  const stop = async () => {
    await host.stop();
    await identity.stop();
  };
  let isLost = false;
  void host.lost.then(() => {
    isLost = true;
  });
  const release = async () => {
    const isFit = !isLost && identity.intercept === undefined && Object.keys(settings).length === 0;
    if (!isFit || free !== undefined) return stop();
    free = kept;
  };
  const kept: Kept = { app: { host, identity, startAnother: startHost, release }, table };
  return kept;
}

/** Drops the table of an app that runs. Its next read finds that, makes a new table, and forgets what it knows of the old one. */
async function empty({ app, table }: Kept): Promise<void> {
  const { CALENDAR_TABLE_CONNECTION_STRING = '', CALENDAR_TABLE_NAME = '' } = table;
  const client = TableClient.fromConnectionString(CALENDAR_TABLE_CONNECTION_STRING, CALENDAR_TABLE_NAME, {
    allowInsecureConnection: true,
  });
  await client.deleteTable();
  const reply = await fetch(`${app.host.calendar}/events?start_date=1900-01-01`);
  const { total } = (await reply.json()) as { total?: number };
  if (total !== 0)
    throw new Error(`The calendar is not empty: GET /events answers ${reply.status}, ${total}`);
}
