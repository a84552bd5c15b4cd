/** Finds the events of a list by the index of the replica, in the order asked for: by start, or another one, an extension (docs/calendar-contract.md, "The event list"). */

import { invalidParameters } from '../model/refusals.ts';
import { isShown, mayRead } from '../model/rights.ts';
import { compareNames } from '../model/text/compare-names.ts';
import { textIn } from '../model/text/render-text.ts';
import { type Language, type Status, statuses } from '../model/values.ts';
import type { EventEntry, OrganizerEntry, VenueEntry } from '../replica/entries.ts';
import { compareEvents, type EventIndex } from '../replica/event-index.ts';
import type { CompareEvents, EventOrder, PageRange } from '../replica/event-order.ts';
import type { ReplicaContext } from '../replica/find.ts';
import { Bits } from '../replica/slot-sets.ts';
import type { EventSearch } from '../search/event-search.ts';
import { ranksOf } from '../search/relevance.ts';
import type { EventFilterValues } from './event-filters.ts';
import { boundsOf, type EventWindow } from './event-window.ts';
import { eventsAround, type Place, venuesAround } from './events-around.ts';
import type { FoundEvents } from './page.ts';

export interface FindContext extends Omit<ReplicaContext, 'parameters'> {
  readonly search: EventSearch;
}

/** Returns a page of the events of a list: around a place by distance, else in the order asked for. */
export function findEvents(
  values: EventFilterValues,
  window: EventWindow,
  context: FindContext,
): FoundEvents {
  const { replica, language } = context;
  const place = placeOf(values);
  const slots = visibleEvents(values.status, context);
  keepWanted(slots, values, window, context);
  const range = { skip: (values.page - 1) * values.per_page, limit: values.per_page };
  if (place !== undefined) return eventsAround(slots, place, values.geoloc_distance, range, context);
  const items = rangeInOrder(slots, values, range, replica.events, language);
  return { total: slots.count(), items };
}

/** What a feed has beside the events of its list. */
export interface FeedRange extends PageRange {
  /** Events that end at this instant or later are to come, in seconds. */
  readonly today: number;
  /** Checks whether an event in the trash is cancelled for who subscribes. */
  readonly isCancelled: (entry: EventEntry) => boolean;
  /** Cancelled events, at most. */
  readonly maxCancelled: number;
}

/**
 * Returns a page of a feed, in the order of lists. The first pages have the events of a list that are to come, the further ones those that are
 * over, the latest first. Where the first page has room for more, it has cancelled events that would be to come; they are no part of the total.
 */
export function findFeed(
  values: EventFilterValues,
  window: EventWindow,
  context: FindContext,
  { skip, limit, today, isCancelled, maxCancelled }: FeedRange,
): FoundEvents {
  const { events } = context.replica;
  const live = visibleEvents(values.status, context);
  keepWanted(live, values, window, context);
  keepAround(live, values, context);
  const toCome = live.copy();
  events.keepBetween(toCome, anyTime, [today, Infinity]);
  const over = live.copy();
  over.deleteAll(toCome);
  const next = events.starts.range(toCome, { skip, limit });
  const skipped = Math.max(0, skip - toCome.count());
  const latest = events.starts.range(over, { skip: skipped, limit: limit - next.length }, true);
  const items = [...next, ...latest];
  const room = skip === 0 ? Math.min(maxCancelled, limit - items.length) : 0;
  const cancelled = events.statuses.any(['trash']);
  cancelled.deleteAll(live);
  cancelled.keepIf((slot) => {
    const entry = events.at(slot);
    return entry !== undefined && isCancelled(entry);
  });
  keepWanted(cancelled, values, window, context);
  keepAround(cancelled, values, context);
  events.keepBetween(cancelled, anyTime, [today, Infinity]);
  items.push(...events.starts.range(cancelled, { skip: 0, limit: room }));
  return { total: live.count(), items: items.sort(compareEvents) };
}

const anyTime = [-Infinity, Infinity] as const;

/** Keeps the events that all filters but the place let through. */
function keepWanted(slots: Bits, values: EventFilterValues, window: EventWindow, context: FindContext): void {
  const { replica, search, language } = context;
  keepFiltered(slots, values, context);
  if (values.search) search.keepMatches(slots, values.search, language);
  const { starts, ends } = boundsOf(window);
  replica.events.keepBetween(slots, starts, ends);
}

/** Keeps the events around the place that is asked for, if one is. */
function keepAround(slots: Bits, values: EventFilterValues, { replica, caller }: FindContext): void {
  const place = placeOf(values);
  if (place === undefined) return;
  const venues = venuesAround(place, values.geoloc_distance, replica, caller);
  slots.keepAll(linkedTo(venues, replica.events));
}

/** The number of an author that does not exist. */
const noAuthor = -1;

/** Returns the events of the statuses asked for that lists show to the caller. */
function visibleEvents(
  wanted: readonly Status[] | undefined,
  { replica: { events }, caller }: FindContext,
): Bits {
  const withStatusOf = (author: number) =>
    events.statuses.any(
      statuses.filter((status) => isShown({ status, record: { kind: 'event', author } }, wanted, caller)),
    );
  const slots = withStatusOf(noAuthor);
  if (caller.author !== undefined) {
    const byCaller = withStatusOf(caller.author);
    byCaller.keepAll(events.authors.any([caller.author]));
    slots.addAll(byCaller);
  }
  return slots;
}

