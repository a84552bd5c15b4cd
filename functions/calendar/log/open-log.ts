import { TableDrafts } from './drafts.ts';
import { TableHistory } from './history.ts';
import { LocalLog } from './local-log.ts';
import type { Log, LogOptions, LogSettings } from './log.ts';
import { Refresher } from './refresher.ts';
import { Snapshots } from './snapshots.ts';
import { AzureTable } from './table.ts';
import { LogWriter } from './writer.ts';

/**
 * Opens a calendar's log. Nothing is sent, and the tables' client is not even loaded, before the first read or write; the
 * table is created when it is missing.
 */
export function openLog(settings: LogSettings, options: LogOptions): Log {
  const {
    replica,
    credential,
    budget = 8_000,
    callTimeout = 3_000,
    historyDays = 0,
    now = performance.now.bind(performance),
  } = options;
  const { calendar, staleIfError } = settings;
  const table = new AzureTable(settings, credential, callTimeout);
  const local = new LocalLog(replica);
  const staleFor = staleIfError * 1_000;
  const snapshots =
    options.snapshots &&
    new Snapshots({
      ...options.snapshots,
      table,
      calendar,
      nameInHead: (log, snapshot, damaged) => writer.nameSnapshot(log, snapshot, damaged),
    });
  const refresher = new Refresher({
    table,
    local,
    snapshots,
    budget,
    waitTimeout: Math.min(budget, callTimeout),
    staleFor,
    now,
  });
  const writer = new LogWriter({ table, local, refresher, calendar, budget, keepsHistory: historyDays > 0 });
  return {
    read: refresher.read,
    write: writer.write,
    progress: () => local.progress,
    changedAt: () => local.changedAt,
    history: new TableHistory(table, local, historyDays),
    drafts: new TableDrafts(table),
    close: () => table.close(),
  };
}
