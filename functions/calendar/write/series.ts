/**
 * What callers do to series of events (docs/calendar-contract.md, "Series"): a write decides on the newest state what is to be done to each
 * date, and does as much of it as fits into one transaction. The next writes do the rest, whoever makes them.
 */

import { CodedError, isCodedError } from '../../../shared/errors.ts';
import { checkEntity } from '../log/plan.ts';
import { changeToEntity, spellJson } from '../log/rows.ts';
import {
  checkRule,
  daysOf,
  horizonOf,
  type RecurrenceContext,
  type RecurrenceDays,
} from '../model/dates/recurrence.ts';
import { findZone, formatWall, readWall, secondsOfDay, toWall, type Zone } from '../model/dates/wall.ts';
import { eventParameters } from '../model/fields/event.ts';
import { parseFields, type Values } from '../model/fields/parameter.ts';
import { type Scope, seriesParameters } from '../model/fields/series.ts';
import type { EventRecord, Recurrence, SeriesDate, SeriesLayer, SeriesRecord } from '../model/records.ts';
import { invalidParameter, missingParameters, noSeries, notAllowed } from '../model/refusals.ts';
import { mayEdit, mayWrite } from '../model/rights.ts';
import {
  changeBetween,
  changedLayers,
  type DatesOfDay,
  datesOfDay,
  differingFields,
  givenLayers,
  givenTo,
  liveDates,
  maxSeriesDates,
  type SeriesValues,
  valuesOfEvent,
  valuesOn,
  type When,
  whenOn,
  withValues,
} from '../model/series.ts';
import { restoredSlug, slugOf, trashedSlug } from '../model/text/slug.ts';
import type { Creation, PasswordHash, Status } from '../model/values.ts';
import { type EventEntry, keyOf } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';
import { isDue, present, type SeriesEntry } from '../replica/series-set.ts';
import { eventDatesAfter } from './dates.ts';
import { createdBefore } from './idempotency.ts';
import { mustMatchOne } from './if-match.ts';
import { createPost, trashPost, updatePost } from './posts.ts';
import type { Write } from './write.ts';

/** What a request has beside its parameters. */
export interface SeriesRequest {
  /** Hash of the event password that was sent. */
  readonly passwordHash?: PasswordHash | undefined;
  /** The request, where it creates the series and may be sent again. */
  readonly creation?: Creation | undefined;
  readonly ifMatch?: ReplicaContext['ifMatch'];
  readonly ifNoneMatch?: ReplicaContext['ifNoneMatch'];
}

/** A date that a request would make, keep or take away. */
interface PlannedDate extends DatesOfDay {
  readonly recurrence: string;
  readonly change: 'added' | 'kept' | 'removed';
}

/** The dates of a series before it is stored. */
export interface SeriesPlan {
  readonly dates: readonly PlannedDate[];
  readonly missing: readonly string[];
  readonly horizon: string;
}

type Asked = Values<typeof seriesParameters>;

/** Rows of one transaction that the dates of a series may take; the event that was sent needs some too. */
const maxRows = 84;
/** Characters of the records of one step: with escapes and names they stay below the bytes of a transaction. */
const maxStepLength = 500_000;
/** Characters that all events of a series may have together: they are in the memory of each instance. */
const maxCharacters = 5_000_000;

/** Creates a series: of the event that is sent, or of one that is there, which becomes its first date. */
export function createSeries(write: Write, request: SeriesRequest): SeriesRecord {
  const { context } = write;
  const { replica, caller } = context;
  if (!mayWrite(caller, 'event')) throw notAllowed(caller, 'create the series');
  const asked = parseFields(seriesParameters, context.parameters, context);
  const earlier = createdBefore(request.creation, replica.series.values(), ({ record }) => record.creation);
  if (earlier !== undefined) {
    write.isReplayed = true;
    return earlier.record;
  }
  const event = firstEvent(write, asked, request);
  const own = event.start_date.slice(0, 10);
  const values = valuesOfEvent(event, own);
  const recurrence = recurrenceOf(asked, { start: own }, own);
  const { days } = daysIn(recurrence, own, contextOf(values['when'] as When, context));
  const [first = own] = days;
  checkSize(days, [{ from: '', values }]);
  const id = write.takeId('post');
  const moved = withValues(event, first, { when: values['when'] });
  write.put({ ...moved, series: { id, recurrence: first } });
  return step(write, {
    kind: 'series',
    id,
    recurrence,
    layers: [{ from: '', values }],
    dates: days.map((day) =>
      day === first ? { recurrence: day, event: event.id } : { recurrence: day, due: 'give' },
    ),
    ...(request.creation === undefined ? {} : { creation: request.creation }),
  });
}

