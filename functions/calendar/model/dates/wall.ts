/**
 * Wall time, as seconds since 1970-01-01 00:00:00 on that clock, and time zones: names, offsets, and the conversion to instants. `Intl`
 * knows the zones of IANA, a table their abbreviations.
 */

import { createCache } from '../../../../shared/cache.ts';
import zoneAbbreviations from './zone-abbreviations.json' with { type: 'json' };

/** Seconds of a day. */
export const secondsOfDay = 86_400;

/** First and last second that `YYYY-MM-DD` can say: years 1 to 9999. */
const first = Date.parse('0001-01-01T00:00:00Z') / 1000;
const last = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Checks whether a wall time has a year of four digits above 0000. */
export function isWritable(wall: number): boolean {
  return wall >= first && wall <= last;
}

/** Writes a wall time as `YYYY-MM-DD HH:MM:SS`; one beyond the years 1 to 9999, where a zone moved it, as the first or last of them. */
export function formatWall(wall: number): string {
  return new Date(Math.min(Math.max(wall, first), last) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Reads a wall time where a text says one just as `formatWall` writes it; undefined for all other texts, and where no calendar has it (February 30, hour 24). */
export function wallIn(text: string): number | undefined {
  const wall = readWall(text);
  return !Number.isNaN(wall) && formatWall(wall) === text ? wall : undefined;
}

/** Reads what `formatWall` wrote. */
export function readWall(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}Z`) / 1000;
}

/** Returns 00:00:00 of a wall time's day. */
export function startOfDay(wall: number): number {
  return Math.floor(wall / secondsOfDay) * secondsOfDay;
}

/** Returns 23:59:59 of a wall time's day. */
export function endOfDay(wall: number): number {
  return startOfDay(wall) + secondsOfDay - 1;
}

/** Takes `YYYY-MM-DD HH:MM:SS` apart into texts, zero-padded (docs/calendar-contract.md, "Date details"). */
export function dateDetails(date: string) {
  return {
    year: date.slice(0, 4),
    month: date.slice(5, 7),
    day: date.slice(8, 10),
    hour: date.slice(11, 13),
    minutes: date.slice(14, 16),
    seconds: date.slice(17, 19),
  };
}

/** A time zone. Instants are whole seconds since 1970-01-01 00:00:00 UTC. */
export interface Zone {
  /** The name as it was given. */
  readonly name: string;
  /** Seconds that the zone is ahead of UTC at an instant. */
  offsetAt(instant: number): number;
  /** Abbreviation at an instant: `CET`, `EDT`; the offset (`-05`) where the zone has none; the name itself of `UTC+5:30`. */
  abbreviationAt(instant: number): string;
}

/** Abbreviations that mean one fixed offset from UTC, in minutes; also those that are IANA names too (`EST`, `CET`). */
const fixedOffsets = new Map(
  (
    'Z 0, GMT 0, WET 0, CET 60, MET 60, EET 120, EST -300, MST -420, HST -600, EDT -240, CST -360, CDT -300, ' +
    'MDT -360, PST -480, PDT -420, AKST -540, AKDT -480, AST -240, ADT -180, BST 60, CEST 120, EEST 180, ' +
    'WEST 60, MSK 180, IST 330, JST 540, KST 540, AEST 600, AEDT 660, ACST 570, AWST 480, NZST 720, ' +
    'NZDT 780, SAST 120'
  )
    .split(', ')
    .map((item) => item.split(' '))
    .map(([name = '', minutes]) => [name, Number(minutes)]),
);

/** Abbreviations of each zone, by its name in lower case and its minutes ahead of UTC. */
const abbreviations = new Map<string, ReadonlyMap<number, string>>(
  Object.entries(zoneAbbreviations).flatMap(([group, names]) => {
    const byMinutes = new Map(
      group.split(', ').map((item) => {
        const [abbreviation = '', minutes] = item.split(' ');
        return [Number(minutes), abbreviation] as const;
      }),
    );
    return names.split(' ').map((name) => [name.toLowerCase(), byMinutes] as const);
  }),
);

/** 1 January 1973: the last offset with seconds, that of Liberia, ended the year before. */
const wholeMinutesSince = 94_694_400;
/** Zones that are cached. There are fewer, but their names may be written in any case. */
const maxZones = 1000;
/** Minutes that are cached for each zone. */
const maxMinutes = 500;

const zones = createCache<string, Zone>({ maxEntries: maxZones });
const utcOffset = /^UTC([+-])(\d{1,2})(?::([0-5]\d)|(\.(?:5|25|75)))?$/i;
const bareOffset = /^([+-])(\d{1,2}):?([0-5]\d)?$/;

/** What `Intl` writes behind a date: `GMT`, `GMT+01:00`, and before 1973 also seconds. */
const writtenOffset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * Finds a zone in any case, or returns undefined: by an IANA name, `UTC`, `UTC+2`, `UTC-5`, `UTC+5:30`, `+02:00` or a common abbreviation
 * (docs/calendar-contract.md, "Dates and time zones").
 */
export function findZone(name: string): Zone | undefined {
  const cached = zones.get(name);
  if (cached !== undefined) return cached;
  const minutes = fixedOffset(name);
  const zone = minutes === undefined ? regionalZone(name) : fixedZone(name, minutes);
  if (zone !== undefined) zones.set(name, zone);
  return zone;
}

/** Returns the wall time that a zone's clocks show at an instant. */
export function toWall(zone: Zone, instant: number): number {
  return instant + zone.offsetAt(instant);
}

/**
 * Returns the instant at which a zone's clocks show a wall time. Where they never do, because they are put forward
 * over it, the time after as many seconds as were left out; where they do twice, the first.
 */
export function toInstant(zone: Zone, wall: number): number {
  const earlier = wall - zone.offsetAt(wall - secondsOfDay);
  const later = wall - zone.offsetAt(wall + secondsOfDay);
  const candidates = [earlier, later].filter((instant) => toWall(zone, instant) === wall);
  return candidates.length > 0 ? Math.min(...candidates) : earlier;
}

function fixedOffset(name: string): number | undefined {
  const [, sign, hours, minutes, fraction] = utcOffset.exec(name) ?? bareOffset.exec(name) ?? [];
  if (hours === undefined) return fixedOffsets.get(name.toUpperCase());
  const offset = Number(hours) * 60 + Number(minutes ?? 0) + Number(fraction ?? 0) * 60;
  if (offset > 14 * 60) return undefined;
  return sign === '-' ? -offset : offset;
}

/** Abbreviations are shown in capitals, offsets as `+02:00`, and `UTC+2` as it was given. */
function fixedZone(name: string, minutes: number): Zone {
  const abbreviation = /^[+-]/.test(name) ? writeOffset(minutes, ':') : name.toUpperCase();
  return { name, offsetAt: () => minutes * 60, abbreviationAt: () => abbreviation };
}

function regionalZone(name: string): Zone | undefined {
  const formatter = formatterOf(name);
  if (formatter === undefined) return undefined;
  const byMinutes = abbreviations.get(name.toLowerCase());
  const offsetAt = cachedByMinute((instant) => readOffset(formatter.format(instant * 1000)));
  return {
    name,
    offsetAt,
    abbreviationAt(instant) {
      const minutes = Math.trunc(offsetAt(instant) / 60);
      return byMinutes?.get(minutes) ?? writeOffset(minutes, '').replace(/00$/, '');
    },
  };
}

/** Creates what writes the offset of a zone; undefined when there is no such zone. */
function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  // Intl takes any offset for a zone too, also those that no place has.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readOffset(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = writtenOffset.exec(text) ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** Caches what was found for a minute: asking `Intl` is slow, and since 1973 clocks have changed on whole minutes only. */
function cachedByMinute(find: (instant: number) => number): (instant: number) => number {
  const offsets = createCache<number, number>({ maxEntries: maxMinutes });
  return (instant) => {
    if (instant < wholeMinutesSince) return find(instant);
    const minute = Math.floor(instant / 60);
    const cached = offsets.get(minute);
    if (cached !== undefined) return cached;
    const offset = find(minute * 60);
    offsets.set(minute, offset);
    return offset;
  };
}

function writeOffset(minutes: number, separator: string): string {
  const parts = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join(separator)}`;
}
