/** Time zones: names, offsets, and the way between wall time and instants. The only importer of Luxon. */

import { FixedOffsetZone, IANAZone, type Zone as LuxonZone } from 'luxon';
import { RecentMap } from '../../recent-map.ts';
import { alphabeticAbbreviation } from './abbreviation.ts';
import { day } from './wall.ts';

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
const abbreviations: Readonly<Record<string, number>> = {
  Z: 0,
  GMT: 0,
  WET: 0,
  CET: 60,
  MET: 60,
  EET: 120,
  EST: -300,
  MST: -420,
  HST: -600,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  AST: -240,
  ADT: -180,
  BST: 60,
  CEST: 120,
  EEST: 180,
  WEST: 60,
  MSK: 180,
  IST: 330,
  JST: 540,
  KST: 540,
  AEST: 600,
  AEDT: 660,
  ACST: 570,
  AWST: 480,
  NZST: 720,
  NZDT: 780,
  SAST: 120,
};

/** 1 January 1973: the last offset with seconds, that of Liberia, ended the year before. */
const wholeMinutesSince = 94_694_400;
/** Zones kept. There are fewer, but their names may be written in any case. */
const keptZones = 1000;
/** Minutes kept for each zone. */
const keptMinutes = 500;

const utcOffset = /^UTC([+-])(\d{1,2})(?::([0-5]\d)|(\.(?:5|25|75)))?$/i;
const bareOffset = /^([+-])(\d{1,2}):?([0-5]\d)?$/;

/** Finds a zone by an IANA name, `UTC`, `UTC+2`, `UTC-5`, `UTC+5:30`, `+02:00` or a common abbreviation, in any case; undefined when there is none (behaviour section 7). */
export const findZone = remember((name: string): Zone | undefined => {
  const fixed = fixedOffset(name);
  if (fixed !== undefined) return fixedZone(name, fixed);
  // Intl takes any offset for a zone too, also those that no place has.
  const isName = /^[a-z]/i.test(name) && IANAZone.isValidZone(name);
  const zone = isName ? IANAZone.create(name) : undefined;
  return zone && regional(name, zone);
});

/** Gives the wall time that a zone's clocks show at an instant. */
export function toWall(zone: Zone, instant: number): number {
  return instant + zone.offsetAt(instant);
}

/**
 * Gives the instant at which a zone's clocks show a wall time. Where they never do, because they are put forward
 * over it, the time after as many seconds as were left out; where they do twice, the first.
 */
export function toInstant(zone: Zone, wall: number): number {
  const before = wall - zone.offsetAt(wall - day);
  const after = wall - zone.offsetAt(wall + day);
  const shown = [before, after].filter((instant) => toWall(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : before;
}

function fixedOffset(name: string): number | undefined {
  const [, sign, hours, minutes, fraction] = utcOffset.exec(name) ?? bareOffset.exec(name) ?? [];
  if (hours === undefined) return abbreviations[name.toUpperCase()];
  const offset = Number(hours) * 60 + Number(minutes ?? 0) + Number(fraction ?? 0) * 60;
  if (offset > 14 * 60) return undefined;
  return sign === '-' ? -offset : offset;
}

/** Abbreviations are shown in capitals, offsets as `+02:00`, and `UTC+2` as it was given. */
function fixedZone(name: string, minutes: number): Zone {
  const abbreviation = /^[+-]/.test(name)
    ? FixedOffsetZone.instance(minutes).formatOffset(0, 'short')
    : name.toUpperCase();
  return { name, offsetAt: () => minutes * 60, abbreviationAt: () => abbreviation };
}

function regional(name: string, zone: LuxonZone): Zone {
  const offsetAt = byMinute((instant) => Math.round(zone.offset(instant * 1000) * 60));
  return {
    name,
    offsetAt,
    abbreviationAt: (instant) => alphabeticAbbreviation(zone.name, instant) ?? shortOffset(offsetAt(instant)),
  };
}

/** Keeps what was found for a minute: asking the zone is slow, and since 1973 clocks have changed on whole minutes only. */
function byMinute(find: (instant: number) => number): (instant: number) => number {
  const known = new RecentMap<number, number>(keptMinutes);
  return (instant) => {
    if (instant < wholeMinutesSince) return find(instant);
    const minute = Math.floor(instant / 60);
    const kept = known.get(minute);
    if (kept !== undefined) return kept;
    const offset = find(minute * 60);
    known.set(minute, offset);
    return offset;
  };
}

function shortOffset(seconds: number): string {
  return FixedOffsetZone.instance(seconds / 60)
    .formatOffset(0, 'techie')
    .replace(/00$/, '');
}

function remember<T>(find: (name: string) => T | undefined): (name: string) => T | undefined {
  const found = new RecentMap<string, T>(keptZones);
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    const value = find(name);
    if (value !== undefined) found.set(name, value);
    return value;
  };
}
