/**
 * The values that the events of a series have in common, field by field: how they are read from an event, kept for the days from one on, and
 * given to an event, where what people have changed in it stays.
 */

import {
  endOfDay,
  findZone,
  formatWall,
  readWall,
  secondsOfDay,
  startOfDay,
  toInstant,
  toWall,
} from './dates/wall.ts';
import { ownerOf } from './owner.ts';
import type { EventRecord, SeriesDate, SeriesLayer, SeriesRecord } from './records.ts';
import { languages, type Translations } from './values.ts';

/** Dates of one series, at most, and years that it reaches from its first date, or from today where that is later. */
export const maxSeriesDates = 500;
export const horizonYears = 2;

/** Values by the name of their field. Those that belong together are one; a text in another language is one of its own. */
export type SeriesValues = Readonly<Record<string, unknown>>;

/** When the events of a series take place, counted from the day that the rule gives each. */
export interface When {
  /** Seconds of the day at which they begin. */
  readonly time: number;
  /** Seconds from the start to the end on the clock. */
  readonly length: number;
  readonly timezone: string;
  readonly all_day: boolean;
  /** Days by which they were moved together. */
  readonly shift: number;
}

/** Members of an event that are its own, or in one of the values above. */
const ownMembers = new Set([
  'kind',
  'id',
  'slug',
  'modified',
  'modified_utc',
  'creation',
  'follows',
  'imported_from',
  'earlier_paths',
  'guid',
  'trashed_from',
  'renamed_in_trash',
  'series',
  'translations',
  'translated_from',
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
  'timezone',
  'all_day',
  'status',
  'date',
  'date_utc',
  'changed_at',
  'changed_by',
  'submitted_at',
  'review_note',
]);

/** A text in a language, and what is noted of its original: each is a value of its own. */
const translation = /^(translations|translated_from)\.(\w+)\.(\w+)$/;
const byLanguage = ['translations', 'translated_from'] as const;

/**
 * Returns the values of an event; its times are counted from a day. Where they are as `given` makes them, they are those: clocks may have
 * skipped the time.
 */
export function valuesOfEvent(event: EventRecord, day: string, given: SeriesValues = {}): SeriesValues {
  const entries = Object.entries(event).filter(([name]) => !ownMembers.has(name));
  const texts = byLanguage.flatMap((member) =>
    languages.flatMap((language) =>
      Object.entries(event[member]?.[language] ?? {}).map(
        ([name, text]) => [`${member}.${language}.${name}`, text] as const,
      ),
    ),
  );
  return {
    ...Object.fromEntries([...entries, ...texts]),
    when: whenOf(event, day, given['when'] as When | undefined),
    // What is scheduled, and what the clock has published since, is the same.
    status: event.status === 'future' ? 'publish' : event.status,
    ...scheduleOf(event, given),
  };
}

function whenOf(event: EventRecord, day: string, given: When | undefined): When {
  const { start_date, end_date, timezone, all_day = false } = event;
  const start = readWall(start_date);
  const first = startOfDay(start);
  const own = {
    time: start - first,
    length: readWall(end_date) - start,
    timezone,
    all_day,
    shift: (first - wallOf(day)) / secondsOfDay,
  };
  if (given === undefined) return own;
  const { dates } = datesOfDay(day, { ...given, timezone, all_day });
  if (dates.start_date !== start_date) return own;
  const { time, shift } = given;
  const length =
    dates.end_date === end_date
      ? given.length
      : readWall(end_date) - wallOf(day) - shift * secondsOfDay - time;
  return { ...own, time, shift, length };
}

/** The time of publication is a value while it is ahead, and once the clock has published what was given it. */
function scheduleOf({ status, date, date_utc }: EventRecord, given: SeriesValues): SeriesValues {
  const schedule = [date, date_utc];
  return status === 'future' || nameOf(given['date']) === nameOf(schedule) ? { date: schedule } : {};
}

const wallOf = (day: string) => readWall(`${day} 00:00:00`);

/** The times of an event, and what is odd about them: a time that clocks skip or show twice, or a change of clocks within it. */
export interface DatesOfDay {
  readonly dates: Pick<
    EventRecord,
    'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone' | 'all_day'
  >;
  readonly odd?: 'skipped-time' | 'repeated-time' | 'clock-change';
}

/** Returns the times of the event of a day. A time that clocks skip becomes that which they show then. */
export function datesOfDay(day: string, { time, length, timezone, all_day, shift }: When): DatesOfDay {
  const zone = findZone(timezone);
  if (zone === undefined) throw new TypeError('A stored time zone must exist.');
  const wall = wallOf(day) + shift * secondsOfDay + time;
  const moment = (wanted: number) => {
    const instant = toInstant(zone, wanted);
    return { wall: toWall(zone, instant), instant };
  };
  const start = moment(wall);
  const wantedEnd = all_day ? endOfDay(wall + length) : wall + length;
  const found = moment(wantedEnd);
  const end = found.instant < start.instant ? start : found;
  const isRepeated = (instant: number) => toWall(zone, instant + 3600) === toWall(zone, instant);
  const odd =
    start.wall !== wall || found.wall !== wantedEnd
      ? 'skipped-time'
      : isRepeated(start.instant)
        ? 'repeated-time'
        : end.instant - start.instant === end.wall - start.wall
          ? undefined
          : 'clock-change';
  return {
    dates: {
      start_date: formatWall(start.wall),
      end_date: formatWall(end.wall),
      utc_start_date: formatWall(start.instant),
      utc_end_date: formatWall(end.instant),
      timezone,
      ...(all_day ? { all_day } : {}),
    },
    ...(odd === undefined || all_day ? {} : { odd }),
  } as DatesOfDay;
}

