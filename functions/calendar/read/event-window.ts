/** The window of dates in which the events of a list take place (docs/calendar-contract.md, "The window of dates"). */

import type { ParsedDate } from '../model/dates/parse-date.ts';
import { endOfDay, formatWall, startOfDay, toInstant, toWall, type Zone } from '../model/dates/wall.ts';
import type { Bounds } from '../replica/event-index.ts';

/** Date filters, as sent. */
interface WindowValues {
  readonly start_date?: ParsedDate;
  readonly end_date?: ParsedDate;
  readonly starts_before?: ParsedDate;
  readonly starts_after?: ParsedDate;
  readonly ends_before?: ParsedDate;
  readonly ends_after?: ParsedDate;
  readonly strict_dates: boolean;
  readonly include?: unknown;
}

const names = [
  'start_date',
  'end_date',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
] as const;
type BoundName = (typeof names)[number];

/** Defaults of the window, as text for the API document and as instants in seconds. */
export const windowDefaults = {
  start_date: { text: 'yesterday', instant: yesterday },
  end_date: { text: '+2 years', instant: inTwoYears },
} as const;

/** Defaults of the window of a feed. Programs show past events too. */
export const feedDefaults = {
  ...windowDefaults,
  start_date: { text: '-1 year', instant: (now: number) => yearsFrom(now, -1) },
} as const;

type WindowDefaults = Readonly<
  Record<'start_date' | 'end_date', { readonly instant: (now: number) => number }>
>;

/** The bounds of a list: instants to compare with, and wall times of the site to write into links. */
export interface EventWindow {
  readonly instants: { readonly [N in BoundName]?: number };
  readonly walls: { readonly [N in BoundName]?: string };
  readonly isStrict: boolean;
}

/**
 * Returns the effective bounds, in the zone of the site. Bounds are widened to whole days unless they are strict.
 * Each of `start_date` and `end_date` has its default unless another date filter or `include` is sent.
 */
export function eventWindow(
  values: WindowValues,
  zone: Zone,
  now: number,
  defaults: WindowDefaults = windowDefaults,
): EventWindow {
  const isStrict = values.strict_dates;
  const walls: { [N in BoundName]?: string } = {};
  const instants: { [N in BoundName]?: number } = {};
  for (const name of names) {
    const wall = boundOf(name, values, zone, now, defaults);
    if (wall === undefined) continue;
    const effectiveWall = isStrict ? wall : widenBound(name, wall);
    walls[name] = formatWall(effectiveWall);
    instants[name] = toInstant(zone, effectiveWall);
  }
  return { walls, instants, isStrict };
}

/** Returns the first and last seconds at which events of a window may start and end. A bound of whole days includes the last second of its day. */
export function boundsOf({ instants, isStrict }: EventWindow): {
  readonly starts: Bounds;
  readonly ends: Bounds;
} {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after } = instants;
  const excluded = isStrict ? 1 : 0;
  return {
    starts: [
      Math.max(start_date ?? -Infinity, (starts_after ?? -Infinity) + 1),
      (starts_before ?? Infinity) - excluded,
    ],
    ends: [
      (ends_after ?? -Infinity) + 1,
      Math.min(end_date ?? Infinity, (ends_before ?? Infinity) - excluded),
    ],
  };
}

function boundOf(
  name: BoundName,
  values: WindowValues,
  zone: Zone,
  now: number,
  defaults: WindowDefaults,
): number | undefined {
  const isWindow = name === 'start_date' || name === 'end_date';
  if (isWindow && values.include !== undefined) return undefined;
  const given = values[name];
  if (given !== undefined) return wallIn(zone, given);
  const hasDateFilter = names.slice(2).some((filter) => values[filter] !== undefined);
  if (!isWindow || hasDateFilter) return undefined;
  return toWall(zone, defaults[name].instant(now));
}

/** Returns a date as wall time of a zone. A date with an offset is converted. */
function wallIn(zone: Zone, date: ParsedDate): number {
  return 'instant' in date ? toWall(zone, date.instant) : date.wall;
}

/** Returns yesterday 23:59 in UTC. */
function yesterday(now: number): number {
  return startOfDay(now) - 60;
}

function inTwoYears(now: number): number {
  return yearsFrom(now, 2);
}

function yearsFrom(now: number, years: number): number {
  const date = new Date(now * 1000);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return Math.floor(date.getTime() / 1000);
}

function widenBound(name: BoundName, wall: number): number {
  return name === 'start_date' ? startOfDay(wall) : endOfDay(wall);
}
