/** One component of an event, with its times read: a single event, a series, or one occurrence that replaces that of a series. */

import { secondsOfDay, startOfDay } from '../../../functions/calendar/model/dates/wall.ts';
import {
  after,
  atWall,
  type DateTime,
  dayOf,
  instantOf,
  parseDateTime,
  parseDuration,
  type TimeContext,
} from './date-time.ts';
import type { Component, ParsedEvent, Property } from './parse-calendars.ts';

export interface Instance {
  readonly component: Component;
  readonly context: TimeContext;
  /** Title in messages. */
  readonly name: string;
  readonly uid: string;
  readonly start: DateTime;
  /** The end; of whole days the day after the last. */
  readonly end: DateTime;
  /** The start as it is written: whole days of Outlook are times. */
  readonly writtenStart: DateTime;
  readonly recurrenceId: DateTime | undefined;
  /** Whether it replaces all later occurrences too. */
  readonly isThisAndFuture: boolean;
  readonly isCancelled: boolean;
  readonly sequence: number;
  /** When the revision was written, in UTC. */
  readonly stamp: string;
}

/** Reads the times of an event. Throws an Error with the reason for an event without a start, or with an invalid one. */
export function instanceOf({ component, calendar }: ParsedEvent, context: TimeContext): Instance {
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').trim();
  const startProperty = component.getFirstProperty('dtstart');
  if (startProperty === null) throw new Error('it has no start (DTSTART)');
  const read = (property: Property) =>
    parseDateTime(String(property.getFirstValue() ?? ''), property, context);
  const writtenStart = read(startProperty);
  const idProperty = component.getFirstProperty('recurrence-id');
  const method = String(calendar.properties.getFirstPropertyValue('method') ?? '');
  return {
    component,
    context,
    name: nameOf(component),
    uid: text('uid') || `${text('summary')} ${writeLong(writtenStart, writtenStart.wall)}`,
    ...timesOf(component, writtenStart, read),
    writtenStart,
    recurrenceId: idProperty === null ? undefined : read(idProperty),
    isThisAndFuture: /^THISANDFUTURE$/i.test(String(idProperty?.getFirstParameter('range') ?? '')),
    isCancelled: /^CANCELLED$/i.test(text('status')) || /^CANCEL$/i.test(method.trim()),
    sequence: Number(/^\d{1,15}$/.exec(text('sequence'))?.[0] ?? 0),
    stamp: text('last-modified') || text('dtstamp'),
  };
}

/** Returns the title of an event in messages. */
export function nameOf(component: Component): string {
  const value = (name: string) => String(component.getFirstPropertyValue(name) ?? '').trim();
  return (value('summary') || value('uid') || 'an event').slice(0, 60);
}

function timesOf(component: Component, start: DateTime, read: (property: Property) => DateTime) {
  const end = endOf(component, start, read);
  if (!start.isDate && !isWholeDays(component)) return { start, end };
  const day = (wall: number): DateTime => ({ ...start, wall, isDate: true });
  const isMidnight = end.isDate || end.wall % 3600 === 0;
  const endsAtMidnight =
    end.isDate || (isMidnight && (end.wall % secondsOfDay === 0 || isUtcMidnight(start, end)));
  const first = dayOf(start);
  const next = endsAtMidnight ? dayOf(end) : startOfDay(end.wall) + secondsOfDay;
  return { start: day(first), end: day(Math.max(next, first + secondsOfDay)) };
}

/** Exchange writes midnights in UTC: the end is at the same time of a day as the start. */
function isUtcMidnight(start: DateTime, end: DateTime): boolean {
  return start.zone === end.zone && (end.wall - start.wall) % secondsOfDay === 0;
}

/** Outlook writes whole days as times from midnight to midnight. */
function isWholeDays(component: Component): boolean {
  const names = ['x-microsoft-cdo-alldayevent', 'x-microsoft-msncalendar-alldayevent'];
  return names.some((name) => /^true$/i.test(String(component.getFirstPropertyValue(name) ?? '').trim()));
}

function endOf(component: Component, start: DateTime, read: (property: Property) => DateTime): DateTime {
  const property = component.getFirstProperty('dtend');
  if (property !== null && String(property.getFirstValue() ?? '').trim() !== '') {
    const end = read(property);
    // A day as the end of a time is its midnight; that, and a time without a zone, is in the zone of the start.
    return end.isFloating && !start.isDate ? { ...start, wall: end.wall } : end;
  }
  const duration = String(component.getFirstPropertyValue('duration') ?? '').trim();
  if (duration !== '') return after(start, parseDuration(duration));
  return start.isDate ? atWall(start, start.wall + secondsOfDay) : start;
}

/** Writes a time as `2027-01-31T19:30:00`, with a `Z` in UTC, and a day as `2027-01-31`. */
export function writeLong({ isDate, isFloating, zone }: DateTime, wall: number): string {
  const text = new Date(wall * 1000).toISOString().slice(0, 19);
  if (isDate) return text.slice(0, 10);
  return !isFloating && zone.name === 'UTC' && !zone.isNamed ? `${text}Z` : text;
}

/** Checks whether an instance ends before it begins. */
export function endsEarly({ start, end }: Pick<Instance, 'start' | 'end'>): boolean {
  return instantOf(end) < instantOf(start);
}