/** Returns the event that a new series is made of: a new one, or one that is in no series. */
function firstEvent(write: Write, asked: Asked, { passwordHash }: SeriesRequest): EventRecord {
  const { event: id } = asked;
  if (id === undefined) return notTrash(createPost(write, 'event', passwordHash) as EventRecord);
  const series = write.context.replica.posts.event.get(id)?.record.series;
  const known = series && write.context.replica.series.get(series.id);
  if (known !== undefined && present(known.record, write.context.replica).some(({ event }) => event === id))
    throw invalidParameter('event', 'must be the id of an event that is in no series');
  return notTrash(updatePost(write, 'event', { id }, passwordHash) as EventRecord);
}

function notTrash(event: EventRecord): EventRecord {
  if (event.status === 'trash')
    throw invalidParameter('status', 'must not be trash: DELETE takes dates of a series away');
  return event;
}

/** Tells the dates of a series that a request would create. */
export function planSeries(context: ReplicaContext): SeriesPlan {
  const { caller, parameters, replica } = context;
  if (!mayWrite(caller, 'event')) throw notAllowed(caller, 'create the series');
  const asked = parseFields(seriesParameters, parameters, context);
  const existing = asked.event === undefined ? undefined : replica.posts.event.get(asked.event);
  const mayUseIt = existing !== undefined && mayEdit(caller, existing);
  const { start_date, end_date, timezone, all_day } = eventParameters;
  const sent = parseFields({ start_date, end_date, timezone, all_day }, parameters, context, {
    isCreate: !mayUseIt,
  });
  const { dates } = eventDatesAfter(mayUseIt ? existing.record : undefined, sent, context.site.zone);
  const own = dates.start_date.slice(0, 10);
  const when = valuesOfEvent(dates as unknown as EventRecord, own)['when'] as When;
  const recurrence = recurrenceOf(asked, { start: own }, own);
  const zoned = contextOf(when, context);
  const { days, missing } = daysIn(recurrence, own, zoned);
  return {
    dates: days.map((day) => ({ recurrence: day, ...datesOfDay(day, when), change: 'added' })),
    missing,
    horizon: horizonOf(own, zoned),
  };
}

/** Tells the dates of a series after a change of its rule. */
export function planChange(context: ReplicaContext, id: number): SeriesPlan {
  const entry = seriesOf(context, id, 'update the series');
  const asked = parseFields(seriesParameters, context.parameters, context);
  const dates = present(entry.record, context.replica);
  const { missing, days, horizon } = changedRule(context, entry.record, dates, asked);
  const known = new Set(dates.filter(({ is_removed }) => !is_removed).map(({ recurrence }) => recurrence));
  const after = new Set(days);
  const all = [...new Set([...known, ...after])].sort();
  return {
    dates: all.map((day) => ({
      recurrence: day,
      ...datesOfDay(day, whenOn(entry.record.layers, day)),
      change: !after.has(day) ? 'removed' : known.has(day) ? 'kept' : 'added',
    })),
    missing,
    horizon,
  };
}

/**
 * Changes a series: the values of its dates, as they are sent of one of them, or its rule. What people have changed in a single date stays,
 * but for the date that they are sent of.
 */
