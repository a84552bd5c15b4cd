/**
 * Dates of records after a write: when one is published, and when an event takes place (docs/calendar-contract.md, "Status and publication"
 * and "Dates and time zones").
 */

import type { CalendarContext } from '../model/calendar-context.ts';
import { instantOf, type ParsedDate } from '../model/dates/parse-date.ts';
import {
  endOfDay,
  findZone,
  formatWall,
  readWall,
  startOfDay,
  toInstant,
  toWall,
  type Zone,
} from '../model/dates/wall.ts';
import type { EventRecord } from '../model/records.ts';
import { has } from '../model/rights.ts';
import type { Status } from '../model/values.ts';
import type { PostEntry } from '../replica/entries.ts';
import type { AdjustedField } from './write.ts';

export interface PublicationValues {
  readonly status?: Status;
  readonly date?: ParsedDate;
  readonly date_utc?: ParsedDate;
}

interface Publication {
  readonly status: Status;
  readonly date: string;
  readonly date_utc: string;
  readonly modified: string;
  readonly modified_utc: string;
}

interface EventDates {
  readonly start_date: string;
  readonly end_date: string;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly timezone: string;
  readonly all_day: boolean;
}

export interface EventDateValues {
  readonly start_date?: ParsedDate;
  readonly end_date?: ParsedDate;
  readonly timezone?: Zone;
  readonly all_day?: boolean;
}

interface Moment {
  readonly wall: number;
  readonly instant: number;
}

/** Returns status, publication and last change after a write. On create the last change equals the publication. */
export function publicationAfter(
  before: PostEntry | undefined,
  values: PublicationValues,
  context: CalendarContext,
): Publication {
  const dates = publicationDates(before?.record, values, context);
  const status = statusAfter(before, values, readWall(dates.date_utc), context);
  const { site, now } = context;
  const modified =
    before === undefined ? dates : { date: formatWall(toWall(site.zone, now)), date_utc: formatWall(now) };
  return { status, ...dates, modified: modified.date, modified_utc: modified.date_utc };
}

/** Returns when a record is published. Either date gives the other; both given, both stand as they are; none given, what was, or now. */
export function publicationDates(
  before: Pick<Publication, 'date' | 'date_utc'> | undefined,
  { date, date_utc }: PublicationValues,
  { site, now }: CalendarContext,
): { date: string; date_utc: string } {
  if (date === undefined && date_utc === undefined && before !== undefined)
    return { date: before.date, date_utc: before.date_utc };
  const local = date && instantOf(date, site.zone);
  const utc = date_utc && instantOf(date_utc, utcZone());
  return {
    date: formatWall(toWall(site.zone, local ?? utc ?? now)),
    date_utc: formatWall(utc ?? local ?? now),
  };
}

/** Seconds by which the clocks of two instances may differ. */
const clockSkew = 300;

/**
 * A caller who may not publish gets `draft` without a status, and `pending` for `publish`. A time of publication that was not sent may be
 * that of an instance whose clock is ahead: what is published stays so, and what is to be published now is.
 */
function statusAfter(
  before: PostEntry | undefined,
  values: PublicationValues,
  published: number,
  { caller, now }: CalendarContext,
): Status {
  const mayPublish = has('author', caller);
  const nextStatus = values.status ?? before?.status ?? (mayPublish ? 'publish' : 'draft');
  if (nextStatus !== 'publish' && nextStatus !== 'future') return nextStatus;
  if (!mayPublish) return 'pending';
  const isSent = values.date !== undefined || values.date_utc !== undefined;
  if (!isSent && before?.record.status === 'publish') return 'publish';
  return published > now + (isSent ? 0 : clockSkew) ? 'future' : 'publish';
}

function utcZone(): Zone {
  const zone = findZone('UTC');
  if (zone === undefined) throw new TypeError('The zone UTC must exist.');
  return zone;
}

/**
 * Returns start and end in wall time of the event's zone and in UTC. A value that is not sent stays; when only the zone changes, the wall
 * times stay. An event that lasts all day covers whole days. An end before the start becomes the start, even one that was not sent; a time
 * that clocks skip becomes that which they show then.
 */
export function eventDatesAfter(
  before: EventRecord | undefined,
  values: EventDateValues,
  siteZone: Zone,
): { readonly dates: EventDates; readonly adjusted: readonly AdjustedField[] } {
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
  const endsBeforeStart = last.instant < first.instant;
  const adjusted = [
    ...skippedTimes(values, zone),
    ...(endsBeforeStart ? [{ name: 'end_date', reason: 'before-start' } as const] : []),
  ];
  return { dates: writtenDates(first, endsBeforeStart ? first : last, zone.name, all_day), adjusted };
}

/** Returns the sent times that no clock of a zone shows. */
function skippedTimes(values: EventDateValues, zone: Zone): readonly AdjustedField[] {
  return (['start_date', 'end_date'] as const).flatMap((name) => {
    const date = values[name];
    const isSkipped = date !== undefined && 'wall' in date && atWall(zone, date.wall).wall !== date.wall;
    return isSkipped ? [{ name, reason: 'skipped-time' } as const] : [];
  });
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

function writtenDates(start: Moment, end: Moment, timezone: string, all_day: boolean): EventDates {
  return {
    start_date: formatWall(start.wall),
    end_date: formatWall(end.wall),
    utc_start_date: formatWall(start.instant),
    utc_end_date: formatWall(end.instant),
    timezone,
    all_day,
  };
}
