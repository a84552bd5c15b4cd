import { follow } from './follower.ts';
import { holdReplica } from './held.ts';
import { checkNames } from './limits.ts';
import type { Log, LogOptions, LogSettings } from './log.ts';
import { openTable } from './table.ts';
import { openWriter } from './writer.ts';

/**
 * Opens a calendar's log. Nothing is sent, and the tables' client is not even loaded, before the first read or write; the
 * table is created when it is missing. Throws `misconfigured` at once for a table or calendar name that Azure refuses.
 */
export function openLog(settings: LogSettings, options: LogOptions): Log {
  const { replica, credential, budget = 8_000, callTimeout = 3_000, now = () => performance.now() } = options;
  const { tableName, calendar, staleIfError } = settings;
  checkNames(tableName, calendar);
  const table = openTable(settings, credential, callTimeout);
  const held = holdReplica(replica);
  const staleFor = staleIfError * 1_000;
  const follower = follow({ table, held, budget, patience: Math.min(budget, callTimeout), staleFor, now });
  const write = openWriter({ table, held, follower, calendar, budget });
  return { read: follower.read, write, close: table.close };
}