export function updateSeries(write: Write, id: number, request: SeriesRequest): SeriesRecord {
  const { context } = write;
  const entry = seriesOf(context, id, 'update the series');
  const asked = parseFields(seriesParameters, context.parameters, context);
  const dates = present(entry.record, context.replica);
  const series = { ...entry.record, dates };
  const date = dateOf(dates, asked);
  const before = date?.event === undefined ? undefined : context.replica.posts.event.get(date.event);
  const names = Object.keys(eventParameters).filter((name) => Object.hasOwn(context.parameters, name));
  const hasRule = hasRuleIn(asked);
  if (names.length > 0 && (date === undefined || before === undefined)) throw missingParameters(['event']);
  mustMatchOne([entry.version, ...(before === undefined ? [] : [before.version])], {
    ...context,
    ...request,
  });
  const after =
    names.length > 0 && before !== undefined && date !== undefined
      ? changedValues(write, series, date, before, scopeOf(asked), request)
      : series;
  const next = hasRule ? withRule(write.context, after, asked) : after;
  return next === series ? entry.record : step(write, next);
}

const scopeOf = ({ scope = 'all' }: Asked): Scope => scope;
const hasRuleIn = ({ rrule, rdate, exdate }: Asked) =>
  [rrule, rdate, exdate].some((value) => value !== undefined);

/** Returns the date that a change is made to; without one, and for all dates, the first. */
function dateOf(dates: readonly SeriesDate[], asked: Asked): SeriesDate | undefined {
  const live = dates.filter(({ is_removed, event }) => !is_removed && event !== undefined);
  if (asked.event === undefined) {
    if (scopeOf(asked) !== 'all') throw missingParameters(['event']);
    return live[0];
  }
  const date = live.find(({ event }) => event === asked.event);
  if (date === undefined) throw invalidParameter('event', 'must be the id of a date of the series');
  return date;
}

/** Returns a series whose values are changed as those of one of its events were. */
function changedValues(
  write: Write,
  series: SeriesRecord,
  date: SeriesDate,
  before: EventEntry,
  scope: Scope,
  { passwordHash }: SeriesRequest,
): SeriesRecord {
  if (before.status === 'trash')
    throw new CodedError('event-is-in-trash', 'Cannot update the series: this date is in the trash.');
  const after = notTrash(updatePost(write, 'event', { id: before.record.id }, passwordHash) as EventRecord);
  return spread(write.context, series, date, { before: before.record, after }, scope);
}

/** Returns a series whose other dates get what one of its events got; undefined parts of it are done in steps. */
function spread(
  context: ReplicaContext,
  series: SeriesRecord,
  date: SeriesDate,
  { before, after }: { readonly before: EventRecord; readonly after: EventRecord },
  scope: Scope,
): SeriesRecord {
  if (scope === 'this') return series;
  const { recurrence: day } = date;
  const given = valuesOn(series.layers, day);
  const change = changeBetween(valuesOfEvent(before, day, given), valuesOfEvent(after, day, given));
  if (change === undefined) return series;
  const layers = changedLayers(series.layers, change, scope === 'all' ? '' : day);
  const dates = series.dates.map((other): SeriesDate => {
    const isOther =
      other !== date && other.is_removed !== true && (scope === 'all' || other.recurrence >= day);
    if (!isOther || !isChangedOn(other.recurrence, series.layers, layers)) return other;
    return isForOthers(context, other) ? other : { ...other, due: 'give' };
  });
  checkSize(
    liveDates({ dates }).map(({ recurrence }) => recurrence),
    layers,
  );
  const next = { ...series, layers, dates, given: givenLayers(series.layers, layers) };
  mustFit(next);
  return next;
}

/** Refuses values that differ between the dates of a series by more than its record can keep. */
function mustFit(series: SeriesRecord): void {
  const key = keyOf(series);
  const json = spellJson(JSON.stringify({ ...series, at: Number.MAX_SAFE_INTEGER }));
  try {
    checkEntity(key, changeToEntity('', { key, json, version: Number.MAX_SAFE_INTEGER }));
  } catch (error) {
    if (!isCodedError(error, 'record-too-large')) throw error;
    throw new CodedError(
      'series-texts-too-long',
      'Cannot change the series: its dates have more different texts than one series can keep.',
      {
        hint: 'Make the change to all dates, shorten the texts, or end the series before this date and begin another one.',
        cause: error,
      },
    );
  }
}

/**
 * Gives later dates or all what a change made of one of its events: the draft of its next version. `change` decides that event. Returns the
 * series, of which parts may be due.
 */
