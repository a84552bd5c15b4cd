import { CodedError } from '../../errors.ts';
import { keepFresh } from './keep-fresh.ts';
import { createLocalLog } from './local-log.ts';
import type { Log, LogOptions, LogSettings } from './log.ts';
import { openTable } from './table.ts';
import { openWriter } from './writer.ts';

const tableNames = /^[A-Za-z][A-Za-z0-9]{2,62}$/;
/** What a key may not hold, and `%`, which some clients decode twice. */
const forbiddenInKeys = /[/\\#?%\p{Cc}]/u;
const maxKeyLength = 512;

/**
 * Opens a calendar's log. Nothing is sent, and the tables' client is not even loaded, before the first read or write; the
 * table is created when it is missing. Throws `misconfigured` at once for a table or calendar name that Azure refuses.
 */
export function openLog(settings: LogSettings, options: LogOptions): Log {
  const { replica, credential, budget = 8_000, callTimeout = 3_000, now = () => performance.now() } = options;
  const { tableName, calendar, staleIfError } = settings;
  checkNames(tableName, calendar);
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

/** Throws `misconfigured` when a table or a partition cannot have the given name. */
function checkNames(tableName: string, partition: string): void {
  if (!tableNames.test(tableName))
    throw invalidSetting(
      'CALENDAR_TABLE_NAME',
      'it must be 3 to 63 letters and digits, and start with a letter',
    );
  if (partition === '' || partition.length > maxKeyLength || forbiddenInKeys.test(partition))
    throw invalidSetting(
      'CALENDAR_NAME',
      'it must be 1 to 512 characters, without / \\ # ? % and control characters',
    );
}

function invalidSetting(setting: string, reason: string): CodedError {
  return new CodedError(
    'misconfigured',
    'configuration',
    `The setting ${setting} is not usable: ${reason}.`,
    {
      facts: { setting },
    },
  );
}
