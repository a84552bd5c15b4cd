/**
 * Series of events (RFC 5545 3.8.4.4 and 3.8.5): the occurrences of a rule, with added and excluded dates, and with the instances that
 * replace some of them. Dates of other zones and types mean the same occurrence: times are compared as instants, whole days as days.
 */

import { parseRule, type Rule, ruleDates } from '../../../functions/calendar/model/dates/rule.ts';
import {
  formatWall,
  secondsOfDay,
  startOfDay,
  toWall,
} from '../../../functions/calendar/model/dates/wall.ts';
import type { Notes } from '../import/notes.ts';
import {
  after,
  atWall,
  type DateTime,
  dayOf,
  instantOf,
  inZoneOf,
  parseDateTime,
  parseDuration,
  writeBasic,
} from './date-time.ts';
import { type Instance, writeLong } from './instance.ts';
import type { Component } from './parse-calendars.ts';

/** One event of a file: a single one, or one occurrence. */
export interface Occurrence {
  readonly component: Component;
  readonly start: DateTime;
  readonly end: DateTime;
  readonly uid: string;
  /** The occurrence of the series: its original start in UTC, or its day; empty for a single event. */
  readonly recurrence: string;
  /** The name that an earlier version has made the slug of the event from. */
  readonly formerUid: string;
  /** The UID as it is written, where several events have it. */
  readonly writtenUid: string;
  /** A single event may have been the first of a series before, and the other way round. */
  readonly otherRecurrence: string | undefined;
  readonly isFirst: boolean;
  /** Whether the file has the whole series, or the single event, and not this occurrence alone. */
  readonly hasSeries: boolean;
  readonly isCancelled: boolean;
}

export interface SeriesLimits {
  /** Instant until which the occurrences of a rule are imported. */
  readonly maxTime: number;
  /** Occurrences of one series; the last ones count. */
  readonly occurrences: number;
  /** Occurrences that are counted for each one that is imported. */
  readonly maxDates: number;
}

const leftOutReasons = {
  late: 'Recurring events that begin more than two years from now, and are left out',
  excluded: 'Recurring events all of whose dates are excluded, and which are left out',
} as const;

interface Date {
  readonly wall: number;
  /** The start of a date that was added in another zone. */
  readonly start?: DateTime | undefined;
  /** The end of a date that was added as a period. */
  readonly end?: DateTime | undefined;
}

/** The rule of a series, on the clock of its events. Days read `2027-01-31`. */
export interface SeriesRule {
  readonly start: string;
  /** Absent for several rules, and for none: its dates are chosen ones then. */
  readonly rrule?: string | undefined;
  readonly rdate: readonly string[];
  readonly exdate: readonly string[];
}

export interface SeriesOccurrences {
  readonly occurrences: readonly Occurrence[];
  /** Absent for a single event. */
  readonly rule?: SeriesRule | undefined;
  /** Instances that replace occurrences of the series. */
  readonly replacing: readonly Instance[];
  /** Why the series has no occurrences. */
  readonly reason: string | undefined;
}