export function spreadChange(
  write: Write,
  event: EventEntry,
  scope: Scope,
  change: (write: Write) => EventRecord,
): SeriesRecord {
  const { context } = write;
  const { series: link } = event.record;
  if (link === undefined) throw notOfSeries();
  const entry = seriesOf(context, link.id, 'update the series');
  const dates = present(entry.record, context.replica);
  const date = liveDates({ dates }).find((one) => one.event === event.record.id);
  if (date === undefined) throw notOfSeries();
  const after = change(write);
  const series = { ...entry.record, dates };
  const next = spread(context, series, date, { before: event.record, after }, scope);
  return next === series ? entry.record : step(write, next);
}

const notOfSeries = () =>
  invalidParameter('scope', 'must be `this` for an event that is no date of a series');

function isChangedOn(day: string, before: readonly SeriesLayer[], after: readonly SeriesLayer[]): boolean {
  return differingFields(valuesOn(before, day), valuesOn(after, day)).length > 0;
}

/** Refuses a change of a date that the caller may not edit; tells whether it is in the trash, where it is left as it is. */
function isForOthers(context: ReplicaContext, date: SeriesDate): boolean {
  mustEdit(context, date);
  const entry = date.event === undefined ? undefined : context.replica.posts.event.get(date.event);
  return entry !== undefined && !mayEdit(context.caller, entry);
}

/** Refuses a change of a date that the caller may not edit, but for one that is in the trash. */
function mustEdit({ replica, caller }: ReplicaContext, { event }: SeriesDate): void {
  const entry = event === undefined ? undefined : replica.posts.event.get(event);
  if (entry !== undefined && entry.status !== 'trash' && !mayEdit(caller, entry))
    throw notAllowed(caller, 'update the series');
}

/** Returns a series with another rule: its dates are matched by the day that the rule gives them. */
function withRule(context: ReplicaContext, series: SeriesRecord, asked: Asked): SeriesRecord {
  const { recurrence, days } = changedRule(context, series, series.dates, asked);
  const wanted = new Set(days);
  const known = new Map(series.dates.map((date) => [date.recurrence, date]));
  const all = [...new Set([...known.keys(), ...wanted])].sort();
  const dates = all.map((day) => dateAfter(known.get(day), day, wanted.has(day)));
  for (const date of dates)
    if (date.due !== undefined && known.get(date.recurrence) !== date) mustEdit(context, date);
  const adds = dates.some(({ due, recurrence }) => due === 'restore' || !known.has(recurrence));
  if (adds) mustAdd(context, series);
  checkSize(days, series.layers);
  if (dates.length > 2 * maxSeriesDates)
    throw new CodedError(
      'series-too-long',
      `Cannot change the series: it has had more than ${2 * maxSeriesDates} dates, those that were taken away included.`,
      { hint: 'Create another series.' },
    );
  return { ...series, recurrence, dates };
}

function dateAfter(date: SeriesDate | undefined, recurrence: string, isWanted: boolean): SeriesDate {
  if (date === undefined) return { recurrence, due: 'give' };
  const { is_removed: isRemoved = false, due: _due, ...others } = date;
  if (isWanted === !isRemoved) return date;
  return isWanted ? { ...others, due: 'restore' } : { ...others, is_removed: true, due: 'remove' };
}

/** Refuses more dates of a caller who may not write events of the status that they would have. */
function mustAdd({ caller }: ReplicaContext, { layers }: SeriesRecord): void {
  const { author, status } = valuesOn(layers, '9999');
  if (!mayEdit(caller, { status: status as Status, record: { kind: 'event', author: Number(author) } }))
    throw notAllowed(caller, 'update the series');
}

/** Returns the rule of a series after a change, with its days. Those before the start of the rule stay. */
function changedRule(
  context: ReplicaContext,
  series: SeriesRecord,
  dates: readonly SeriesDate[],
  asked: Asked,
) {
  const date = scopeOf(asked) === 'later' ? dateOf(dates, asked) : undefined;
  const start = date?.recurrence ?? series.recurrence.start;
  const recurrence = recurrenceOf(asked, { ...series.recurrence, start }, undefined);
  const kept = dates.flatMap((other) =>
    !other.is_removed && other.recurrence < start ? [other.recurrence] : [],
  );
  const first = kept[0] ?? start;
  const zoned = contextOf(whenOn(series.layers, start), context);
  const all = { ...recurrence, rdate: [...(recurrence.rdate ?? []), ...kept] };
  const { days, missing } = daysOf(all, first, zoned);
  if (days.length === 0) throw noDates();
  return { recurrence, days, missing, horizon: horizonOf(first, zoned) };
}

