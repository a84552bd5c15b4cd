/**
 * The events that files were imported to, by the names that they have in their sources. Records of earlier versions have no such name: a
 * hash of it ends their slugs.
 */

import { createHash } from 'node:crypto';
import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import { cutSlug, restoredSlug, slugOf } from '../../../functions/calendar/model/text/slug.ts';
import type { SourceIdentity } from '../../../functions/calendar/model/values.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import type { Limits } from './limits.ts';
import type { Row } from './row.ts';

const hashLength = 10;
const hashAtEnd = new RegExp(`-([0-9a-f]{${hashLength}})$`);
/** Bytes of the title in a slug, which has 200 at most. */
const maxTitleLength = 200 - 1 - hashLength;
/** Characters of a slug that has lost the hash at its end, at least: it was cut to 200. */
const minCutLength = 180;

/** Finds the events of the rows of a file, each for one row. */
export class ImportedEvents {
  readonly #byIdentity = new Map<string, EventRecord>();
  readonly #byUid = new Map<string, EventRecord[]>();
  readonly #byHash = new Map<string, EventRecord>();
  readonly #withCutSlug: EventRecord[] = [];
  /** Ids of events that rows have found. */
  readonly #taken = new Set<number>();

  constructor(rows: readonly Row[], { posts }: CalendarReplica) {
    for (const { record } of posts.event.values()) this.#add(record);
    // A row with the name of an event comes before those that may have had it.
    for (const { identity } of rows) {
      const found = identity && this.#byIdentity.get(keyOf(identity));
      if (found !== undefined) this.#taken.add(found.id);
    }
  }

  /** Returns the id of the event of a row. */
  idOf(row: Row): number | undefined {
    const found = row.identity && this.#byIdentity.get(keyOf(row.identity));
    if (found !== undefined) return found.id;
    const former = this.#former(row);
    if (former !== undefined) this.#taken.add(former.id);
    return former?.id;
  }

  /** Returns the ids of all occurrences of a series, or of a single event. */
  idsOfSeries({ identity }: Row): number[] {
    return identity === undefined ? [] : (this.#byUid.get(seriesOf(identity)) ?? []).map(({ id }) => id);
  }

  /**
   * Returns the events whose series rows have, and that no row has. Of a series with as many occurrences as an import reads, earlier ones
   * may be in the file.
   */
  missingIn(rows: readonly Row[], { occurrences }: Pick<Limits, 'occurrences'>): EventRecord[] {
    const whole = new Set(
      rows.flatMap(({ identity, hasSeries }) => (identity && hasSeries ? seriesOf(identity) : [])),
    );
    const rowsOfSeries = Map.groupBy(rows, ({ identity }) =>
      identity === undefined ? '' : seriesOf(identity),
    );
    return [...whole].flatMap((series) => {
      const present = (rowsOfSeries.get(series) ?? []).map(({ identity }) => identity?.recurrence ?? '');
      const names = new Set(present);
      const first = present.length < occurrences ? '' : (present.toSorted()[0] ?? '');
      return (this.#byUid.get(series) ?? []).filter(({ id, imported_from: { recurrence = '' } = {} }) => {
        const isInFile = names.has(recurrence) || this.#taken.has(id);
        return recurrence > first && !isInFile;
      });
    });
  }

  #add(record: EventRecord): void {
    if (record.imported_from !== undefined) {
      this.#byIdentity.set(keyOf(record.imported_from), record);
      const series = seriesOf(record.imported_from);
      const known = this.#byUid.get(series);
      if (known === undefined) this.#byUid.set(series, [record]);
      else known.push(record);
      return;
    }
    const slug = restoredSlug(record.slug);
    const [, hash] = hashAtEnd.exec(slug) ?? [];
    if (hash !== undefined) this.#byHash.set(hash, record);
    else if (slug.length >= minCutLength) this.#withCutSlug.push(record);
  }

  #former(row: Row): EventRecord | undefined {
    const { otherIdentities = [], formerUid } = row;
    const isFree = (record: EventRecord | undefined) => record !== undefined && !this.#taken.has(record.id);
    const candidates = otherIdentities.map((identity) => this.#byIdentity.get(keyOf(identity)));
    const renamed = candidates.find(
      (record) => record !== undefined && isFree(record) && startsAlike(record, row),
    );
    if (renamed !== undefined || formerUid === undefined) return renamed;
    const byHash = this.#byHash.get(hashOf(formerUid));
    if (isFree(byHash)) return byHash;
    const beginning = slugOf(String(row.fields['title'])).slice(0, minCutLength);
    return this.#withCutSlug.find(
      (record) =>
        isFree(record) &&
        beginning !== '' &&
        record.slug.startsWith(beginning) &&
        plainText(record.title) === plainText(String(row.fields['title'])) &&
        startsAlike(record, row),
    );
  }
}

/** Checks whether an event begins when a row says. A table may write its times in other forms. */
function startsAlike({ start_date, utc_start_date, timezone }: EventRecord, { fields }: Row): boolean {
  const start = String(fields['start_date']);
  if (fields['all_day'] === 'true') return start_date.startsWith(start.slice(0, 10));
  if (start.endsWith('Z')) return utc_start_date === start.slice(0, 19).replace('T', ' ');
  return start_date.startsWith(start) && (fields['timezone'] ?? timezone) === timezone;
}

/** Returns the slug of a new event. It ends with a hash, since occurrences of a series have one title. */
export function slugOfRow({ fields, identity }: Row): string {
  const title = slugOf(String(fields['title']));
  if (identity === undefined) return title;
  const hash = hashOf(identity.recurrence === '' ? identity.uid : `${identity.uid} ${identity.recurrence}`);
  return `${cutSlug(title, maxTitleLength)}-${hash}`;
}

function seriesOf({ source, uid }: SourceIdentity): string {
  return JSON.stringify([source, uid]);
}

/** Returns a name in a source as one text. */
export function keyOf({ source, uid, recurrence }: SourceIdentity): string {
  return JSON.stringify([source, uid, recurrence]);
}

function hashOf(uid: string): string {
  return createHash('sha256').update(uid).digest('hex').slice(0, hashLength);
}
