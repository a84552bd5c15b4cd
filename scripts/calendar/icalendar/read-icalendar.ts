/** Reads events from iCalendar (RFC 5545), with one event for each occurrence of a recurring event. */

import { findZone } from '../../../functions/calendar/model/dates/wall.ts';
import { Notes } from '../import/notes.ts';
import type { FileRows, Row, RowSource } from '../import/row.ts';
import { ianaZone } from '../import/zone-names.ts';
import type { TimeContext } from './date-time.ts';
import { format, rowOf } from './event-row.ts';
import { endsEarly, type Instance, instanceOf, nameOf, writeLong } from './instance.ts';
import { type ParsedCalendar, type ParsedEvent, type ParsedFile, parseCalendars } from './parse-calendars.ts';
import { latestExceptions, latestOf } from './revisions.ts';
import {
  type Occurrence,
  occurrenceAlone,
  occurrencesOf,
  type SeriesLimits,
  type SeriesRule,
} from './series.ts';
import { namedZone, zoneFinder } from './zones.ts';

/** Occurrences are imported until this time from now. */
const secondsAhead = 2 * 366 * 86_400;
/** Occurrences that are counted for each one that is imported, at most. */
const maxSkipped = 100;

const invalidLine = 'Lines that are no properties, and are left out';
/** Properties without which an event would take place at another time. */
const isNeeded = /^\s*(?:DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|EXRULE|RECURRENCE-ID|STATUS|UID)\b/i;
const oldRevisions = 'Revisions of events that a later one in the file replaces, and that are left out';
const nameless = 'Events without a name, which have that of their text or place';
const namelessDrafts = 'Events without a name, which are drafts until somebody names them';
const sharedUids = 'UIDs that several events have, which are told apart by their starts';

/** Reads the events of a text without folds. Throws an Error for a text that is not iCalendar. */
export function readICalendar(text: string, source: RowSource): FileRows {
  const file = parseCalendars(text);
  mustBeICalendar(file, text, source);
  const reader = new Reader(file, source);
  reader.read();
  return reader.result();
}

function mustBeICalendar(
  { events, others, invalidLines, hasEnd }: ParsedFile,
  text: string,
  { file }: RowSource,
): void {
  if (!/^\s*BEGIN[ \t]*:[ \t]*VCALENDAR\b/im.test(text) || (!hasEnd && events.length === 0))
    throw new Error(`${file} is no iCalendar: it has no lines from BEGIN:VCALENDAR to END:VCALENDAR.`);
  const [line] = invalidLines;
  if (line !== undefined && events.length === 0 && others.length === 0)
    throw new Error(
      `${file} is no iCalendar: it has no events, and a line that is no property: "${line.slice(0, 60)}".`,
    );
}

/** What becomes of the events of one file. */
class Reader {
  readonly #file: ParsedFile;
  readonly #source: RowSource;
  readonly #rows: Row[] = [];
  readonly #rejected: string[] = [];
  readonly #notes = new Notes();
  readonly #leftOut = new Notes();
  #leftOutCount = 0;
  readonly #contexts = new Map<ParsedCalendar, TimeContext>();
  readonly #limits: SeriesLimits;
  readonly #name: string;

  constructor(file: ParsedFile, source: RowSource) {
    this.#file = file;
    this.#source = source;
    this.#name = source.sourceName ?? (calendarName(file) || (source.fallbackName ?? ''));
    const { occurrences } = source.limits;
    this.#limits = { maxTime: source.now + secondsAhead, occurrences, maxDates: maxSkipped * occurrences };
  }

