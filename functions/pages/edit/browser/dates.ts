/** The dates of an event in its form: what can be typed, and the end that follows its start. */

import { FieldErrors } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { word } from '../../common/browser/session.tsx';

const firstYear = '1900';
const hour = 60 * 60 * 1000;
const dateNames = ['start_date', 'end_date'] as const;

/** The milliseconds from start to end that a start keeps as it moves; undefined while nobody has said how long the event takes. */
export interface Length {
  current: number | undefined;
}

/** Returns a time of a form, `2030-06-01T19:00` or `2030-06-01`, in milliseconds as if it were in UTC; undefined for what is none (yet). */
function timeOf(value: unknown, isDay: boolean): number | undefined {
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?/.exec(String(value)) ?? [];
  const milliseconds = day === undefined ? Number.NaN : Date.parse(`${day}T${isDay ? '00:00' : time}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Returns how long an event of a form takes; undefined where a date is missing, is still being typed, or stands before the other. */
export function lengthOf(values: Values): number | undefined {
  const isDay = values['all_day'] === true;
  const [start, end] = dateNames.map((name) => timeOf(values[name], isDay));
  const isTyped = dateNames.every((name) => !isTooEarly(values[name]));
  return isTyped && start !== undefined && end !== undefined && end >= start ? end - start : undefined;
}

/**
 * Returns the end that follows from a change of a field, if any. A start that moves keeps the length, also through the years that a browser
 * gives while one is typed (0002, 0020, 0203). An end that is not set yet, or stands before the start, is an hour after it.
 */
export function endAfter(before: Values, name: string, value: unknown, length: Length): string | undefined {
  const values = { ...before, [name]: value };
  if (name === 'end_date' || name === 'all_day') length.current = lengthOf(values);
  if (name !== 'start_date') return undefined;
  const isDay = values['all_day'] === true;
  const [start, end] = dateNames.map((date) => timeOf(values[date], isDay));
  if (start === undefined) return undefined;
  if (length.current === undefined) {
    if (end !== undefined && end > start) return undefined;
    length.current = isDay ? 0 : hour;
  }
  const moved = new Date(start + length.current);
  if (moved.getUTCFullYear() > 9999) return undefined;
  const [day = '', time = ''] = moved.toISOString().slice(0, 16).split('T');
  return `${day}T${isDay ? String(values['end_date']).slice(11, 16) || '23:59' : time}`;
}

/** Checks whether a date is in a year that nobody means: the last digits of one that is being typed, or no year at all. */
function isTooEarly(value: unknown): boolean {
  const text = String(value ?? '');
  return text !== '' && text.slice(0, 4) < firstYear;
}

/** Throws where an event ends before it starts, since the API would move its end without a word; and where a date was changed to a year before 1900. */
export function checkDates(values: Values, changes: Values): void {
  const early = dateNames.filter((name) => name in changes && isTooEarly(changes[name]));
  if (early.length > 0)
    throw new FieldErrors(
      word('error_400'),
      Object.fromEntries(early.map((name) => [name, word('yearTooEarly')])),
    );
  const length = values['all_day'] === true ? 10 : 16;
  const [start, end] = dateNames.map((name) => String(values[name]).slice(0, length));
  if (start && end && end < start)
    throw new FieldErrors(word('error_400'), { end_date: word('endBeforeStart') });
}