/** Returns the values of a day: those of all days, with those that differ from a day up to it on. */
export function valuesOn(layers: readonly SeriesLayer[], day: string): SeriesValues {
  return Object.assign(
    {},
    ...layers.filter(({ from }) => from <= day).map(({ values }) => values),
  ) as SeriesValues;
}

/** Names a value: equal ones have equal names, and none has that of null. */
const nameOf = (value: unknown) => JSON.stringify(value ?? null);

/** Returns the names of the fields in which two sets of values differ. */
export function differingFields(one: SeriesValues, other: SeriesValues): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => nameOf(one[name]) !== nameOf(other[name])).sort();
}

/** A change of the values of an event, as it is made to others of its series. */
export type SeriesChange = (before: SeriesValues) => SeriesValues;

/** Returns the change that an event was given, by its values before and after: of its times only what differs, so that a date that was moved alone moves no other. */
export function changeBetween(before: SeriesValues, after: SeriesValues): SeriesChange | undefined {
  const fields = differingFields(before, after);
  if (fields.length === 0) return undefined;
  const [was, is] = [before['when'] as When, after['when'] as When];
  return (values) => {
    const changed = Object.fromEntries(fields.map((name) => [name, after[name] ?? null]));
    if (!fields.includes('when')) return changed;
    const when = values['when'] as When;
    const parts = Object.entries(is).filter(([name, value]) => value !== was[name as keyof When]);
    return {
      ...changed,
      when: { ...when, ...Object.fromEntries(parts), shift: when.shift + is.shift - was.shift },
    };
  };
}

/** Returns layers with a change of the days from one on; of all days where it is empty. */
export function changedLayers(
  layers: readonly SeriesLayer[],
  change: SeriesChange,
  from: string,
): SeriesLayer[] {
  const days = [...new Set([...layers.map((layer) => layer.from), from])].sort();
  const values = days.map((day) => {
    const before = valuesOn(layers, day);
    return day < from ? before : { ...before, ...change(before) };
  });
  return days.flatMap((day, index) => {
    const [own = {}, before = {}] = [values[index], values[index - 1]];
    const names = index === 0 ? Object.keys(own) : differingFields(own, before);
    const kept = names.filter((name) => index > 0 || (own[name] ?? null) !== null);
    if (index > 0 && kept.length === 0) return [];
    return [{ from: day, values: Object.fromEntries(kept.map((name) => [name, own[name] ?? null])) }];
  });
}

/** Returns the layers that were given last, with the fields alone in which others differ from them. */
export function givenLayers(before: readonly SeriesLayer[], after: readonly SeriesLayer[]): SeriesLayer[] {
  const days = [...new Set([...before, ...after].map(({ from }) => from))];
  const fields = new Set(days.flatMap((day) => differingFields(valuesOn(before, day), valuesOn(after, day))));
  return before.map(({ from, values }, index) => {
    const known = [...fields].filter((name) => index === 0 || name in values);
    return { from, values: Object.fromEntries(known.map((name) => [name, values[name] ?? null])) };
  });
}

/** Returns an event with the values that its series gives it, where people have not changed those that it gave last. */
export function givenTo(
  event: EventRecord,
  day: string,
  given: SeriesValues,
  values: SeriesValues,
): EventRecord {
  const own = valuesOfEvent(event, day, given);
  const taken = Object.keys(given).filter((name) => {
    const [there, here, before] = [nameOf(values[name]), nameOf(own[name]), nameOf(given[name])];
    return ownerOf({ there, stored: there, here }, { there: before, here: before }, true) === 'source';
  });
  return taken.length === 0
    ? event
    : withValues(event, day, Object.fromEntries(taken.map((name) => [name, values[name]])));
}

/** Returns an event with values in the place of its own; without a time of publication where that is taken away. */
export function withValues<E extends object>(event: E, day: string, values: SeriesValues): E {
  const {
    when,
    date: schedule,
    ...others
  } = values as SeriesValues & {
    readonly when?: When;
    readonly date?: readonly [date: string, date_utc: string] | null;
  };
  const members: Record<string, unknown> = { ...(event as Readonly<Record<string, unknown>>) };
  for (const [name, value] of Object.entries(others)) {
    const [, member, language = '', text = ''] = translation.exec(name) ?? [];
    if (member === undefined) members[name] = value ?? undefined;
    else members[member] = withText(members[member] as Translations | undefined, [language, text], value);
  }
  if (when !== undefined) Object.assign(members, { all_day: undefined }, datesOfDay(day, when).dates);
  if (schedule !== undefined) [members['date'], members['date_utc']] = schedule ?? [];
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as E;
}

/** Returns texts by language with another one; without it where it is null. */
function withText(
  texts: Translations | undefined,
  [language, name]: readonly [language: string, name: string],
  value: unknown,
): Translations | undefined {
  const { [language as keyof Translations]: before, ...others } = texts ?? {};
  const { [name]: _before, ...kept } = before ?? {};
  const after = (value ?? undefined) === undefined ? kept : { ...kept, [name]: value };
  const all = Object.keys(after).length === 0 ? others : { ...others, [language]: after };
  return Object.keys(all).length === 0 ? undefined : (all as Translations);
}

/** The dates that a series has. */
export function liveDates({ dates }: Pick<SeriesRecord, 'dates'>): readonly SeriesDate[] {
  return dates.filter((date) => date.is_removed !== true);
}

/** Returns when the events of a series take place, from a day on. */
export function whenOn(layers: readonly SeriesLayer[], day: string): When {
  return valuesOn(layers, day)['when'] as When;
}