/** Returns the rule that is asked for: what is not sent stays. Chosen dates alone have the day of the event that is sent among them. */
function recurrenceOf(asked: Asked, before: Recurrence, own: string | undefined): Recurrence {
  const rrule =
    asked.rrule === undefined ? before.rrule : asked.rrule === '' ? undefined : checkRule(asked.rrule);
  const sent = asked.rdate ?? before.rdate ?? [];
  const rdate =
    rrule === undefined && own !== undefined && sent.length > 0 ? [...new Set([own, ...sent])].sort() : sent;
  const exdate = asked.exdate ?? before.exdate ?? [];
  if (own !== undefined && rrule === undefined && rdate.length === 0) throw missingParameters(['rrule']);
  return recurrenceWith(before.start, rrule, rdate, exdate);
}

function recurrenceWith(
  start: string,
  rrule: string | undefined,
  rdate: readonly string[],
  exdate: readonly string[],
): Recurrence {
  return {
    start,
    ...(rrule === undefined ? {} : { rrule }),
    ...(rdate.length === 0 ? {} : { rdate }),
    ...(exdate.length === 0 ? {} : { exdate }),
  };
}

function daysIn(recurrence: Recurrence, first: string, context: RecurrenceContext): RecurrenceDays {
  const found = daysOf(recurrence, first, context);
  if (found.days.length === 0) throw noDates();
  return found;
}

const noDates = () => invalidParameter('rrule', 'must have dates from the start of the event on');

function contextOf({ time, timezone }: When, { now }: ReplicaContext): RecurrenceContext {
  return { zone: zoneOf(timezone), time, now };
}

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined) throw new TypeError('A stored time zone must exist.');
  return zone;
}

/** Refuses events whose texts would be too much together. */
function checkSize(days: readonly string[], layers: readonly SeriesLayer[]): void {
  const lengths = layers.map(({ from }) => JSON.stringify(valuesOn(layers, from)).length);
  const lengthOn = (day: string) => lengths[layers.findLastIndex(({ from }) => from <= day)] ?? 0;
  const length = days.reduce((sum, day) => sum + lengthOn(day), 0);
  if (length > maxCharacters)
    throw new CodedError(
      'series-too-long',
      `Cannot make the series: its ${days.length} events have ${length} characters, more than ${maxCharacters} together.`,
      { hint: 'Shorten the description, or make several series.' },
    );
}

/** Takes a date away, this and all later ones, or all: their events go to the trash. */
export function deleteSeries(write: Write, id: number, request: SeriesRequest): SeriesRecord {
  const { context } = write;
  const entry = seriesOf(context, id, 'delete the series');
  const { event, scope } = parseFields(seriesParameters, context.parameters, context);
  const dates = present(entry.record, context.replica);
  const asked = { ...(event === undefined ? {} : { event }), scope: scope ?? 'all' } as const;
  const date = dateOf(dates, asked);
  const named = date?.event === undefined ? undefined : context.replica.posts.event.get(date.event);
  mustMatchOne([entry.version, ...(named === undefined ? [] : [named.version])], { ...context, ...request });
  const { recurrence } = entry.record;
  if (asked.scope === 'this' && date?.event !== undefined) {
    trashPost(write, 'event', { id: date.event });
    const exdate = [...new Set([...(recurrence.exdate ?? []), date.recurrence])].sort();
    return step(write, {
      ...entry.record,
      recurrence: { ...recurrence, exdate },
      dates: dates.map((other) =>
        other === date && named !== undefined
          ? { ...other, is_removed: true, ...changedAlone(entry.record, date.recurrence, named.record) }
          : other,
      ),
    });
  }
  const from = asked.scope === 'all' ? '' : (date?.recurrence ?? '');
  return step(write, {
    ...entry.record,
    recurrence: from === '' ? recurrence : endedBefore(recurrence, from),
    dates: dates.map((other): SeriesDate => {
      if (other.is_removed || other.recurrence < from) return other;
      mustEdit(context, other);
      return { ...other, is_removed: true, due: 'remove' };
    }),
  });
}

