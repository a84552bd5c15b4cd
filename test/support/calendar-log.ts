/** Logs on tables for tests: each on a calendar of its own, in the tables that Azurite serves or that TEST_TABLE_CONNECTION_STRING names. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { startTables } from '../../local/tables/start-tables.ts';
import type { Change, Log, LogOptions, LogSettings, Replica } from '../../shared/calendar/store/log.ts';
import { openLog } from '../../shared/calendar/store/open-log.ts';

/** A replica that is a map, and remembers the versions it was given, in their order. */
export interface MapReplica extends Replica {
  readonly records: Map<string, string>;
  readonly versions: number[];
}

export function mapReplica(): MapReplica {
  const records = new Map<string, string>();
  const versions: number[] = [];
  return {
    records,
    versions,
    apply(changes: readonly Change[]) {
      for (const { key, json, version } of changes) {
        versions.push(version);
        if (json === null) records.delete(key);
        else records.set(key, json);
      }
    },
    clear() {
      records.clear();
      versions.length = 0;
    },
  };
}

/** The records of a replica by key, their JSON read. */
export function contents({ records }: MapReplica): Record<string, unknown> {
  return Object.fromEntries([...records].sort().map(([key, json]) => [key, JSON.parse(json)]));
}

/** A log, and the replica it feeds: one process, as far as the log is concerned. */
export interface TestLog extends Log {
  readonly replica: MapReplica;
}

/** Serves tables to the tests of a file; `connectionString` may be asked for once they run. */
export function useTables(): { connectionString(): string } {
  const named = process.env['TEST_TABLE_CONNECTION_STRING'];
  let served = named;
  let stop = async () => {};
  beforeAll(async () => {
    if (named !== undefined) return;
    const tables = await startTables();
    served = tables.connectionString;
    stop = tables.stop;
  });
  afterAll(() => stop());
  return {
    connectionString() {
      if (served === undefined) throw new Error('The tables are not started yet');
      return served;
    },
  };
}

/** Settings of a calendar that nobody else uses. */
export function newCalendar(connectionString: string): LogSettings {
  return { connectionString, endpoint: '', tableName: 'tests', calendar: randomUUID(), staleIfError: 300 };
}

/** Opens a log with a replica of its own. */
export function openTestLog(settings: LogSettings, options: Partial<LogOptions> = {}): TestLog {
  const replica = mapReplica();
  return { replica, ...openLog(settings, { replica, ...options }) };
}

/** Puts one record. */
export function put(log: Log, key: string, value: unknown): Promise<void> {
  return log.write(() => ({ puts: [{ key, json: JSON.stringify(value) }], deletes: [], result: undefined }));
}

/** Deletes one record. */
export function remove(log: Log, key: string): Promise<void> {
  return log.write(() => ({ puts: [], deletes: [key], result: undefined }));
}

/** Creates a record with the next id of `post` and resolves with the id. */
export function create(log: Log, value: unknown): Promise<number> {
  return log.write((takeId) => {
    const id = takeId('post');
    return { puts: [{ key: `event/${id}`, json: JSON.stringify(value) }], deletes: [], result: id };
  });
}

/** Adds one to the number that a record holds, and resolves with the sum. */
export function increment(log: TestLog, key: string): Promise<number> {
  return log.write(() => {
    const sum = Number(log.replica.records.get(key) ?? 0) + 1;
    return { puts: [{ key, json: String(sum) }], deletes: [], result: sum };
  });
}
