/**
 * The series of a file or a site, as series of the calendar: their events are those that the import has made, each of one occurrence. What its events
 * have in common is what most of them have; what people have changed here of a rule stays.
 */

import { isDeepStrictEqual } from 'node:util';
import { checkRule } from '../../../functions/calendar/model/dates/recurrence.ts';
import { maxPaths } from '../../../functions/calendar/model/page-paths.ts';
import type {
  EventRecord,
  Recurrence,
  SeriesDate,
  SeriesLayer,
  SeriesRecord,
} from '../../../functions/calendar/model/records.ts';
import {
  maxSeriesDates,
  valuesOfEvent,
  valuesOn,
  withValues,
} from '../../../functions/calendar/model/series.ts';
import type { SourceOccurrence } from '../../../functions/calendar/model/values.ts';
import { isDue } from '../../../functions/calendar/replica/series-set.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { Draft } from './draft.ts';
import { digestOf, noteIn } from './fields.ts';
import { dayOfOccurrence, keyOf } from './imported-events.ts';
import type { Row } from './row.ts';
import { decideEach } from './steps.ts';
import type { Target } from './target.ts';

/** An occurrence that is in the calendar. */
interface Date {
  readonly recurrence: string;
  readonly event: number;
}

/** The dates of one series of a source, and what the source tells of it. */
interface Group {
  /** Returns its dates that are in the calendar, by their days; undefined where they make no series. */
  datesIn(draft: Draft): Date[] | undefined;
  /** Returns the rule that it has, with those dates. */
  ruleOf(dates: readonly Date[]): Recurrence;
  /** The site that it is from, and the paths that its pages have there. */
  readonly there?: { readonly source: string; readonly paths: readonly string[] };
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
    const rule = group[0]?.series;
    if (rule === undefined) continue;
    await keepSeries(
      {
        datesIn: (draft) => datesOf(group, ids, draft),
        ruleOf: (dates) => recurrenceOf(rule, dates),
      },
      target,
    );
  }
}

/**
 * Keeps the recurring events of a site, whose occurrences have been imported, as series of chosen dates. Returns what does not fit into one:
 * more than one occurrence on a day, and the earliest where there are more than a series may have.
 */
export async function fillSeriesOfSite(
  occurrences: ReadonlyMap<number, SourceOccurrence>,
  source: string,
  target: Target,
): Promise<SeriesOfSite> {
  const besides: string[] = [];
  let count = 0;
  const groups = Map.groupBy(occurrences, ([, { path }]) => path);
  for (const [path, group] of groups) {
    const { dates, others } = datesOfOccurrences(group);
    besides.push(...others.map((id) => `event/${id} (/${path}/)`));
    const slug = path.split('/').at(-1) ?? '';
    const paths = [...new Set([path, `event/${slug}`, `series/${slug}`])];
    const kept = await keepSeries(
      {
        datesIn: (draft) => dates.filter(({ event }) => draft.get('event', event)?.kind === 'event'),
        ruleOf: chosenDates,
        there: { source, paths },
      },
      target,
    );
    if (kept !== undefined) count += 1;
  }
  return { count, besides };
}

export interface SeriesOfSite {
  readonly count: number;
  /** Keys of occurrences that are events of no series. */
  readonly besides: readonly string[];
}

/** Returns the dates of a series, and the ids of the occurrences that are beside them. */
function datesOfOccurrences(group: readonly (readonly [id: number, occurrence: SourceOccurrence])[]) {
  const inOrder = group.toSorted(([, one], [, other]) =>
    one.day === other.day ? (one.place ?? 1) - (other.place ?? 1) : one.day < other.day ? -1 : 1,
  );
  const first = new Map<string, number>();
  for (const [id, { day }] of inOrder) if (!first.has(day)) first.set(day, id);
  const dates = Array.from(first, ([recurrence, event]): Date => ({ recurrence, event })).slice(
    -maxSeriesDates,
  );
  const taken = new Set(dates.map(({ event }) => event));
  return { dates, others: inOrder.flatMap(([id]) => (taken.has(id) ? [] : [id])) };
}

/** Keeps a series, and links its events to it. Returns it; undefined where there is none. */
async function keepSeries(group: Group, target: Target): Promise<SeriesRecord | undefined> {
  const series = await target.decide((draft) => putSeries(group, draft));
  if (series === undefined) return undefined;
  await decideEach(series.dates, target, (dates, draft) => {
    const changed = changedHere(series, draft);
    for (const date of dates) link(date, series, changed, draft);
  });
  return series;
}

/** Puts a series where it is another one than before; undefined for dates that make none. */
function putSeries(group: Group, draft: Draft): SeriesRecord | undefined {
  const dates = group.datesIn(draft);
  if (dates === undefined || dates.length === 0) return undefined;
  const events = dates.map(({ event }) => draft.get('event', event) as EventRecord);
  const known = events.map(({ series }) => series && draft.get('series', series.id));
  const before = known.find((record) => record?.kind === 'series');
  if (before === undefined && dates.length < 2 && group.there === undefined) return undefined;
  const merged = mergedDates(before?.dates ?? [], dates).map((date) => dateThere(date, draft));
  const { there } = group;
  // What a site has taken away, or does not show for a moment, is a date as long as its event is here.
  const live = there === undefined ? dates : merged.flatMap((date) => followedDate(date, draft) ?? []);
  if (live.length === 0) return before?.kind === 'series' ? before : undefined;
  const rule = group.ruleOf(live);
  const series: SeriesRecord = {
    kind: 'series',
    id: before?.id ?? draft.operate({}, (write) => write.takeId('post')),
    ...before,
    recurrence: ruleHere(rule, before),
    imported_recurrence: rule,
    layers:
      before !== undefined && isDue(before)
        ? before.layers
        : (before?.layers ?? [{ from: '', values: {} }]).map((layer, index, layers) =>
            withCommonValues(layer, layers[index + 1]?.from, live, draft),
          ),
    dates: merged,
    ...(there === undefined
      ? {}
      : {
          imported_from: there.source,
          earlier_paths: [...new Set([...there.paths, ...(before?.earlier_paths ?? [])])].slice(0, maxPaths),
        }),
  };
  if (!isDeepStrictEqual(series, before)) draft.put(series);
  return series;
}

