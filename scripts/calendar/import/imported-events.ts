/**
 * The events that files were imported to, by the names that they have in their sources. Records of earlier versions have no such name: a
 * hash of it ends their slugs.
 */

import { createHash } from 'node:crypto';
import { findZone, formatWall, toWall, wallIn } from '../../../functions/calendar/model/dates/wall.ts';
import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import { cutSlug, restoredSlug, slugOf } from '../../../functions/calendar/model/text/slug.ts';
import type { SourceIdentity } from '../../../functions/calendar/model/values.ts';
import type { CalendarReplica } from '../../../functions/calendar/replica/replica.ts';
import { digestOf, noteIn } from './fields.ts';
import type { Limits } from './limits.ts';
import type { Row } from './row.ts';

const hashLength = 10;
const hashAtEnd = new RegExp(`-([0-9a-f]{${hashLength}})$`);
/** Bytes of the title in a slug, which has 200 at most. */
const maxTitleLength = 200 - 1 - hashLength;
/** Characters of a slug that has lost the hash at its end, at least: it was cut to 200. */
const minCutLength = 180;

type Imported = EventRecord & { readonly imported_from: NonNullable<EventRecord['imported_from']> };

/** Finds the events of the rows of a file, each for one row. */
export class ImportedEvents {
  readonly #replica: CalendarReplica;
  readonly #byIdentity = new Map<string, Imported>();
  readonly #bySeries = new Map<string, Imported[]>();
  /** Events by their UID and occurrence alone, of all sources. */
  readonly #byUid = new Map<string, Imported[]>();
  readonly #bySource = new Map<string, Imported[]>();
  readonly #byHash = new Map<string, EventRecord>();
  readonly #withCutSlug: EventRecord[] = [];
  /** The events of rows, and their ids. */
  readonly #found = new Map<Row, number>();
  readonly #taken = new Set<number>();
  readonly #otherUids: string[] = [];