/** Returns the occurrences of a series, or a single event. */
export function occurrencesOf(
  series: Instance,
  exceptions: readonly Instance[],
  uid: string,
  limits: SeriesLimits,
  notes: Notes,
): SeriesOccurrences {
  const dates = isRecurring(series) ? datesOf(series, limits) : undefined;
  const pending = new Set(exceptions);
  const exceptionOf = exceptionFinder(exceptions, series);
  const found = (dates ?? [{ wall: series.start.wall }]).map((date) => {
    const id = atWall(series.start, date.wall);
    const exception = exceptionOf(id, (item) => pending.has(item));
    if (exception !== undefined) pending.delete(exception);
    return { date, id, exception };
  });
  const excluded = excludedDates(series);
  const live = found.filter(({ id, exception }) => exception !== undefined || !excluded(id));
  const imported = live.slice(-limits.occurrences);
  if (imported.length < live.length)
    notes.add(`Events of which only the last ${limits.occurrences} occurrences are imported`, series.name);
  const recurrence = (id: DateTime) => (dates === undefined ? '' : recurrenceOf(id));
  const ranges = exceptions
    .filter((item) => item.isThisAndFuture && item.recurrenceId !== undefined)
    .sort((a, b) => idInstant(b, series) - idInstant(a, series));
  const occurrences = imported.map(({ date, id, exception }): Occurrence => {
    const names = {
      uid,
      recurrence: recurrence(id),
      formerUid: dates === undefined ? series.uid : `${series.uid} ${formerId(series, id)}`,
      writtenUid: series.uid,
      otherRecurrence:
        dates === undefined ? recurrenceOf(id) : id.wall === series.start.wall ? '' : undefined,
      isFirst: id.wall === series.start.wall,
      hasSeries: true,
    };
    const range = ranges.find((item) => idInstant(item, series) <= instantOf(id));
    if (exception !== undefined) return { ...timesAndParts(exception), ...names };
    if (range !== undefined) return { ...moved(range, id), ...names };
    const { start = id, end = endAfter(series, start) } = date;
    const { component, isCancelled } = series;
    return { component, start, end, isCancelled, ...names };
  });
  const left = found.filter(({ id, exception }) => exception === undefined && excluded(id));
  return {
    occurrences,
    rule:
      dates &&
      ruleOf(
        series,
        left.map(({ id }) => id.wall),
      ),
    replacing: exceptions.filter((item) => !pending.has(item)),
    reason: occurrences.length > 0 ? undefined : leftOutReasons[found.length > 0 ? 'excluded' : 'late'],
  };
}

function ruleOf(series: Instance, excluded: readonly number[]): SeriesRule {
  const day = (wall: number) => formatWall(wall).slice(0, 10);
  const texts = series.component
    .getAllProperties('rrule')
    .map((property) => String(property.getFirstValue() ?? '').trim())
    .filter((text) => text !== '');
  return {
    start: day(series.start.wall),
    rrule: texts.length === 1 ? texts[0] : undefined,
    rdate: addedDates(series).map(({ wall }) => day(wall)),
    exdate: excluded.map(day),
  };
}

/** Returns the occurrence of an instance whose series is not in the file, or does not have it. */
export function occurrenceAlone(instance: Instance, uid: string): Occurrence {
  const id = instance.recurrenceId ?? instance.start;
  const recurrence = recurrenceOf(id);
  const formerUid = `${instance.uid} ${writeLong(id, id.wall)}`;
  return {
    ...timesAndParts(instance),
    uid,
    recurrence,
    formerUid,
    writtenUid: instance.uid,
    otherRecurrence: undefined,
    isFirst: false,
    hasSeries: false,
  };
}

function timesAndParts({ component, start, end, isCancelled }: Instance) {
  return { component, start, end, isCancelled };
}

/** Names an occurrence by its original start. */
function recurrenceOf(id: DateTime): string {
  return id.isDate ? writeBasic(id.wall, true) : `${writeBasic(instantOf(id), false)}Z`;
}

function formerId({ start, writtenStart }: Instance, id: DateTime): string {
  return writeLong(writtenStart, id.wall + writtenStart.wall - start.wall);
}

/** Returns what finds the instance that replaces an occurrence. Its id may be a day where the occurrence has a time, or the other way round. */
function exceptionFinder(exceptions: readonly Instance[], series: Instance) {
  const { start } = series;
  const byInstant = new Map<number, Instance>();
  const byDay = new Map<number, Instance>();
  for (const item of exceptions) {
    const { recurrenceId } = item;
    if (recurrenceId === undefined) continue;
    if (start.isDate || recurrenceId.isDate) byDay.set(dayOf(recurrenceId), item);
    else byInstant.set(instantOf(originalStart(recurrenceId, series)), item);
  }
  return (id: DateTime, isPending: (item: Instance) => boolean): Instance | undefined => {
    const found = (byInstant.size > 0 && byInstant.get(instantOf(id))) || byDay.get(startOfDay(id.wall));
    return found !== undefined && isPending(found) ? found : undefined;
  };
}

/** A time without a zone is one in the zone of its series. */
function inSeries(time: DateTime, start: DateTime): DateTime {
  return time.isFloating ? { ...start, wall: time.wall, isDate: time.isDate } : time;
}

