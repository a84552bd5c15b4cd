/** Parses a stored series of another calendar: its rule as one that is sent, and each of its values by the parser of the field of an event. */

import type { CalendarContext } from '../../../functions/calendar/model/calendar-context.ts';
import { checkRule } from '../../../functions/calendar/model/dates/recurrence.ts';
import { findZone, wallIn } from '../../../functions/calendar/model/dates/wall.ts';
import { InvalidValue } from '../../../functions/calendar/model/fields/parameter.ts';
import type { Recurrence, SeriesLayer, SeriesRecord } from '../../../functions/calendar/model/records.ts';
import { maxSeriesDates, type When } from '../../../functions/calendar/model/series.ts';
import { invalidField } from '../../../functions/calendar/replica/shapes.ts';
import { isCodedError } from '../../../shared/errors.ts';
import { storedFields } from './stored-fields.ts';

const translation = /^(translations|translated_from)\.(\w+)\.(\w+)$/;
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && wallIn(`${text} 00:00:00`) !== undefined;

/** Returns a series without what no view shows of its creation, or what is invalid of it. */
export function parseSeries(
  raw: Readonly<Record<string, unknown>>,
  id: number,
  context: CalendarContext,
): SeriesRecord | InvalidValue {
  const invalid = invalidField(raw, 'series', id);
  if (invalid !== undefined) return new InvalidValue(`has an invalid ${invalid}`);
  const { recurrence, imported_recurrence, layers, dates, given, at, imported_from, earlier_paths } =
    raw as unknown as SeriesRecord;
  const days = dates.map((date) => date.recurrence);
  if (!days.every(isDay) || new Set(days).size < days.length)
    return new InvalidValue('must have dates of different days, such as 2027-01-31');
  if (dates.filter(({ is_removed = false }) => !is_removed).length > maxSeriesDates)
    return new InvalidValue(`must have at most ${maxSeriesDates} dates`);
  const parsed = [recurrence, imported_recurrence].map((rule) => rule && ruleIn(rule));
  const parsedLayers = [layers, given].map((list) => list && layersIn(list, context));
  for (const part of [...parsed, ...parsedLayers]) if (part instanceof InvalidValue) return part;
  const [rule, imported] = parsed as Recurrence[];
  const [ofAll, due] = parsedLayers as SeriesLayer[][];
  if (rule === undefined || ofAll?.[0]?.from !== '')
    return new InvalidValue('must have values of all of its days');
  return {
    kind: 'series',
    id,
    recurrence: rule,
    ...(imported && { imported_recurrence: imported }),
    layers: ofAll,
    dates,
    ...(due && { given: due }),
    ...(at !== undefined && { at }),
    ...(imported_from !== undefined && { imported_from }),
    ...(earlier_paths && { earlier_paths }),
  };
}

function ruleIn({ start, rrule, rdate, exdate }: Recurrence): Recurrence | InvalidValue {
  if (![start, ...(rdate ?? []), ...(exdate ?? [])].every(isDay))
    return new InvalidValue('must have a rule with days, such as 2027-01-31');
  try {
    return {
      start,
      ...(rrule === undefined ? {} : { rrule: checkRule(rrule) }),
      ...(rdate && { rdate }),
      ...(exdate && { exdate }),
    };
  } catch (error) {
    if (isCodedError(error, 'rest_invalid_param')) return new InvalidValue('has a rule that no series has');
    throw error;
  }
}

function layersIn(layers: readonly SeriesLayer[], context: CalendarContext): SeriesLayer[] | InvalidValue {
  const found: SeriesLayer[] = [];
  for (const { from, values } of layers) {
    if (from !== '' && !isDay(from)) return new InvalidValue('must have values from days on');
    const parsed: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
      const own = value === null ? null : valueIn(name, value, context);
      if (own instanceof InvalidValue)
        return new InvalidValue(`has an invalid ${name}, which ${own.message}`);
      if (own !== undefined) parsed[name] = own;
    }
    found.push({ from, values: parsed });
  }
  return found;
}

/** Returns a value as the field of an event has it; undefined for one that no event has. */
function valueIn(name: string, value: unknown, context: CalendarContext): unknown {
  if (name === 'when') return whenIn(value);
  const [, member, language = '', text = ''] = translation.exec(name) ?? [];
  if (member === undefined)
    return Object.hasOwn(storedFields.event, name)
      ? storedFields.event[name]?.parameter.parse(value, context)
      : undefined;
  const texts = storedFields.event[member]?.parameter.parse({ [language]: { [text]: value } }, context);
  return texts instanceof InvalidValue
    ? texts
    : (texts as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[language]?.[text];
}

function whenIn(value: unknown): When | InvalidValue {
  const { time, length, timezone, all_day, shift } = { ...(value as When) };
  const isWhen =
    [time, length, shift].every(Number.isSafeInteger) &&
    typeof timezone === 'string' &&
    findZone(timezone) !== undefined &&
    typeof all_day === 'boolean';
  return isWhen ? { time, length, timezone, all_day, shift } : new InvalidValue('must be a time of a day');
}
