/** Logs for tests, each on a new calendar, with replicas that are plain maps. */

import { randomUUID } from 'node:crypto';
import { openBlobStore } from '../../functions/calendar/blobs/blob-store.ts';
import type {
  Change,
  Log,
  LogOptions,
  LogSettings,
  Replica,
  SnapshotOptions,
} from '../../functions/calendar/log/log.ts';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import { snapshotFolder } from '../../functions/calendar/log/snapshots.ts';

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

/** Settings of a new calendar. */
export function newCalendar(connectionString: string): LogSettings {
  return { connectionString, endpoint: '', tableName: 'tests', calendar: randomUUID(), staleIfError: 300 };
}

/** Returns how snapshots of a calendar are kept in the local blobs. */
export function snapshotsOf(
  { calendar }: Pick<LogSettings, 'calendar'>,
  blobs: string,
  after: number,
): SnapshotOptions {
  const settings = { connectionString: blobs, endpoint: '', container: 'snapshots' };
  const credential = () => Promise.reject(new Error('No credential is asked for.'));
  return {
    store: openBlobStore(
      { ...settings, folder: snapshotFolder(calendar), contents: 'snapshots' },
      credential,
    ),
    after,
  };
}

/** Opens a log with a new replica. */
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

/** Resolves with what a promise is rejected with; or with its value, when it is not. */
export async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}
