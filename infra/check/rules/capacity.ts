/** Values that depend on what is measured and on what Azure takes: queries of tables, requests of an instance. */

import { type Data, textOf } from '../plan/data.ts';
import type { View } from './views.ts';

/** A value of a resource at a path, with all that it may depend on. */
export interface Here {
  readonly view: View;
  /** Of the resource, without environment and hash. */
  readonly name: string;
  readonly id: string;
  /** The name of the storage account that it is in; '' elsewhere. */
  readonly account: string;
  readonly found: Data;
  readonly at: (path: string) => Data;
}
/** What a value must be; a function returns what it has found where that is right. */
export type Wanted = Data | ((here: Here) => Data);

/**
 * The tables that an alert may query. The workspace creates a table with its first row, and refuses a query of a missing one. The host
 * answers any caller 500 for a body that is too long or slow: its lines (requests, exceptions) and metrics would let a caller without rights
 * fire an alert.
 */
export const queries: Readonly<Record<string, Wanted>> = {
  'properties.skipQueryValidation': ({ found, at }) => (isOfWorkspace(at) ? true : found),
  'properties.criteria.allOf.0.query': ({ found, at }) => {
    // _LogOperation is a function that every workspace has.
    if (isOfWorkspace(at) && !/^(?:union isfuzzy=true |_LogOperation )/.test(textOf(found)))
      return 'union isfuzzy=true ...';
    return /(?:^|[\s,|(])(?:requests|exceptions)\b/.test(textOf(found)) ? 'of the lines of the app' : found;
  },
};
const isOfWorkspace = (at: (path: string) => Data) =>
  textOf(at('properties.scopes.0')).includes('/workspaces/');

/** Megabytes that the host and the app take without bodies, by the memory of the instance: a small one has room for a small calendar only. */
export const taken: Readonly<Record<number, { readonly host: number; readonly app: number }>> = {
  512: { host: 150, app: 200 },
  2048: { host: 150, app: 700 },
  4096: { host: 150, app: 700 },
};
/** Megabytes of host and app for each request in flight, without its body. */
const perRequest = 0.25;
const minRequests = 100;

/** Milliseconds of a statement, statements of a request on one database at most, and milliseconds that a caller may wait for a connection. */
const statementMs = 5;
const statements = 3;
const mostWaitMs = 250;
/** The part of the connections that one caller has (`shared/sql/database.ts`). */
const callerShare = 0.8;

/**
 * The requests of an instance, at least a hundred, fit beside host and app. Another instance starts before one refuses and, where it
 * serves records, before a caller waits for long.
 */
export const instances: Wanted = ({ view, found, at }) => {
  const settings = at('properties.siteConfig.appSettings') as { name: string; value: string }[] | null;
  const setting = (end: string) => settings?.find(({ name }) => name.endsWith(end))?.value;
  const most = Number(setting('maxOutstandingRequests'));
  const size = Number(view.value('instance_memory_mb'));
  const { host, app } = taken[size] ?? { host: Number.NaN, app: Number.NaN };
  const limit = Math.floor((size - host - app) / perRequest);
  if (!(most >= minRequests && most <= limit))
    return `of ${most} requests (maxOutstandingRequests); ${size} MB hold ${minRequests} to ${limit}`;
  if (!(Number(found) <= most * 0.8)) return most * 0.8;
  return setting('APIS')?.includes('records') ? beforeWaiting(found, Number(setting('DB_POOL_MAX'))) : found;
};

function beforeWaiting(found: Data, pool: number): Data {
  const connections = Math.max(1, Math.floor(pool * callerShare));
  const waitMs = (Number(found) * statements * statementMs) / connections;
  const most = Math.floor((mostWaitMs * connections) / (statements * statementMs));
  return waitMs <= mostWaitMs ? found : `${most} at most: a caller has ${connections} of ${pool} connections`;
}