/** Returns a rule that ends before a day. */
function endedBefore({ start, rrule, rdate = [], exdate = [] }: Recurrence, day: string): Recurrence {
  const last = formatWall(readWall(`${day} 00:00:00`) - secondsOfDay).slice(0, 10);
  const parts = rrule?.split(';').filter((part) => !/^(?:COUNT|UNTIL)=/.test(part));
  const ended =
    parts && last >= start ? [...parts, `UNTIL=${last.replaceAll('-', '')}`].join(';') : undefined;
  const before = (other: string) => other < day;
  return recurrenceWith(start, ended, rdate.filter(before), exdate.filter(before));
}

/** Returns a series that the caller may know of, and write to. */
function seriesOf(context: ReplicaContext, id: number, action: string): SeriesEntry {
  const { caller, replica } = context;
  if (!mayWrite(caller, 'event')) throw notAllowed(caller, action);
  const entry = replica.series.get(id);
  const live = entry && present(entry.record, context.replica).filter(({ is_removed }) => !is_removed);
  if (entry === undefined || live === undefined || live.length === 0) throw noSeries();
  const events = live.flatMap(({ event }) => replica.posts.event.get(event ?? 0) ?? []);
  if (!events.some((event) => mayEdit(caller, event))) throw notAllowed(caller, action);
  return entry;
}

/** Goes on with what is to be done to the dates of a series; returns the series, undefined where there is none. */
export function continueSeries(write: Write, id: number): SeriesRecord | undefined {
  const entry = write.context.replica.series.get(id);
  return entry && (isDue(entry.record) ? step(write, entry.record) : entry.record);
}

/** Does what fits into one transaction, and puts the series. */
function step(write: Write, series: SeriesRecord): SeriesRecord {
  const room = new Room(write);
  let isFull = false;
  const dates = series.dates.map((date) => {
    if (date.due === undefined || isFull) return date;
    const done = doneDate(write, series, date, room);
    isFull = done === undefined;
    return done ?? date;
  });
  const { given, at: _at, ...others } = series;
  const next: SeriesRecord = isDue({ ...series, dates })
    ? { ...series, dates, at: write.context.now }
    : { ...others, dates };
  write.put(next);
  return next;
}

/** What is left of a transaction. */
class Room {
  #rows: number;
  #length = 0;
  #count = 0;
  readonly #write: Write;
  readonly #images = new Set<number>();

  constructor(write: Write) {
    this.#write = write;
    // What was put before may stand in the place of rows that are there.
    this.#rows = maxRows - 3 * write.size;
  }

