/** The calendar that records are imported into: its log, with a replica of its own. */

import { isDeepStrictEqual } from 'node:util';
import { DefaultAzureCredential } from '@azure/identity';
import type { Log, LogSettings, TakeId } from '../../../shared/calendar/log/log.ts';
import { openLog } from '../../../shared/calendar/log/open-log.ts';
import type { CalendarContext, RawParameters } from '../../../shared/calendar/model/context.ts';
import type { AnyPost, CalendarRecord } from '../../../shared/calendar/model/records.ts';
import type { Caller } from '../../../shared/calendar/model/rights.ts';
import { type Site, siteOf } from '../../../shared/calendar/model/site.ts';
import { loadSanitizer } from '../../../shared/calendar/model/text/html.ts';
import type { ListedKind } from '../../../shared/calendar/model/values.ts';
import { Renderer } from '../../../shared/calendar/read/views/renderer.ts';
import { CalendarReplica, systemClock } from '../../../shared/calendar/replica/replica.ts';
import {
  type ImportPlan,
  importDecision,
  maxImported,
  planImport,
} from '../../../shared/calendar/write/import.ts';
import type { View } from '../../../shared/calendar/write/imported.ts';
import { createPost, updatePost } from '../../../shared/calendar/write/posts.ts';
import { Write } from '../../../shared/calendar/write/write.ts';
import type { Config } from '../../../shared/config.ts';
import { isCodedError } from '../../../shared/errors.ts';

const editor: Caller = { role: 'editor', subject: 'import' };

export interface Target {
  readonly replica: CalendarReplica;
  /** What parsers of fields ask for. */
  readonly context: CalendarContext;
  /** Compares records with those that are here. */
  plan(records: readonly CalendarRecord[], source: string): Promise<ImportPlan>;
  /** Puts records, some at a time; calls back with how many were written so far. */
  put(
    records: readonly CalendarRecord[],
    source: string,
    onProgress: (written: number) => void,
  ): Promise<void>;
  /** Creates an event, or updates the one with an id, as an editor. One that would stay as it is is not written. */
  save(
    id: number | undefined,
    fields: RawParameters,
    isDryRun: boolean,
  ): Promise<'created' | 'changed' | 'unchanged'>;
  /** Returns all live records, what others link to first. */
  records(): Promise<readonly CalendarRecord[]>;
  /** Returns a record as the API shows it to an editor. */
  view(kind: ListedKind, id: number): View | undefined;
  close(): void;
}

/** Opens the calendar that the settings name; `place` names another one. */
export async function openTarget(config: Config, place: Partial<LogSettings> = {}): Promise<Target> {
  const settings: LogSettings = {
    connectionString: config.CALENDAR_TABLE_CONNECTION_STRING,
    endpoint: config.CALENDAR_TABLE_ENDPOINT,
    tableName: config.CALENDAR_TABLE_NAME,
    calendar: config.CALENDAR_NAME,
    staleIfError: 0,
    ...place,
  };
  const site = siteOf(config.CALENDAR_SITE_URL || 'http://localhost', config.CALENDAR_TIME_ZONE);
  const replica = new CalendarReplica();
  const log = openLog(settings, {
    replica,
    credential: () => new DefaultAzureCredential(),
    budget: 60_000,
    callTimeout: 30_000,
  });
  await loadSanitizer();
  return targetOf(site, replica, log);
}

function targetOf(site: Site, replica: CalendarReplica, log: Log): Target {
  const root = `${site.url}/wp-json/tribe/events/v1`;
  const renderer = new Renderer({ site, root, replica, language: undefined });

  async function put(records: readonly CalendarRecord[], source: string): Promise<void> {
    try {
      await log.write(() => importDecision(records, source, replica));
    } catch (error) {
      // Long descriptions: fewer records fit into one transaction.
      if (!isCodedError(error, 'change-too-large') || records.length === 1) throw error;
      const half = Math.ceil(records.length / 2);
      await put(records.slice(0, half), source);
      await put(records.slice(half), source);
    }
  }

  /** Decides the write of an event. */
  function decided(id: number | undefined, parameters: RawParameters, takeId: TakeId) {
    const author = replica.authorOf('import');
    const caller = { ...editor, ...(author === undefined ? {} : { author }) };
    const now = systemClock();
    const write = new Write({ site, replica, caller, parameters, root, language: undefined, now }, takeId);
    const record = id === undefined ? createPost(write, 'event') : updatePost(write, 'event', { id });
    return write.decision(record);
  }

  return {
    replica,
    async save(id, fields, isDryRun) {
      let unused = Number.MAX_SAFE_INTEGER;
      const { result } = decided(id, fields, () => unused--);
      const before = id === undefined ? undefined : replica.posts.event.get(id)?.record;
      if (before !== undefined && isSame(before, result)) return 'unchanged';
      if (!isDryRun) await log.write((takeId) => decided(id, fields, takeId));
      return id === undefined ? 'created' : 'changed';
    },
    context: { site, replica, caller: editor, parameters: {}, root, language: undefined, now: systemClock() },
    async plan(records, source) {
      await log.read();
      return planImport(records, source, replica);
    },
    async put(records, source, onProgress) {
      for (let start = 0; start < records.length; start += maxImported) {
        await put(records.slice(start, start + maxImported), source);
        onProgress(Math.min(records.length, start + maxImported));
      }
    },
    async records() {
      await log.read();
      return replica.records();
    },
    view(kind, id) {
      const record =
        kind === 'category' || kind === 'tag'
          ? replica.terms.get(id, kind)
          : replica.posts[kind].get(id)?.record;
      if (record === undefined) return undefined;
      return JSON.parse(renderer.item(record, { caller: editor, isUnlocked: () => true }).text) as View;
    },
    close: () => log.close(),
  };
}

/** Checks whether two records are the same but for when they were changed, and for the order of terms. */
function isSame(one: AnyPost, other: AnyPost): boolean {
  const stored = ({ modified: _modified, modified_utc: _utc, ...rest }: AnyPost) =>
    JSON.parse(JSON.stringify(rest), (name, value) =>
      name === 'categories' || name === 'tags' ? [...value].sort((a, b) => a - b) : value,
    );
  return isDeepStrictEqual(stored(one), stored(other));
}