function keepFiltered(found: Bits, values: EventFilterValues, context: FindContext): void {
  const { events, posts } = context.replica;
  const { include, author, post_parent, categories, tags, venue, organizer } = values;
  if (!values.include_hidden) keepWhere(found, false, () => events.flags.any(['hide_from_listings']));
  keepWhere(found, values.featured, () => events.flags.any(['featured']));
  keepWhere(found, values.ticketed, () => events.flags.any(['ticketed']));
  keepWhere(found, values.geoloc, () => linkedTo(venuesWithPlace(context), events));
  keepAny(found, include, (ids) => slotsOf(ids, events));
  keepAny(found, author, (ids) => events.authors.any(ids));
  keepAny(found, categories, (ids) => events.terms.any(ids));
  keepAny(found, tags, (ids) => events.terms.any(ids));
  keepAny(found, venue, (ids) =>
    linkedTo(
      ids.map((id) => posts.venue.get(id)),
      events,
    ),
  );
  keepAny(found, organizer, (ids) =>
    linkedTo(
      ids.map((id) => posts.organizer.get(id)),
      events,
    ),
  );
  if (values.needs_translation !== undefined)
    found.keepAll(events.translations.any(values.needs_translation));
  if (post_parent !== undefined) found.keepAll(events.parents.any([post_parent]));
}

/** Keeps the events of a set, or the events outside of it, where a flag is sent. */
function keepWhere(found: Bits, isWanted: boolean | undefined, setOf: () => Bits): void {
  if (isWanted === true) found.keepAll(setOf());
  else if (isWanted === false) found.deleteAll(setOf());
}

/** Keeps the events that have one of some values. An empty list of values filters nothing. */
function keepAny(
  found: Bits,
  values: readonly number[] | undefined,
  setOf: (values: readonly number[]) => Bits,
): void {
  if (values !== undefined && values.length > 0) found.keepAll(setOf(values));
}

function slotsOf(ids: readonly number[], events: EventIndex): Bits {
  const slots = new Bits();
  for (const id of ids) {
    const slot = events.slotOf(id);
    if (slot !== undefined) slots.add(slot);
  }
  return slots;
}

function linkedTo(contacts: readonly (VenueEntry | OrganizerEntry | undefined)[], events: EventIndex): Bits {
  const slots = new Bits();
  for (const contact of contacts) if (contact !== undefined) events.linkedTo(contact).addTo(slots);
  return slots;
}

function venuesWithPlace({ replica: { posts }, caller }: FindContext): VenueEntry[] {
  return [...posts.venue.values()].filter((venue) => {
    const { geo_lat, geo_lng } = venue.record;
    return geo_lat !== undefined && geo_lng !== undefined && mayRead(caller, venue);
  });
}

function placeOf({ geoloc_lat: lat, geoloc_lng: lng }: EventFilterValues): Place | undefined {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (lat === undefined && lng === undefined) return undefined;
  const [given, missing] = lat === undefined ? ['geoloc_lng', 'geoloc_lat'] : ['geoloc_lat', 'geoloc_lng'];
  throw invalidParameters({ [String(given)]: { message: `must be sent together with ${missing}` } });
}

interface OrderValues {
  readonly search?: string;
  readonly order?: string;
  readonly orderby?: string;
}

/** Returns a range of a set of events in the order asked for; equal events stand in the order of lists. */
function rangeInOrder(
  set: Bits,
  { search = '', order, orderby = '' }: OrderValues,
  range: PageRange,
  events: EventIndex,
  language: Language | undefined,
): EventEntry[] {
  const isDescending = order?.toLowerCase() === 'desc';
  const sign = isDescending ? -1 : 1;
  switch (orderby.toLowerCase()) {
    case 'title':
      return orderOf(events, `title ${language} ${sign}`, sign, byTitle(language)).range(set, range);
    case 'modified':
      return orderOf(events, `modified ${sign}`, sign, byChange).range(set, range);
    case 'relevance':
      return mostRelevant(set, search, range, events, language);
    case 'featured':
      return featuredFirst(set, range, events, isDescending);
    default:
      return events.starts.range(set, range, isDescending);
  }
}

function orderOf(events: EventIndex, name: string, sign: number, compare: CompareEvents): EventOrder {
  return events.orderBy(name, (a, b) => sign * compare(a, b) || compareEvents(a, b));
}

/** Featured events precede the rest, or follow it where the order is descending. */
function featuredFirst(
  set: Bits,
  { skip, limit }: PageRange,
  events: EventIndex,
  isDescending: boolean,
): EventEntry[] {
  const featured = events.flags.any(['featured']);
  const first = set.copy();
  const second = set.copy();
  (isDescending ? second : first).keepAll(featured);
  (isDescending ? first : second).deleteAll(featured);
  const items = events.starts.range(first, { skip, limit });
  const skipped = Math.max(0, skip - first.count());
  return [...items, ...events.starts.range(second, { skip: skipped, limit: limit - items.length })];
}

/** The most relevant events first, of equal ones the latest. */
function mostRelevant(
  set: Bits,
  search: string,
  { skip, limit }: PageRange,
  events: EventIndex,
  language: Language | undefined,
): EventEntry[] {
  const rankOf = ranksOf(search);
  const latestFirst = events.starts.range(set, { skip: 0, limit: set.count() }, true);
  const ranked = latestFirst.map((entry) => {
    const { record } = entry;
    const [title, excerpt, content] = (['title', 'excerpt', 'description'] as const).map((field) =>
      textIn(record, field, language),
    ) as [string, string, string];
    return { entry, rank: rankOf({ title, excerpt, content }) };
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(skip, skip + limit)
    .map(({ entry }) => entry);
}

function byTitle(language: Language | undefined): CompareEvents {
  return ({ record: a }, { record: b }) =>
    compareNames(textIn(a, 'title', language), textIn(b, 'title', language));
}

function byChange({ record: a }: EventEntry, { record: b }: EventEntry): number {
  return a.modified_utc < b.modified_utc ? -1 : Number(a.modified_utc > b.modified_utc);
}