/** Returns a date; as one that the series has no longer, where its source has taken the event away. */
function dateThere(date: SeriesDate, draft: Draft): SeriesDate {
  const record = draft.get('event', date.event ?? 0);
  if (record?.kind !== 'event' || date.due !== undefined) return date;
  const { is_removed: _removed, ...live } = date;
  if (record.status !== 'trash') return live;
  const isGone = noteIn(record.follows?.digests, 'status')?.there === digestOf('trash');
  return isGone ? { ...date, is_removed: true } : date;
}

/** Returns a date whose event follows a source, and is not in the trash. */
function followedDate({ recurrence, event }: SeriesDate, draft: Draft): Date | undefined {
  const record = event === undefined ? undefined : draft.get('event', event);
  return record?.kind === 'event' && record.follows !== undefined && record.status !== 'trash'
    ? { recurrence, event: record.id }
    : undefined;
}

/** Returns the rule of a series: one that people have changed here stays, with the chosen dates that its source has added and taken away since. */
function ruleHere(rule: Recurrence, before: SeriesRecord | undefined): Recurrence {
  const { recurrence: here, imported_recurrence: last } = before ?? {};
  if (here === undefined || isDeepStrictEqual(here, last)) return rule;
  if (rule.rrule !== undefined) return here;
  const added = (rule.rdate ?? []).filter((day) => last?.rdate?.includes(day) !== true);
  const gone = new Set((last?.rdate ?? []).filter((day) => rule.rdate?.includes(day) !== true));
  const rdate = [...new Set([...(here.rdate ?? []).filter((day) => !gone.has(day)), ...added])].sort();
  const { rdate: _rdate, ...others } = here;
  return rdate.length === 0 ? others : { ...others, rdate };
}

function chosenDates(dates: readonly Date[]): Recurrence {
  return { start: dates[0]?.recurrence ?? '', rdate: dates.map(({ recurrence }) => recurrence) };
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
  const chosen = { ...chosenDates(dates), start };
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
    const most = Math.max(...Array.from(groups.values(), ({ length }) => length));
    const often = [...groups].filter(([, { length }]) => length === most);
    // Of several that are as many the one that it had counts.
    const [, [first] = []] = often.find(([text]) => text === JSON.stringify(layer.values[name] ?? null)) ??
      often[0] ?? [''];
    const value = first?.[name] ?? null;
    return value === null && layer.from === '' ? [] : [[name, value] as const];
  });
  return { from: layer.from, values: Object.fromEntries(common) };
}

/** A value that people have changed here in a date of a series. */
interface ChangedValue {
  readonly field: string;
  readonly value: unknown;
  /** Names the value that the source has. */
  readonly there: string;
}

/** Returns the values that people have changed here in dates of a series. */
function changedHere({ id, dates }: SeriesRecord, draft: Draft): ChangedValue[] {
  return dates.flatMap(({ event, recurrence }) => {
    const record = draft.get('event', event ?? 0);
    if (record?.kind !== 'event' || record.series?.id !== id || record.follows === undefined) return [];
    const { digests } = record.follows;
    return Object.entries(valuesOfEvent(record, recurrence)).flatMap(([field, value]) => {
      const note = ownFields.has(field) ? undefined : noteIn(digests, field);
      const isChanged = note?.here !== undefined && note.here !== digestOf(value, field);
      return isChanged ? [{ field, value, there: note.there }] : [];
    });
  });
}

function link(
  { recurrence, event }: SeriesDate,
  series: SeriesRecord,
  changed: readonly ChangedValue[],
  draft: Draft,
): void {
  const record = draft.get('event', event ?? 0);
  const place = { id: series.id, recurrence };
  if (record?.kind !== 'event' || isDeepStrictEqual(record.series, place)) return;
  draft.put({ ...withChangesOfSeries(record, recurrence, series, changed), series: place });
}

/**
 * Returns a date that its source has added with what people have changed in the whole series, or from an earlier day on: the values of which the
 * source says the same of it as of a date that has them.
 */
function withChangesOfSeries(
  event: EventRecord,
  day: string,
  { layers }: SeriesRecord,
  changed: readonly ChangedValue[],
): EventRecord {
  const { digests } = event.follows ?? {};
  if (digests === undefined || changed.length === 0) return event;
  const wanted = Object.entries(valuesOn(layers, day)).filter(([name, wantedValue]) =>
    changed.some(
      ({ field, value, there }) =>
        field === name && there === noteIn(digests, field)?.there && isDeepStrictEqual(value, wantedValue),
    ),
  );
  return wanted.length === 0 ? event : withValues(event, day, Object.fromEntries(wanted));
}

/** Values of a series that each of its dates has from its source: when it is, and who may read it. */
const ownFields = new Set(['when', 'date', 'status', 'author', 'access_password']);
