/** The event list written down as plainly as can be: every event is looked at, and all that fit are sorted (docs/calendar-contract.md, "The event list"). */

import type { CalendarContext } from '../../functions/calendar/model/calendar-context.ts';
import { readWall } from '../../functions/calendar/model/dates/wall.ts';
import { parseFilters } from '../../functions/calendar/model/fields/parameter.ts';
import type { EventRecord } from '../../functions/calendar/model/records.ts';
import { isShown, type KnownCaller, mayRead } from '../../functions/calendar/model/rights.ts';
import { plainText } from '../../functions/calendar/model/text/plain-text.ts';
import { textIn } from '../../functions/calendar/model/text/render-text.ts';
import type { Language } from '../../functions/calendar/model/values.ts';
import { type EventFilterValues, eventFilters } from '../../functions/calendar/read/event-filters.ts';
import { type EventWindow, eventWindow } from '../../functions/calendar/read/event-window.ts';
import { distance } from '../../functions/calendar/read/events-around.ts';
import type { EventEntry } from '../../functions/calendar/replica/entries.ts';
import type { CalendarReplica } from '../../functions/calendar/replica/replica.ts';
import { parseSearch } from '../../functions/calendar/search/event-search.ts';

/** Returns the ids of all events of a list, in its order. */
export function plainList(replica: CalendarReplica, context: CalendarContext): number[] {
  const values = parseFilters(eventFilters, context);
  const window = eventWindow(values, context.site.zone, context.now);
  const found = [...replica.posts.event.values()]
    .sort(byStart)
    .filter((entry) => isListed(entry, values, window, replica, context));
  return inOrder(found, values, replica, context).map(({ record }) => record.id);
}

function byStart(a: EventEntry, b: EventEntry): number {
  return a.start - b.start || a.published - b.published || a.record.id - b.record.id;
}

function isListed(
  entry: EventEntry,
  values: EventFilterValues,
  window: EventWindow,
  replica: CalendarReplica,
  { caller, language }: CalendarContext,
): boolean {
  const { record } = entry;
  const flags = ['featured', 'ticketed'] as const;
  return (
    record.hide_from_listings !== true &&
    isShown(entry, values.status, caller) &&
    isInside(record, window) &&
    isAmong(values.include, [record.id]) &&
    isAmong(values.categories, record.categories) &&
    isAmong(values.tags, record.tags) &&
    isAmong(values.venue, idsOf(replica.linked('venue', record.venue))) &&
    isAmong(values.organizer, idsOf(replica.linked('organizer', record.organizer))) &&
    isAmong(values.post_parent === undefined ? undefined : [values.post_parent], [record.post_parent ?? 0]) &&
    flags.every((flag) => values[flag] === undefined || (record[flag] ?? false) === values[flag]) &&
    (values.geoloc === undefined || placesOf(entry, replica, caller).length > 0 === values.geoloc) &&
    (!values.search || hasWords(record, values.search, language))
  );
}

function isInside(record: EventRecord, { instants, isStrict }: EventWindow): boolean {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after } = instants;
  const start = readWall(record.utc_start_date);
  const end = readWall(record.utc_end_date);
  const isBefore = (moment: number, bound: number) => (isStrict ? moment < bound : moment <= bound);
  return (
    (start_date === undefined || start >= start_date) &&
    (end_date === undefined || end <= end_date) &&
    (starts_before === undefined || isBefore(start, starts_before)) &&
    (starts_after === undefined || start > starts_after) &&
    (ends_before === undefined || isBefore(end, ends_before)) &&
    (ends_after === undefined || end > ends_after)
  );
}

function isAmong(wanted: readonly number[] | undefined, ids: readonly number[] = []): boolean {
  return wanted === undefined || wanted.length === 0 || ids.some((id) => wanted.includes(id));
}

function idsOf(entries: readonly { readonly record: { readonly id: number } }[]): number[] {
  return entries.map(({ record }) => record.id);
}

function hasWords(record: EventRecord, search: string, language: Language | undefined): boolean {
  const fields = (['title', 'excerpt', 'description'] as const).slice(
    0,
    record.access_password === undefined ? 3 : 1,
  );
  const text = fields.map((field) => plainText(textIn(record, field, language)).toLowerCase()).join('\n');
  const { wanted, excluded } = parseSearch(search);
  return wanted.every((word) => text.includes(word)) && !excluded.some((word) => text.includes(word));
}

/** The places of those venues that the caller may read. */
function placesOf({ record }: EventEntry, replica: CalendarReplica, caller: KnownCaller) {
  return replica
    .linked('venue', record.venue)
    .filter((venue) => mayRead(caller, venue))
    .flatMap(({ record: { geo_lat: lat, geo_lng: lng } }) =>
      lat === undefined || lng === undefined ? [] : [{ lat, lng }],
    );
}

function inOrder(
  found: readonly EventEntry[],
  { geoloc_lat: lat, geoloc_lng: lng, geoloc_distance, order, orderby = '' }: EventFilterValues,
  replica: CalendarReplica,
  { caller, language }: CalendarContext,
): readonly EventEntry[] {
  if (lat !== undefined && lng !== undefined) {
    const far = (entry: EventEntry) =>
      Math.min(...placesOf(entry, replica, caller).map((other) => distance({ lat, lng }, other)));
    return found
      .filter((entry) => far(entry) <= geoloc_distance)
      .toSorted((a, b) => far(a) - far(b) || byStart(a, b));
  }
  const collator = new Intl.Collator('en');
  const titleOf = ({ record }: EventEntry) => textIn(record, 'title', language);
  const comparisons: Readonly<Record<string, (a: EventEntry, b: EventEntry) => number>> = {
    title: (a, b) => collator.compare(titleOf(a), titleOf(b)),
    modified: (a, b) => readWall(a.record.modified_utc) - readWall(b.record.modified_utc),
    featured: (a, b) => Number(b.record.featured ?? false) - Number(a.record.featured ?? false),
  };
  const compare = comparisons[orderby.toLowerCase()] ?? byStart;
  const sign = order?.toLowerCase() === 'desc' ? -1 : 1;
  return found.toSorted((a, b) => sign * compare(a, b));
}