/**
 * Returns the start of the occurrence that another property names by it. Beside an unknown zone an instant is that of the occurrence that
 * clocks of some zone show then, since nobody knows which zone it is; where occurrences are hours apart, as if it were the zone of the file.
 */
function originalStart(time: DateTime, series: Instance): DateTime {
  const { component, context, start } = series;
  const isOfAnyZone =
    !time.isFloating &&
    !time.isDate &&
    start.isFloating &&
    !start.isDate &&
    !context.isFloatingKnown &&
    (time.wall - start.wall) % quarterOfHour === 0 &&
    rulesOf(component, 'rrule').every(({ parts }) => hasDays(parts));
  if (!isOfAnyZone) return inSeries(time, start);
  const earliest = time.wall + maxAhead - secondsOfDay;
  const later = (start.wall - earliest) % secondsOfDay;
  return { ...start, wall: earliest + (later < 0 ? later + secondsOfDay : later) };
}

function idInstant({ recurrenceId }: Instance, series: Instance): number {
  const { start } = series;
  if (recurrenceId === undefined) return Number.POSITIVE_INFINITY;
  return start.isDate
    ? instantOf({ ...start, wall: dayOf(recurrenceId) })
    : instantOf(originalStart(recurrenceId, series));
}

/** Returns an occurrence as an instance that replaces this and all later ones: as far from its original start as that. */
function moved(range: Instance, id: DateTime) {
  const { component, start, end, recurrenceId = start, isCancelled } = range;
  const original = start.isDate
    ? { ...start, wall: dayOf(recurrenceId) }
    : inZoneOf(inSeries(recurrenceId, start), start);
  const here = id.isDate || start.isDate ? { ...start, wall: startOfDay(id.wall) } : inZoneOf(id, start);
  const movedStart = atWall(start, here.wall + start.wall - original.wall);
  return { component, start: movedStart, end: endAfter({ start, end }, movedStart), isCancelled };
}

/** Returns the end of an occurrence: as far from its start, on the clock, as that of the instance. */
function endAfter({ start, end }: Pick<Instance, 'start' | 'end'>, id: DateTime): DateTime {
  if (start.isDate || start.zone === end.zone) return atWall(id, id.wall + end.wall - start.wall);
  const instant = instantOf(id) + instantOf(end) - instantOf(start);
  return atWall(end, toWall(end.zone, instant));
}

/** Checks whether an instance is a series. */
function isRecurring({ component }: Instance): boolean {
  return ['rrule', 'rdate'].some((name) =>
    component.getAllProperties(name).some((property) => String(property.getFirstValue() ?? '').trim() !== ''),
  );
}

/** Returns the dates of a series in ascending order, also those that are excluded. */
function datesOf(series: Instance, limits: SeriesLimits): Date[] {
  const { component, start } = series;
  const rules = rulesOf(component, 'rrule');
  const dates = new Map<number, Date>();
  const add = (date: Date) => {
    if (!dates.has(date.wall) || date.end !== undefined) dates.set(date.wall, date);
  };
  const walls = rules.flatMap((rule) => ruleWalls(rule, series, limits, true));
  if (rules.length === 0 && instantOf(start) <= limits.maxTime) walls.push(start.wall);
  for (const wall of walls) add({ wall });
  for (const date of addedDates(series)) if (instantOf(atWall(start, date.wall)) <= limits.maxTime) add(date);
  for (const rule of rulesOf(component, 'exrule'))
    for (const wall of ruleWalls(rule, series, limits, false)) dates.delete(wall);
  return [...dates.values()].sort((a, b) => a.wall - b.wall);
}

/** Returns the rules of a series. Some programs write an empty one. */
function rulesOf(component: Component, name: 'rrule' | 'exrule'): Rule[] {
  return component
    .getAllProperties(name)
    .map((property) => String(property.getFirstValue() ?? '').trim())
    .filter((text) => text !== '')
    .map(parseRule);
}