  constructor(rows: readonly Row[], replica: CalendarReplica) {
    this.#replica = replica;
    for (const { record } of replica.posts.event.values()) this.#add(record);
    // The event that has the name of a row comes before those that may have had it, and what only looks like it comes last.
    for (const find of [this.#exact, this.#former, this.#ofSeries])
      for (const row of rows) this.#assign(row, find);
    this.#assignMoved(rows);
    for (const row of rows) this.#assign(row, this.#alike);
  }

  /** Names of rows whose UID an event of another calendar has, with another title and start. */
  get otherUids(): readonly string[] {
    return this.#otherUids;
  }

  /** Names of rows of a calendar without a name whose event has another title and start: it may be one of another calendar. */
  replacedIn(rows: readonly Row[]): string[] {
    const isReplaced = (row: Row) => {
      const record = this.#replica.posts.event.get(this.#found.get(row) ?? 0)?.record;
      const isUnnamed = row.identity !== undefined && row.identity.source === formatOf(row.identity.source);
      return isUnnamed && record !== undefined && !hasTitle(record, row) && !startsAlike(record, row);
    };
    return rows.filter(isReplaced).map(({ name }) => name);
  }

  /** Returns the id of the event of a row. */
  idOf(row: Row): number | undefined {
    return this.#found.get(row);
  }

  /** Returns the ids of all occurrences of a series, or of a single event. */
  idsOfSeries({ identity }: Row): number[] {
    return identity === undefined ? [] : (this.#bySeries.get(seriesOf(identity)) ?? []).map(({ id }) => id);
  }

  /**
   * Returns the events whose series rows have, and that no row has. Of a series with as many occurrences as an import reads, earlier ones
   * may be in the file.
   */
  missingIn(rows: readonly Row[], { occurrences }: Pick<Limits, 'occurrences'>): EventRecord[] {
    const rowsOfSeries = Map.groupBy(rows, ({ identity }) =>
      identity === undefined ? '' : seriesOf(identity),
    );
    return [...wholeSeries(rows)].flatMap((series) => {
      const present = (rowsOfSeries.get(series) ?? []).map(({ identity }) => identity?.recurrence ?? '');
      const names = new Set(present);
      const first = present.length < occurrences ? '' : (present.toSorted()[0] ?? '');
      return (this.#bySeries.get(series) ?? []).filter(({ id, imported_from: { recurrence } }) => {
        const isInFile = names.has(recurrence) || this.#taken.has(id);
        return recurrence > first && !isInFile;
      });
    });
  }

  /** Returns the events of a source that are to come, and that its file has no longer, without those of series that it has. */
  vanishedFrom(source: string, rows: readonly Row[], now: string): EventRecord[] {
    const whole = wholeSeries(rows);
    return this.ofSource(source).filter(
      ({ id, utc_end_date, imported_from }) =>
        utc_end_date > now && !this.#taken.has(id) && !whole.has(seriesOf(imported_from)),
    );
  }

  /** Returns the events of a source. */
  ofSource(source: string): readonly Imported[] {
    return this.#bySource.get(source) ?? [];
  }

  #add(record: EventRecord): void {
    const { imported_from } = record;
    if (imported_from !== undefined) {
      const imported = { ...record, imported_from };
      this.#byIdentity.set(keyOf(imported_from), imported);
      push(this.#bySeries, seriesOf(imported_from), imported);
      push(this.#byUid, uidOf(imported_from), imported);
      push(this.#bySource, imported_from.source, imported);
      return;
    }
    const slug = restoredSlug(record.slug);
    const [, hash] = hashAtEnd.exec(slug) ?? [];
    if (hash !== undefined) this.#byHash.set(hash, record);
    else if (slug.length >= minCutLength) this.#withCutSlug.push(record);
  }

  #assign(row: Row, find: (row: Row) => EventRecord | undefined): void {
    if (this.#found.has(row)) return;
    const found = find(row);
    if (found === undefined || this.#taken.has(found.id)) return;
    this.#found.set(row, found.id);
    this.#taken.add(found.id);
  }

  readonly #isFree = ({ id }: EventRecord): boolean => !this.#taken.has(id);

  readonly #exact = ({ identity }: Row): EventRecord | undefined =>
    identity && this.#byIdentity.get(keyOf(identity));

  /** Finds the event that the series of a row has got here on the day of the row, where people have extended it. */
  readonly #ofSeries = ({ identity }: Row): EventRecord | undefined => {
    const known =
      identity && this.#bySeries.get(seriesOf(identity))?.find(({ series }) => series !== undefined);
    const dates = this.#replica.series.get(known?.series?.id ?? 0)?.record.dates ?? [];
    if (identity === undefined || known === undefined) return undefined;
    const day = dayOfOccurrence(identity.recurrence, known.timezone);
    const event = dates.find(({ recurrence }) => recurrence === day)?.event;
    const record = this.#replica.posts.event.get(event ?? 0)?.record;
    return record?.imported_from === undefined ? record : undefined;
  };

  /** Finds an event under a name that it may have had. */
  readonly #former = (row: Row): EventRecord | undefined => {
    const { identity, otherIdentities = [], formerUid } = row;
    const candidates = otherIdentities.flatMap((other) => this.#byIdentity.get(keyOf(other)) ?? []);
    const isIt = (record: EventRecord) =>
      this.#isFree(record) &&
      startsAlike(record, row) &&
      (row.isToldByPlace !== true || this.#isAt(record, row, false));
    const found =
      candidates.find(isIt) ?? (identity && this.#ofOtherSource(row, [identity, ...otherIdentities]));
    if (found !== undefined || formerUid === undefined) return found;
    const byHash = this.#byHash.get(hashOf(formerUid));
    if (byHash !== undefined && this.#isFree(byHash)) return byHash;
    const beginning = slugOf(String(row.fields['title'])).slice(0, minCutLength);
    return this.#withCutSlug.find(
      (record) =>
        this.#isFree(record) &&
        beginning !== '' &&
        record.slug.startsWith(beginning) &&
        hasTitle(record, row) &&
        startsAlike(record, row),
    );
  };

  /**
   * Finds an event of a UID whose source had no name, or another one: a calendar may be renamed, and earlier versions have noted no names.
   * Two calendars that number their events are two sources: title and start tell.
   */
  #ofOtherSource(row: Row, identities: readonly SourceIdentity[]): EventRecord | undefined {
    const [{ source } = { source: '' }] = identities;
    const others = identities
      .flatMap((identity) => this.#byUid.get(uidOf(identity)) ?? [])
      .filter((record) => record.imported_from.source !== source && this.#isFree(record))
      .filter((record) => formatOf(record.imported_from.source) === formatOf(source));
    const found = others.find((record) => {
      const isUnnamed = [source, record.imported_from.source].includes(formatOf(source));
      const agree = [hasTitle(record, row), startsAlike(record, row)];
      return isUnnamed ? agree.includes(true) : !agree.includes(false);
    });
    if (found === undefined && others.length > 0) this.#otherUids.push(row.name);
    return found;
  }

  /** Maps the occurrences of series that have moved as a whole: by their days, else by their order. */
  #assignMoved(rows: readonly Row[]): void {
    const seriesRows = rows.filter(
      ({ identity, hasSeries }) => identity !== undefined && hasSeries === true && identity.recurrence !== '',
    );
    for (const [series, group] of Map.groupBy(seriesRows, ({ identity }) => identity && seriesOf(identity))) {
      const records = (series === undefined ? [] : (this.#bySeries.get(series) ?? [])).toSorted((a, b) =>
        a.utc_start_date.localeCompare(b.utc_start_date),
      );
      const isMoved = !group.some((row) => this.#found.has(row));
      for (const row of group)
        this.#assign(row, () =>
          records.find(
            (record) => this.#isFree(record) && dayOf(record.start_date) === dayOf(row.fields['start_date']),
          ),
        );
      if (isMoved && !group.some((row) => this.#found.has(row)))
        for (const row of group.toSorted((a, b) => startOf(a).localeCompare(startOf(b))))
          this.#assign(row, () => records.find(this.#isFree));
    }
  }

  /** Finds an event of the source that is like a row whose name is new: some programs give new UIDs each time. */
  readonly #alike = (row: Row): EventRecord | undefined =>
    row.identity === undefined || row.isToldByPlace === true
      ? undefined
      : this.ofSource(row.identity.source).find(
          (record) =>
            this.#isFree(record) &&
            (hasTitle(record, row) || isAsImported(record, row, 'title')) &&
            (startsAlike(record, row) || isAsImported(record, row, 'start_date')) &&
            (this.#isAt(record, row, true) || isAsImported(record, row, 'venue')),
        );

  /** Checks whether an event takes place where a row says. */
  #isAt({ venue }: EventRecord, row: Row, mayBeUnknown: boolean): boolean {
    const here = this.#replica
      .linked('venue', venue)
      .map(({ record }) => plainText(record.title).toLowerCase());
    const there = placesOf(row);
    if (mayBeUnknown && (here.length === 0 || there.length === 0)) return true;
    return here.join() === there.join();
  }
}

/** Checks whether a value of a row is the one that the source had at the last import, whatever people have made of it here. */
function isAsImported({ imported_from: { digests } }: Imported, row: Row, name: string): boolean {
  const value = name === 'venue' ? row.venue : row.fields[name];
  return noteIn(digests, name)?.there === digestOf(value);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function wholeSeries(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(
    rows.flatMap(({ identity, hasSeries }) => (identity && hasSeries === true ? seriesOf(identity) : [])),
  );
}

/** Returns the names of the places of a row, in small letters. */
export function placesOf({ venue = [] }: Row): string[] {
  const names = 'text' in venue ? [venue.text] : venue.map((contact) => String(contact['venue']));
  return names.map((name) => plainText(name).trim().toLowerCase()).filter((name) => name !== '');
}

function hasTitle({ title }: EventRecord, { fields }: Row): boolean {
  return plainText(title) === plainText(String(fields['title']));
}

const startOf = ({ fields }: Row) => String(fields['start_date']);
const dayOf = (date: unknown) => String(date).slice(0, 10);

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

function uidOf({ uid, recurrence }: SourceIdentity): string {
  return JSON.stringify([uid, recurrence]);
}

/** Returns the format of a source: its first word. */
export function formatOf(source: string): string {
  return source.split(' ', 1)[0] ?? '';
}

/** Returns a name in a source as one text. */
export function keyOf({ source, uid, recurrence }: SourceIdentity): string {
  return JSON.stringify([source, uid, recurrence]);
}

function hashOf(uid: string): string {
  return createHash('sha256').update(uid).digest('hex').slice(0, hashLength);
}

/** Returns the day of the name of an occurrence, `20270105T180000Z` or `20270105`, on the clocks of its event. */
export function dayOfOccurrence(name: string, timezone: string): string | undefined {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})Z)?$/.exec(name) ?? [];
  if (time === undefined) return year && `${year}-${month}-${day}`;
  const instant = wallIn(`${year}-${month}-${day} ${time.replace(/^(..)(..)(..)$/, '$1:$2:$3')}`);
  const zone = findZone(timezone);
  return instant === undefined || zone === undefined
    ? undefined
    : formatWall(toWall(zone, instant)).slice(0, 10);
}