  read(): void {
    const { events, invalidLines, others, unfinished, hasEnd } = this.#file;
    for (const line of invalidLines) this.#notes.add(invalidLine, line);
    for (const other of others) this.#notes.add('Components that are no events, and are left out', other);
    const instances = events.flatMap(
      (event) => this.#try(nameOf(event.component), () => this.#instance(event)) ?? [],
    );
    for (const [uid, group] of Map.groupBy(instances, (item) => item.uid)) this.#readGroup(uid, group);
    for (const title of unfinished) this.#rejected.push(`${title}: it has no end (END:VEVENT)`);
    if (!hasEnd)
      this.#notes.add(
        'The file has no end (END:VCALENDAR), and may be incomplete',
        this.#source.file.split('/').at(-1) ?? '',
      );
  }

  result(): FileRows {
    const uids = new Set(
      this.#file.events.map(({ component }) => String(component.getFirstPropertyValue('uid') ?? '').trim()),
    );
    const withRows = new Set(this.#rows.map(({ identity }) => identity?.uid ?? ''));
    return {
      rows: this.#rows,
      source: this.#name === '' ? undefined : this.#identitySource(),
      rejected: this.#rejected,
      otherUids: [...uids].filter((uid) => !withRows.has(uid)),
      isCut: !this.#file.hasEnd || this.#file.unfinished.length > 0,
      leftOut: this.#leftOutCount,
      notes: [...this.#leftOut.lines(), ...this.#notes.lines()],
    };
  }

  /** Reads an event, or refuses it with the reason. */
  #try<T>(name: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#rejected.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  #instance(event: ParsedEvent): Instance {
    for (const line of event.invalidLines) {
      if (isNeeded.test(line)) throw new Error(`a line of it is no property: "${line.slice(0, 60)}"`);
      this.#notes.add(invalidLine, line);
    }
    const instance = instanceOf(event, this.#contextOf(event.calendar));
    if (endsEarly(instance))
      this.#notes.add(
        'Events that end before they begin, and are imported with their start as end',
        instance.name,
      );
    return instance;
  }

  /** Returns how the times of a calendar are read: those without a zone in that which it names, else in that of the site. */
  #contextOf(calendar: ParsedCalendar): TimeContext {
    const known = this.#contexts.get(calendar);
    if (known !== undefined) return known;
    const allZones = [
      ...this.#file.zones,
      ...new Set(this.#file.events.flatMap((event) => event.calendar.zones)),
    ];
    const named = String(calendar.properties.getFirstPropertyValue('x-wr-timezone') ?? '').trim();
    const zone = findZone(ianaZone(named) ?? '');
    const context = {
      findZone: zoneFinder(calendar, allZones, this.#notes),
      floating: namedZone(zone ?? siteZone(this.#source)),
      isFloatingKnown: zone !== undefined,
    };
    this.#contexts.set(calendar, context);
    return context;
  }

  /** Reads what has one UID: single events, or series with the instances that replace some of their occurrences. */
  #readGroup(uid: string, group: readonly Instance[]): void {
    const isException = (item: Instance) => item.recurrenceId !== undefined;
    const series = latestOf(group.filter((item) => !isException(item)));
    const exceptions = latestExceptions(group.filter(isException));
    for (const { name } of [...series.superseded, ...exceptions.superseded])
      this.#leaveOut(oldRevisions, name);
    const isShared = series.latest.length > 1;
    if (isShared) this.#notes.add(sharedUids, uid);
    const pending = new Set(exceptions.latest);
    for (const item of series.latest) {
      const uidOfSeries = isShared ? uidWithStart(item, series.latest) : uid;
      const found = this.#try(item.name, () =>
        occurrencesOf(item, [...pending], uidOfSeries, this.#limits, this.#notes),
      );
      if (found === undefined) continue;
      if (found.reason !== undefined) this.#leaveOut(found.reason, item.name);
      for (const exception of found.replacing) pending.delete(exception);
      this.#add(found.occurrences, item, found.rule);
    }
    for (const item of pending) this.#add([occurrenceAlone(item, uid)], item);
  }

  #identitySource(): string {
    return this.#name === '' ? format : `${format} ${this.#name}`;
  }

  #leaveOut(reason: string, name: string): void {
    this.#leftOut.add(reason, name);
    this.#leftOutCount += 1;
  }

  #add(
    occurrences: readonly Occurrence[],
    { name, context, writtenStart }: Instance,
    series?: SeriesRule,
  ): void {
    if (writtenStart.isFloating && !writtenStart.isDate && context.floating.name !== this.#source.zone)
      this.#notes.add(
        'Times without a zone, which are read in that of the file (X-WR-TIMEZONE)',
        context.floating.name,
      );
    for (const occurrence of occurrences)
      this.#try(name, () => {
        const row = rowOf(occurrence, this.#source, this.#identitySource());
        if (row.isNameless === true)
          this.#notes.add(
            row.fields['status'] === 'draft' ? namelessDrafts : nameless,
            `${row.fields['title']} ${row.fields['start_date']}`,
          );
        this.#rows.push(series === undefined ? row : { ...row, series });
      });
    const { file, limits } = this.#source;
    if (this.#rows.length > limits.records)
      throw new Error(`${file} has more than ${limits.records} events: split the file.`);
  }
}

/** Returns the name of a calendar with that of its program, whose version may change; empty without a name. */
function calendarName({ events }: ParsedFile): string {
  const { properties } = events[0]?.calendar ?? {};
  const text = (name: string) => String(properties?.getFirstPropertyValue(name) ?? '').trim();
  const name = text('x-wr-calname');
  return name === '' ? '' : `${name} ${text('prodid').replace(/[\d.]+/g, '')}`.trim().slice(0, 200);
}

function siteZone({ zone }: RowSource) {
  const found = findZone(zone);
  if (found === undefined) throw new TypeError(`The site has the unknown zone ${zone}.`);
  return found;
}

/** Names one of several events with one UID by its start, and by its title where others start with it. */
function uidWithStart(item: Instance, all: readonly Instance[]): string {
  const startOf = ({ start }: Instance) => writeLong(start, start.wall);
  const start = startOf(item);
  const isOne = all.filter((other) => startOf(other) === start).length === 1;
  return isOne ? `${item.uid} ${start}` : `${item.uid} ${start} ${item.name}`;
}
