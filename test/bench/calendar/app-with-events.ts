/** The built app on a calendar with many events, and what its process takes. */

import { randomUUID } from 'node:crypto';
import { type FunctionsHost, startFunctionsHost } from '@records-and-calendar/functions-host';
import type { LogSettings } from '../../../functions/calendar/log/log.ts';
import { fixedSettings, type StorageEmulator } from '../../../local/index.ts';
import { writeManyEvents } from '../../support/many-events.ts';

/** An issuer that nobody can reach. */
const noAuthority = 'http://localhost:1/11111111-1111-4111-8111-111111111111/v2.0';

interface Serving {
  readonly host: FunctionsHost;
  /** Address of its list of events. */
  readonly list: string;
}

/** Starts the app on a calendar with that many events. `more` settings are added. */
export async function startWith(
  tables: StorageEmulator,
  events: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const { calendar } = await fillCalendar(tables, randomUUID(), events);
  return startOn(tables, calendar, more);
}

/** Fills a calendar with that many events. */
export async function fillCalendar(
  { connectionString }: StorageEmulator,
  calendar: string,
  events: number,
): Promise<LogSettings> {
  const log = { connectionString, endpoint: '', tableName: 'calendar', calendar, staleIfError: 300 };
  await writeManyEvents(log, events);
  return log;
}

/** Starts the app on a calendar. */
export async function startOn(
  { connectionString }: StorageEmulator,
  calendar: string,
  more: Readonly<Record<string, string>>,
): Promise<Serving> {
  const settings = {
    ...fixedSettings,
    ...more,
    DB_SERVER: 'localhost,1',
    AppRegistration__Authority: noAuthority,
    CALENDAR_TABLE_CONNECTION_STRING: connectionString,
    CALENDAR_NAME: calendar,
  };
  const app = `${import.meta.dirname}/../../..`;
  const host = await startFunctionsHost({ app, port: 0, settings });
  return { host, list: `${host.url}/api/tribe/events/v1/events` };
}

/** Asks until the calendar is loaded, and returns the number of its events: a request beyond its time budget is 503 during the load. */
export async function firstTotal(list: string): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const response = await fetch(list);
    const { total } = (await response.json()) as { total: number };
    if (response.status === 200) return total;
  }
  throw new Error('Cannot measure: the calendar does not load.');
}