function ruleWalls(rule: Rule, series: Instance, limits: SeriesLimits, includesStart: boolean): number[] {
  const { start } = series;
  const last = toWall(start.zone, limits.maxTime);
  return ruleDates(rule, {
    start: start.wall,
    isDate: start.isDate,
    last,
    isWithin: isWithin(rule, series),
    includesStart,
    maxDates: limits.maxDates,
  });
}

/** Returns whether a date is before the end of a rule, which is included. A day ends with its last second. */
function isWithin(
  { until, parts }: Rule,
  { component, context, start }: Instance,
): (wall: number) => boolean {
  const property = component.getFirstProperty('rrule') ?? component.getFirstProperty('exrule');
  if (until === undefined || property === null) return () => true;
  const end = parseDateTime(until, property, context);
  if (start.isDate) {
    const day = dayOf(end);
    return (wall) => wall <= day;
  }
  if (end.isDate) return (wall) => wall < end.wall + secondsOfDay;
  if (end.isFloating) return (wall) => wall <= end.wall;
  if (start.isFloating) return isWithinUtc(end, start, !context.isFloatingKnown && hasDays(parts));
  const instant = instantOf(end);
  return (wall) => instantOf({ ...start, wall }) <= instant;
}

/** Checks whether the dates of a rule are a day apart, at least. */
function hasDays(parts: Rule['parts']): boolean {
  return !/^(?:HOURLY|MINUTELY|SECONDLY)$/.test(parts.get('FREQ') ?? '') && !parts.has('BYHOUR');
}

/** How far ahead of UTC the clocks of an unknown zone may be. Those up to 10 hours behind have no date of the next day before the end then. */
const maxAhead = 13 * 3600;

/** Seconds by which the clocks of zones are apart, or a multiple of them. */
const quarterOfHour = 900;

/**
 * Returns what checks whether a time without a zone, or of an unknown one, is before an end in UTC. Programs mean the instant of the last date,
 * the end of its day, or write the time of the clock with a Z: a date counts where one of these has it.
 */
function isWithinUtc(end: DateTime, start: DateTime, isAnyZone: boolean): (wall: number) => boolean {
  if (end.wall % 60 === 59) {
    const day = dayOf(end);
    return (wall) => wall < day + secondsOfDay;
  }
  const instant = instantOf(end);
  // Only such an end may be the instant of a date.
  const ahead = isAnyZone && (end.wall - start.wall) % quarterOfHour === 0 ? maxAhead : 0;
  return (wall) => wall <= end.wall + ahead || instantOf({ ...start, wall }) <= instant;
}

/** Returns the dates that a series adds to its rule. A day is that of an occurrence at the time of the series. */
function addedDates({ component, context, start }: Instance): Date[] {
  return component.getAllProperties('rdate').flatMap((property) =>
    property.getValues().flatMap((value): Date[] => {
      const [first = '', second] = String(value).split('/');
      if (first.trim() === '') return [];
      const time = parseDateTime(first, property, context);
      if (start.isDate) return [{ wall: dayOf(time) }];
      if (time.isDate) return [{ wall: time.wall + start.wall - startOfDay(start.wall) }];
      const added = inSeries(time, start);
      const { wall } = inZoneOf(added, start);
      if (second === undefined) return [{ wall, start: added }];
      const end = /^[+-]?P/i.test(second.trim())
        ? after(added, parseDuration(second))
        : inSeries(parseDateTime(second, property, context), start);
      return [{ wall, start: added, end }];
    }),
  );
}

/** Returns what checks whether an occurrence is excluded. */
function excludedDates(series: Instance): (id: DateTime) => boolean {
  const { component, context, start } = series;
  const times = component.getAllProperties('exdate').flatMap((property) =>
    property
      .getValues()
      .map((value) => String(value).trim())
      .filter((value) => value !== '')
      .map((value) => parseDateTime(value, property, context)),
  );
  const days = new Set(times.filter(({ isDate }) => start.isDate || isDate).map(dayOf));
  const instants = new Set(
    times.filter(({ isDate }) => !isDate).map((time) => instantOf(originalStart(time, series))),
  );
  if (start.isDate) return ({ wall }) => days.has(wall);
  if (times.length === 0) return () => false;
  return (id) => days.has(startOfDay(id.wall)) || instants.has(instantOf(id));
}
