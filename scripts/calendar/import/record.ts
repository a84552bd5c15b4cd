/** Parses a stored record of another calendar: each value passes the parser of its field, like a write over the API. */

import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import { readWall, wallIn } from '../../../functions/calendar/model/dates/wall.ts';
import { InvalidValue } from '../../../functions/calendar/model/fields/parameter.ts';
import type { CalendarRecord, EventRecord } from '../../../functions/calendar/model/records.ts';
import { hasTooMuchMarkup } from '../../../functions/calendar/model/text/html.ts';
import type { Kind } from '../../../functions/calendar/model/values.ts';
import { maxId } from './limits.ts';
import { type ImportedKind, storedFields } from './stored-fields.ts';
import { parseSeries } from './stored-series.ts';

/** A stored record before its values are parsed. */
export type RawRecord = Readonly<Record<string, unknown>>;

export interface ParsedRecord {
  /** The record without its invalid values; undefined where it lacks a required value. */
  readonly record: CalendarRecord | undefined;
  /** Invalid values, such as `website must be an absolute URL`. */
  readonly errors: readonly string[];
}

const kinds: readonly (ImportedKind | 'series')[] = [
  'author',
  'image',
  'category',
  'tag',
  'venue',
  'organizer',
  'event',
  'series',
];

/** Returns the position of a kind in the order of links: a linked kind comes first. */
export const orderOf = ({ kind }: { readonly kind: Kind }): number =>
  (kinds as readonly Kind[]).indexOf(kind);

/** Parses a record. */
export function parseRecord(raw: RawRecord, context: CalendarContext): ParsedRecord {
  const kind = kinds.find((item) => item === raw['kind']);
  if (kind === undefined) return { record: undefined, errors: [`kind must be one of ${kinds.join(', ')}`] };
  const id = idIn(raw['id'], kind === 'author' ? 0 : 1);
  if (id === undefined) return { record: undefined, errors: [`id must be a whole number up to ${maxId}`] };
  if (kind === 'series') {
    const series = parseSeries(raw, id, context);
    return series instanceof InvalidValue
      ? { record: undefined, errors: [series.message] }
      : { record: series, errors: [] };
  }
  const values: Record<string, unknown> = { kind, id };
  const errors: string[] = [];
  let isComplete = true;
  for (const [name, { parameter, isRequired = false, isKept = false }] of Object.entries(
    storedFields[kind],
  )) {
    const parsedValue = raw[name] === undefined ? missing : parameter.parse(raw[name], context);
    const value = isRequired && !isKept && isEmpty(parsedValue) ? missing : parsedValue;
    const isInvalid = value instanceof InvalidValue;
    if (isInvalid && (isRequired || value !== missing)) {
      errors.push(`${name} ${value.message}`);
      isComplete &&= !isRequired;
    }
    if (!isInvalid && (isKept || !isEmpty(value))) values[name] = value;
  }
  if (!isComplete) return { record: undefined, errors };
  for (const name of ['description', 'excerpt']) {
    const { [name]: html } = raw;
    if (typeof html === 'string' && hasTooMuchMarkup(html))
      errors.push(`${name} has too many elements, so that its text alone is stored`);
  }
  const record = values as unknown as CalendarRecord;
  return { record: record.kind === 'event' ? withOrderedDates(record) : record, errors };
}

const missing = new InvalidValue('is missing');

/** Parses an id of another calendar: a number, or a text of digits. */
export function idIn(value: unknown, minimum = 1): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id >= minimum && id <= maxId ? id : undefined;
}

/** Checks whether a value reads the same when it is not stored. */
function isEmpty(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** An end before the start becomes the start, as in a write. */
function withOrderedDates(event: EventRecord): EventRecord {
  const { start_date, utc_start_date, utc_end_date } = event;
  if (readWall(utc_end_date) >= readWall(utc_start_date)) return event;
  return { ...event, end_date: start_date, utc_end_date: utc_start_date };
}

/** Parses a date as it is stored; undefined for another text, and for a date that no calendar has. */
export function dateIn(value: unknown): string | undefined {
  return typeof value === 'string' && wallIn(value) !== undefined ? value : undefined;
}
