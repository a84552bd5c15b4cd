/** When an event takes place, after a write (behaviour sections 7 and 13). */

import type { ParsedDate } from '../model/dates/parse-date.ts';
import { endOfDay, formatWall, readWall, startOfDay } from '../model/dates/wall.ts';
import { findZone, toInstant, toWall, type Zone } from '../model/dates/zone.ts';
import type { EventRecord } from '../model/records.ts';

export interface EventDates {
  readonly start_date: string;
  readonly end_date: string;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly timezone: string;
  readonly all_day: boolean;
}

interface EventDateValues {
  readonly start_date?: ParsedDate;
  readonly end_date?: ParsedDate;
  readonly timezone?: Zone;
  readonly all_day?: boolean;
}

interface Moment {
  readonly wall: number;
  readonly instant: number;
}

/**
 * Gives start and end in wall time of the event's zone and in UTC. What is not sent stays: the wall times when the
 * zone changes. Days are whole for an event that lasts all day. An end before the start becomes the start, also then.
 */
export function eventDatesAfter(
  before: EventRecord | undefined,
  values: EventDateValues,
  siteZone: Zone,
): EventDates {
  const zone = values.timezone ?? (before && findZone(before.timezone)) ?? siteZone;
  const all_day = values.all_day ?? before?.all_day ?? false;
  const isMoved = zone.name !== before?.timezone;
  const old = (wall = '', utc = ''): Moment | undefined =>
    before && (isMoved ? atWall(zone, readWall(wall)) : { wall: readWall(wall), instant: readWall(utc) });
  const start = momentOf(values.start_date, zone) ?? old(before?.start_date, before?.utc_start_date);
  const end = momentOf(values.end_date, zone) ?? old(before?.end_date, before?.utc_end_date) ?? start;
  if (start === undefined || end === undefined) throw new TypeError('An event must have a start.');
  const first = all_day ? atWall(zone, startOfDay(start.wall)) : start;
  const last = all_day ? atWall(zone, endOfDay(end.wall)) : end;
  return written(first, last.instant < first.instant ? first : last, zone.name, all_day);
}

function momentOf(date: ParsedDate | undefined, zone: Zone): Moment | undefined {
  if (date === undefined) return undefined;
  return 'wall' in date
    ? atWall(zone, date.wall)
    : { wall: toWall(zone, date.instant), instant: date.instant };
}

/** The moment at which clocks show a wall time; its own wall time differs where clocks are put forward over it. */
function atWall(zone: Zone, wall: number): Moment {
  const instant = toInstant(zone, wall);
  return { wall: toWall(zone, instant), instant };
}

function written(start: Moment, end: Moment, timezone: string, all_day: boolean): EventDates {
  return {
    start_date: formatWall(start.wall),
    end_date: formatWall(end.wall),
    utc_start_date: formatWall(start.instant),
    utc_end_date: formatWall(end.instant),
    timezone,
    all_day,
  };
}
