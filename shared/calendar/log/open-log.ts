import { keepFresh } from './keep-fresh.ts';
import { createLocalLog } from './local-log.ts';
import type { Log, LogOptions, LogSettings } from './log.ts';
import { openTable } from './table.ts';
import { openWriter } from './writer.ts';

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
    now = performance.now.bind(performance),
  } = options;
  const { calendar, staleIfError } = settings;
  const table = openTable(settings, credential, callTimeout);
  const local = createLocalLog(replica);
  const staleFor = staleIfError * 1_000;
  const refresher = keepFresh({
    table,
    local,
    budget,
    waitTimeout: Math.min(budget, callTimeout),
    staleFor,
    now,
  });
  const write = openWriter({ table, local, refresher, calendar, budget });
  return { read: refresher.read, write, close: table.close };
}
