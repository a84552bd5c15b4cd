/**
 * The series of a file, as series of the calendar: their events are those that the import has made, each of one occurrence. What its events
 * have in common is what most of them have; what people have changed here of a rule stays.
 */

import { isDeepStrictEqual } from 'node:util';
import { checkRule } from '../../../functions/calendar/model/dates/recurrence.ts';
import type {
  EventRecord,
  Recurrence,
  SeriesDate,
  SeriesLayer,
  SeriesRecord,
} from '../../../functions/calendar/model/records.ts';
import { maxSeriesDates, valuesOfEvent } from '../../../functions/calendar/model/series.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { Draft } from './draft.ts';
import { dayOfOccurrence, keyOf } from './imported-events.ts';
import type { Row } from './row.ts';
import type { Target } from './target.ts';

/** Events that one write links to their series, so that it fits into a transaction. */
const maxLinks = 40;

/** An occurrence that is in the calendar. */
interface Date {
  readonly recurrence: string;
  readonly event: number;
}

/** Keeps the series of the rows of a file. */
export async function fillSeries(rows: readonly Row[], target: Target): Promise<void> {
  const ofSeries = rows.filter(({ series, identity }) => series !== undefined && identity !== undefined);
  if (ofSeries.length === 0) return;
  const ids = new Map<string, number>();
  for (const { record } of target.replica.posts.event.values())
    if (record.imported_from !== undefined) ids.set(keyOf(record.imported_from), record.id);
  const nameOf = ({ identity }: Row) => JSON.stringify([identity?.source, identity?.uid]);
  for (const group of Map.groupBy(ofSeries, nameOf).values()) {
    const series = await target.decide((draft) => putSeries(group, ids, draft));
    const dates = series?.dates ?? [];
    for (let first = 0; first < dates.length; first += maxLinks)
      await target.decide((draft) => {
        for (const date of dates.slice(first, first + maxLinks)) link(date, series?.id ?? 0, draft);
      });
  }
}

/** Puts the series of rows where it is another one than before; undefined for rows that are none. */
function putSeries(
  rows: readonly Row[],
  ids: ReadonlyMap<string, number>,
  draft: Draft,
): SeriesRecord | undefined {
  const dates = datesOf(rows, ids, draft);
  const rule = rows[0]?.series;
  if (dates === undefined || rule === undefined) return undefined;
  const events = dates.map(({ event }) => draft.get('event', event) as EventRecord);
  const known = events.map(({ series }) => series && draft.get('series', series.id));
  const before = known.find((record) => record?.kind === 'series');
  if (before === undefined && dates.length < 2) return undefined;
  const recurrence = recurrenceOf(rule, dates);
  const isChangedHere =
    before !== undefined && !isDeepStrictEqual(before.recurrence, before.imported_recurrence);
  const merged = mergedDates(before?.dates ?? [], dates);
  const series: SeriesRecord = {
    kind: 'series',
    id: before?.id ?? draft.operate({}, (write) => write.takeId('post')),
    ...before,
    recurrence: isChangedHere ? before.recurrence : recurrence,
    imported_recurrence: recurrence,
    layers: (before?.layers ?? [{ from: '', values: {} }]).map((layer, index, layers) =>
      withCommonValues(layer, layers[index + 1]?.from, dates, draft),
    ),
    dates: merged,
  };
  if (!isDeepStrictEqual(series, before)) draft.put(series);
  return series;
}

/** Returns the dates of rows by their days; undefined where several are on one day, or are too many for a series. */
function datesOf(rows: readonly Row[], ids: ReadonlyMap<string, number>, draft: Draft): Date[] | undefined {
  const dates = rows.flatMap(({ identity }): Date[] => {
    const event = identity && draft.get('event', ids.get(keyOf(identity)) ?? 0);
    if (event?.kind !== 'event' || identity === undefined) return [];
    const recurrence = dayOfOccurrence(identity.recurrence, event.timezone);
    return recurrence === undefined ? [] : [{ recurrence, event: event.id }];
  });
  const days = new Set(dates.map(({ recurrence }) => recurrence));
  if (dates.length === 0 || days.size < dates.length || dates.length > maxSeriesDates) return undefined;
  return dates.toSorted((one, other) => (one.recurrence < other.recurrence ? -1 : 1));
}

/** Returns the rule as a series has it; one that no series may have is that of its dates, as chosen ones. */
function recurrenceOf(
  { start, rrule, rdate, exdate }: NonNullable<Row['series']>,
  dates: readonly Date[],
): Recurrence {
  const lists = {
    ...(rdate.length === 0 ? {} : { rdate: [...new Set(rdate)].sort() }),
    ...(exdate.length === 0 ? {} : { exdate: [...new Set(exdate)].sort() }),
  };
  const chosen = { start, rdate: dates.map(({ recurrence }) => recurrence) };
  if (rrule === undefined) return chosen;
  try {
    return { start, rrule: checkRule(rrule), ...lists };
  } catch (error) {
    if (isCodedError(error, 'rest_invalid_param')) return chosen;
    throw error;
  }
}

/** Returns the dates of a series with those of the file; what the series knows of one stays. An event that has another day now has left that before. */
function mergedDates(before: readonly SeriesDate[], dates: readonly Date[]): SeriesDate[] {
  const days = new Map(dates.map(({ event, recurrence }) => [event, recurrence]));
  const stays = ({ event, recurrence }: SeriesDate) => (days.get(event ?? 0) ?? recurrence) === recurrence;
  const known = new Map(before.filter(stays).map((date) => [date.recurrence, date]));
  for (const { recurrence, event } of dates) {
    const date = known.get(recurrence);
    if (date?.event !== event) known.set(recurrence, { recurrence, event });
  }
  return [...known.values()].sort((one, other) => (one.recurrence < other.recurrence ? -1 : 1));
}

/** Returns a layer with the values that most of the events of its days have. */
function withCommonValues(
  layer: SeriesLayer,
  next: string | undefined,
  dates: readonly Date[],
  draft: Draft,
): SeriesLayer {
  const within = dates.filter(
    ({ recurrence }) => recurrence >= layer.from && (next === undefined || recurrence < next),
  );
  const values = within.flatMap(({ recurrence, event }) => {
    const record = draft.get('event', event) as EventRecord;
    return record.status === 'trash' ? [] : [valuesOfEvent(record, recurrence)];
  });
  if (values.length === 0) return layer;
  const names = layer.from === '' ? new Set(values.flatMap(Object.keys)) : Object.keys(layer.values);
  const common = [...names].flatMap((name) => {
    const groups = Map.groupBy(values, (own) => JSON.stringify(own[name] ?? null));
    const [most] = [...groups.values()].sort((one, other) => other.length - one.length);
    const value = most?.[0]?.[name] ?? null;
    return value === null && layer.from === '' ? [] : [[name, value] as const];
  });
  return { from: layer.from, values: Object.fromEntries(common) };
}

function link({ recurrence, event }: SeriesDate, id: number, draft: Draft): void {
  const record = draft.get('event', event ?? 0);
  const series = { id, recurrence };
  if (record?.kind === 'event' && !isDeepStrictEqual(record.series, series)) draft.put({ ...record, series });
}