  /** Takes the room of a record, and of the pictures that readers see, or not any more, with it; returns whether there is enough. */
  take(before: EventRecord | undefined, after: EventRecord): boolean {
    const { replica } = this.#write.context;
    const shown = [before, after].flatMap((event) => (event === undefined ? [] : replica.imagesOf(event)));
    const images = [...new Set(shown)].filter((image) => !this.#images.has(image));
    this.#rows -= (before === undefined ? 1 : 3) + 2 * images.length;
    // What is replaced is written again, as an earlier version.
    this.#length += JSON.stringify(after).length + (before === undefined ? 0 : JSON.stringify(before).length);
    // One record always has room, where nothing else was put.
    const isEnough =
      (this.#rows >= 0 && this.#length <= maxStepLength) || (this.#count === 0 && this.#write.size === 0);
    if (!isEnough) return false;
    this.#count += 1;
    for (const image of images) this.#images.add(image);
    return true;
  }
}

/** Does what is due to the event of a date; undefined where the transaction has no room for it. */
function doneDate(write: Write, series: SeriesRecord, date: SeriesDate, room: Room): SeriesDate | undefined {
  const { due: _due, changed: _changed, ...done } = date;
  const { replica } = write.context;
  const entry = date.event === undefined ? undefined : replica.posts.event.get(date.event);
  const before = entry?.record;
  if (date.due === 'remove' && entry?.status === 'trash') return { ...done, is_cancelled: true };
  const { is_cancelled: isCancelled = false, ...back } = done;
  if (date.due === 'restore' && isCancelled) return back;
  const after = recordAfter(write, series, date, entry);
  if (after === before || after === undefined) return done;
  if (!room.take(before, after)) return undefined;
  const changed =
    date.due === 'remove' && before !== undefined ? changedAlone(series, date.recurrence, before) : {};
  // An id is drawn for a record that is put.
  const record = before === undefined ? { ...after, id: write.takeId('post') } : after;
  write.put(record);
  return { ...done, event: record.id, ...changed };
}

/** Returns the event of a date once what is due is done; undefined for none. */
function recordAfter(
  write: Write,
  series: SeriesRecord,
  { recurrence, due, changed }: SeriesDate,
  entry: EventEntry | undefined,
): EventRecord | undefined {
  const values = valuesOn(series.layers, recurrence);
  if (entry === undefined) return due === 'remove' ? undefined : newEvent(write, series, recurrence);
  const { record, status } = entry;
  if (due === 'remove') return trashed(write, record, status);
  if (due === 'restore')
    return status === 'trash' ? restored(write, record, recurrence, values, changed) : record;
  const next = givenTo(record, recurrence, valuesOn(series.given ?? [], recurrence), values);
  return next === record || status === 'trash' ? next : modified(write, next);
}

/** Returns a record with the time of its change, and of its publication where it has none; one to be published later is scheduled. */
function modified({ context }: Write, event: EventRecord): EventRecord {
  const { site, now } = context;
  const present = formatWall(toWall(site.zone, now));
  const dated = event.date_utc === undefined ? { ...event, date: present, date_utc: formatWall(now) } : event;
  return { ...dated, status: scheduled(dated, now), modified: present, modified_utc: formatWall(now) };
}

/** Seconds by which the clocks of two instances may differ. */
const clockSkew = 300;

function scheduled({ status, date_utc }: EventRecord, now: number): Status {
  if (status !== 'publish' && status !== 'future') return status;
  return readWall(date_utc) > now + clockSkew ? 'future' : 'publish';
}

function newEvent(write: Write, { id, layers }: SeriesRecord, recurrence: string): EventRecord {
  const values = valuesOn(layers, recurrence);
  const own = { kind: 'event', id: 0, series: { id, recurrence } };
  const event = withValues(own, recurrence, values) as unknown as EventRecord;
  const slug = write.freeSlug('event', 0, [slugOf(event.title ?? ''), recurrence].filter(Boolean).join('-'));
  return modified(write, { ...event, slug });
}

function trashed(write: Write, event: EventRecord, status: Status): EventRecord {
  const slug = write.freeSlug('event', event.id, trashedSlug(event.slug));
  return { ...modified(write, event), status: 'trash', slug, trashed_from: status };
}

/** Returns the fields that people have changed in an event alone. */
function changedAlone(
  { layers }: SeriesRecord,
  day: string,
  event: EventRecord,
): Pick<SeriesDate, 'changed'> {
  const given = valuesOn(layers, day);
  const changed = differingFields(given, valuesOfEvent(event, day, given));
  return changed.length === 0 ? {} : { changed };
}

/** Returns an event as it comes back into its series: under its slug, with what the series gives it now where nobody had changed it alone. */
function restored(
  write: Write,
  event: EventRecord,
  recurrence: string,
  values: SeriesValues,
  changed: readonly string[] = [],
): EventRecord {
  const { trashed_from: from = 'draft', renamed_in_trash: _renamed, ...others } = event;
  const own = { ...others, status: from } as EventRecord;
  const names = [...Object.keys(valuesOfEvent(own, recurrence)), ...Object.keys(values)];
  const taken = names.filter((name) => !changed.includes(name)).map((name) => [name, values[name] ?? null]);
  const given = withValues(own, recurrence, Object.fromEntries(taken) as SeriesValues);
  const slug = write.freeSlug('event', event.id, restoredSlug(event.slug) || String(event.id));
  return modified(write, { ...given, slug });
}
