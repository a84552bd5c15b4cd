/** Series of events as callers see them: through those of their dates that they may read. */

import type { SeriesView } from '../../model/fields/views.ts';
import type { SeriesRecord } from '../../model/records.ts';
import { editable, type Readable, readable } from '../../model/rights.ts';
import {
  datesOfDay,
  differingFields,
  type SeriesValues,
  valuesOfEvent,
  valuesOn,
  whenOn,
} from '../../model/series.ts';
import { renderTitle, textIn } from '../../model/text/render-text.ts';
import type { EventEntry } from '../../replica/entries.ts';
import { isDue, present, type SeriesEntry } from '../../replica/series-set.ts';
import type { ReadContext } from '../read-context.ts';
import { pageUrl } from './views.ts';

/** A date that the caller may read. */
interface ReadableDate {
  readonly recurrence: string;
  readonly proof: Readable<EventEntry>;
}

/** Returns the dates of a series that a caller may read, in the order of their starts; those in the trash to callers who may edit them. */
function readableDates({ record }: SeriesEntry, context: ReadContext): ReadableDate[] {
  const { caller, replica, isUnlocked } = context;
  const dates = present(record, replica).flatMap(({ recurrence, event, is_removed: isRemoved }) => {
    const entry = isRemoved || event === undefined ? undefined : replica.posts.event.get(event);
    if (entry === undefined) return [];
    const proof =
      readable(caller, entry, isUnlocked) ?? (entry.status === 'trash' ? editable(caller, entry) : undefined);
    return proof === undefined ? [] : [{ recurrence, proof }];
  });
  return dates.sort((one, other) => one.proof.entry.start - other.proof.entry.start);
}

/** Returns a series without its dates; undefined where the caller may read none of them. */
export function seriesSummary(entry: SeriesEntry, context: ReadContext): object | undefined {
  const dates = readableDates(entry, context);
  return dates.length === 0 ? undefined : summaryOf(entry, dates, context);
}

/** Returns a series with its dates; undefined where the caller may read none of them. */
export function seriesView(entry: SeriesEntry, context: ReadContext): SeriesView | undefined {
  return readableDates(entry, context).length === 0 ? undefined : writtenSeriesView(entry, context);
}

/** Returns a series with the dates that the caller may read, who has just changed it. */
export function writtenSeriesView(entry: SeriesEntry, context: ReadContext): SeriesView {
  const dates = readableDates(entry, context);
  const views = dates.map((date) => dateView(entry.record, date, context));
  return { ...summaryOf(entry, dates, context), dates: views };
}

function summaryOf(
  { record }: SeriesEntry,
  dates: readonly ReadableDate[],
  context: ReadContext,
): Omit<SeriesView, 'dates'> {
  const { root, language, caller } = context;
  const { id, recurrence, layers } = record;
  const [first, last] = [dates[0]?.proof.entry.record, dates.at(-1)?.proof.entry.record];
  const when = whenOn(layers, dates.at(-1)?.recurrence ?? '');
  // Days of dates that are not for the caller are nothing to tell them.
  const isEditor = dates.some(({ proof }) => editable(caller, proof.entry) !== undefined);
  const days = new Set(dates.map((date) => date.recurrence));
  const { rdate = [], exdate = [] } = recurrence;
  return {
    id,
    rest_url: `${root}/series/${id}`,
    title: first === undefined ? '' : renderTitle(textIn(first, 'title', language)),
    rrule: recurrence.rrule ?? '',
    rdate: isEditor ? rdate : rdate.filter((day) => days.has(day)),
    exdate: isEditor ? exdate : [],
    rule_start: recurrence.start,
    shift: when.shift,
    timezone: when.timezone,
    total: dates.length,
    first_date: first?.start_date ?? '',
    last_date: last?.start_date ?? '',
    is_complete: !isDue(record),
  };
}

function dateView(
  { layers }: SeriesRecord,
  { recurrence, proof }: ReadableDate,
  context: ReadContext,
): SeriesView['dates'][number] {
  const { root, site, caller } = context;
  const { record, status } = proof.entry;
  const given = valuesOn(layers, recurrence);
  const { odd } = datesOfDay(recurrence, whenOn(layers, recurrence));
  const isEditor = editable(caller, proof.entry) !== undefined;
  return {
    recurrence_id: recurrence,
    event: record.id,
    rest_url: `${root}/events/${record.id}`,
    url: pageUrl(site, proof.entry),
    status,
    start_date: record.start_date,
    end_date: record.end_date,
    ...(odd === undefined ? {} : { odd }),
    ...(isEditor ? { changed: changedAlone(given, valuesOfEvent(record, recurrence, given)) } : {}),
  };
}

/** Returns the fields that people have changed in a date alone; what is noted of the originals of texts is none. */
function changedAlone(given: SeriesValues, own: SeriesValues): readonly string[] {
  return differingFields(given, own).filter((name) => !name.startsWith('translated_from.'));
}
