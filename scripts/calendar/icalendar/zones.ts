/** Time zones of iCalendar: those of IANA and Windows by their names, others by the rules in the file. */

import { parseRule, ruleDates } from '../../../functions/calendar/model/dates/rule.ts';
import { findZone, type Zone } from '../../../functions/calendar/model/dates/wall.ts';
import type { Notes } from '../import/notes.ts';
import { ianaZone, isOffset } from '../import/zone-names.ts';
import { type EventZone, parseDateTime, type TimeContext, utc } from './date-time.ts';
import type { Component, ParsedCalendar, Property } from './parse-calendars.ts';

const noRules = 'Unknown time zones, whose times are read as those of the site';
const offsetOnly = 'Time zones that are known by their offset alone, and have no summer time';
const invalidRules = 'Time zones whose rules (VTIMEZONE) are invalid, and are not used';

/** Rules of zones are expanded from this year on, and for the years that an import may reach. */
const firstYear = 1970;
const lastRuleDate = Date.UTC(2100, 0, 1) / 1000;
const maxRuleDates = 2_000;

/** Returns a zone of the calendar. */
export function namedZone(zone: Zone): EventZone {
  const known = namedZones.get(zone.name);
  if (known !== undefined) return known;
  const named = {
    name: zone.name,
    isNamed: true,
    offsetAt: (instant: number) => zone.offsetAt(instant),
    abbreviationAt: (instant: number) => zone.abbreviationAt(instant),
  };
  namedZones.set(zone.name, named);
  return named;
}

const namedZones = new Map<string, EventZone>();

/** Creates what finds the zones of a calendar in a file: by its name, or by rules in the calendar or anywhere in the file. */
export function zoneFinder(
  { zones }: Pick<ParsedCalendar, 'zones'>,
  allZones: readonly Component[],
  notes: Notes,
): (tzid: string) => EventZone | undefined {
  const found = new Map<string, EventZone | undefined>();
  const keyOf = (tzid: unknown) =>
    String(tzid ?? '')
      .trim()
      .toLowerCase();
  const find = (tzid: string) => {
    const rules = [...zones, ...allZones].find(
      (item) => keyOf(item.getFirstPropertyValue('tzid')) === keyOf(tzid),
    );
    return resolve(tzid, rules, notes);
  };
  return (tzid) => {
    if (!found.has(tzid)) found.set(tzid, find(tzid));
    return found.get(tzid);
  };
}

/** The rules of a file may be outdated or wrong, so that a name of a region counts more. */
function resolve(tzid: string, rules: Component | undefined, notes: Notes): EventZone | undefined {
  const name = ianaZone(tzid);
  const zone = findZone(name ?? '');
  const isRegion = name?.includes('/') === true && !name.startsWith('Etc/');
  if (zone !== undefined && (isRegion || rules === undefined)) {
    if (isOffset(zone.name) && !/^\W*(?:GMT|UTC)\s*[+-]?[\d:. ]*\W*$/i.test(tzid))
      notes.add(offsetOnly, tzid);
    return namedZone(zone);
  }
  const own = rules === undefined ? undefined : zoneOfRules(tzid, rules, notes);
  if (own !== undefined && zone !== undefined && hasOneOffset(own, zone)) return namedZone(zone);
  if (own !== undefined) return own;
  if (zone !== undefined) return namedZone(zone);
  notes.add(noRules, tzid);
  return undefined;
}

interface Change {
  readonly instant: number;
  readonly offset: number;
  readonly previous: number;
}

interface RuleZone extends EventZone {
  readonly changes: readonly Change[];
}

function hasOneOffset({ changes }: RuleZone, zone: Zone): boolean {
  return changes.every(({ offset, instant }) => offset === zone.offsetAt(instant));
}

/** Returns the zone of rules (3.6.5); undefined for rules without a valid part. */
function zoneOfRules(tzid: string, rules: Component, notes: Notes): RuleZone | undefined {
  try {
    const observances = ['standard', 'daylight'].flatMap((name) => rules.getAllSubcomponents(name));
    const changes = observances.flatMap(changesOf).sort((a, b) => a.instant - b.instant);
    const [first] = changes;
    if (first === undefined) throw new Error('it has no offset');
    const offsetAt = (instant: number) =>
      changes.findLast((change) => change.instant <= instant)?.offset ?? first.previous;
    return { name: tzid, isNamed: false, offsetAt, abbreviationAt: () => tzid, changes };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    notes.add(invalidRules, `${tzid}: ${error.message}`);
    return undefined;
  }
}

/** Returns the instants at which an offset begins. */
function changesOf(observance: Component): Change[] {
  const offset = offsetIn(observance, 'tzoffsetto');
  const previous = offsetIn(observance, 'tzoffsetfrom');
  const start = observance.getFirstProperty('dtstart');
  if (start === null) throw new Error('it has no start (DTSTART)');
  const walls = [...datesIn(start), ...observance.getAllProperties('rdate').flatMap(datesIn)];
  for (const rule of observance.getAllProperties('rrule'))
    walls.push(...ruleWalls(rule, walls[0] ?? 0, previous));
  return walls.map((wall) => ({ instant: wall - previous, offset, previous }));
}

function ruleWalls(property: Property, first: number, previous: number): number[] {
  const rule = parseRule(String(property.getFirstValue()));
  const { until } = rule;
  // The end is in UTC, and the dates are on the clock before the change.
  const end = until === undefined ? undefined : parseDateTime(until, property, fileTime);
  return ruleDates(rule, {
    start: sinceFirstYear(first),
    isDate: false,
    last: lastRuleDate,
    isWithin: (wall) => end === undefined || wall - (end.isFloating ? 0 : previous) <= end.wall,
    includesStart: true,
    maxDates: maxRuleDates,
  });
}

/** Outlook begins its rules in 1601. */
function sinceFirstYear(wall: number): number {
  const date = new Date(wall * 1000);
  if (date.getUTCFullYear() >= firstYear) return wall;
  return date.setUTCFullYear(firstYear) / 1000;
}

const fileTime: TimeContext = { findZone: () => undefined, floating: utc, isFloatingKnown: false };

function datesIn(property: Property): number[] {
  return property
    .getValues()
    .map((value) => parseDateTime(String(value).split('/')[0] ?? '', property, fileTime).wall);
}

function offsetIn(observance: Component, name: string): number {
  const text = String(observance.getFirstPropertyValue(name) ?? '').trim();
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])?(\d{1,2}):?(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (!(offset <= 24 * 3600)) throw new Error(`${name.toUpperCase()} is no offset: "${text.slice(0, 20)}"`);
  return sign === '-' ? -offset : offset;
}
