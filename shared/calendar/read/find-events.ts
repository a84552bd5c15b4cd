/** Finding the events of a list (behaviour section 6) by the index of the replica, in the order of lists or another. */

import { invalidParameters } from '../model/problems.ts';
import { isShown } from '../model/rights.ts';
import { type Status, statuses } from '../model/values.ts';
import { Bits } from '../replica/bits.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { EventFlag, EventIndex } from '../replica/event-index.ts';
import type { ReplicaContext } from '../replica/find.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import type { SlotSet } from '../replica/slot-sets.ts';
import type { EventSearch } from '../search/event-search.ts';
import { parseSearch } from '../search/parse-search.ts';
import type { Place } from './distance.ts';
import type { EventFilterValues } from './event-filters.ts';
import { rangeInOrder } from './event-order.ts';
import { boundsOf, type EventWindow } from './event-window.ts';
import { eventsAround } from './events-around.ts';
import type { FoundEvents } from './page.ts';

type Test = (entry: EventEntry) => boolean;

/** What finding events needs to know. */
export interface FindContext extends Omit<ReplicaContext, 'parameters'> {
  readonly search: EventSearch;
}

/** Returns a page of the events that a list shows to the caller, nearest first when it is around a place. `isAlsoShown` shows more events of a status. */
export function findEvents(
  values: EventFilterValues,
  window: EventWindow,
  context: FindContext,
  isAlsoShown?: Readonly<{ status: Status; test: Test }>,
): FoundEvents {
  const { replica, search, language } = context;
  const place = placeOf(values);
  const found = shown(values.status, context, isAlsoShown);
  narrow(found, values, replica);
  if (values.search) search.keepMatches(found, parseSearch(values.search), language);
  const { starts, ends } = boundsOf(window);
  replica.events.keepBetween(found, starts, ends);
  const range = { skip: (values.page - 1) * values.per_page, limit: values.per_page };
  if (place !== undefined) return eventsAround(found, place, values.geoloc_distance, range, context);
  return { total: found.count(), items: rangeInOrder(found, values, range, replica.events, language) };
}

/** Returns the events of the statuses asked for that the caller may see in lists, as a set of its own. */
function shown(
  wanted: readonly Status[] | undefined,
  { replica, caller }: FindContext,
  isAlsoShown: Readonly<{ status: Status; test: Test }> | undefined,
): Bits {
  const { events } = replica;
  const found = new Bits(events.capacity);
  for (const status of statuses) {
    const slots = events.statuses.get(status);
    if (slots === undefined) continue;
    if (isShown(by(someoneElse, status), wanted, caller)) slots.addTo(found);
    else if (caller.author !== undefined && isShown(by(caller.author, status), wanted, caller))
      addOwn(found, slots, events.authors.get(caller.author));
    if (isAlsoShown?.status === status) addTested(found, slots, isAlsoShown.test, events);
  }
  return found;
}

/** No author has this number. */
const someoneElse = -1;

/** What rights on an event depend on: its status, and whose it is. */
function by(author: number, status: Status) {
  return { status, record: { kind: 'event', author } } as const;
}

function addOwn(found: Bits, slots: SlotSet, ownSlots: SlotSet | undefined): void {
  if (ownSlots === undefined) return;
  const [ofStatus, ofAuthor] = [new Bits(), new Bits()];
  slots.addTo(ofStatus);
  ownSlots.addTo(ofAuthor);
  ofStatus.keepAll(ofAuthor);
  found.addAll(ofStatus);
}

function addTested(found: Bits, slots: SlotSet, test: Test, events: EventIndex): void {
  for (const slot of slots.slots()) {
    const entry = events.at(slot);
    if (entry !== undefined && test(entry)) found.add(slot);
  }
}

function narrow(found: Bits, values: EventFilterValues, replica: CalendarReplica): void {
  const { events } = replica;
  const { include, post_parent, categories, tags, geoloc } = values;
  narrowToFlag(found, events, 'hide_from_listings', false);
  narrowToFlag(found, events, 'featured', values.featured);
  narrowToFlag(found, events, 'ticketed', values.ticketed);
  if (isFilter(include)) found.keepAll(slotsOf(include, events));
  if (isFilter(categories)) found.keepAll(events.terms.any(categories));
  if (isFilter(tags)) found.keepAll(events.terms.any(tags));
  for (const kind of ['venue', 'organizer'] as const) {
    const ids = values[kind];
    if (isFilter(ids))
      found.keepAll(
        linkedTo(
          ids.map((id) => replica.posts[kind].get(id)),
          events,
        ),
      );
  }
  if (post_parent !== undefined) found.keepAll(events.parents.any([post_parent]));
  if (geoloc !== undefined) narrowBy(found, geoloc, placed(replica));
}

/** An empty list of values filters nothing. */
function isFilter(values: readonly number[] | undefined): values is readonly number[] {
  return values !== undefined && values.length > 0;
}

function narrowToFlag(
  found: Bits,
  { flags }: EventIndex,
  flag: EventFlag,
  wanted: boolean | undefined,
): void {
  if (wanted === true) found.keepAll(flags.any([flag]));
  else if (wanted === false) flags.get(flag)?.deleteFrom(found);
}

/** Keeps what is in a set, or what is not. */
function narrowBy(found: Bits, wanted: boolean, set: Bits): void {
  if (wanted) found.keepAll(set);
  else found.deleteAll(set);
}

function slotsOf(ids: readonly number[], events: EventIndex): Bits {
  const slots = new Bits();
  for (const id of ids) {
    const slot = events.slotOf(id);
    if (slot !== undefined) slots.add(slot);
  }
  return slots;
}

function linkedTo(
  entries: Iterable<Parameters<EventIndex['linkedTo']>[0] | undefined>,
  events: EventIndex,
): Bits {
  const slots = new Bits();
  for (const entry of entries) if (entry !== undefined) events.linkedTo(entry).addTo(slots);
  return slots;
}

/** Returns the events at a venue that has coordinates. */
function placed({ events, posts }: CalendarReplica): Bits {
  const venues = [...posts.venue.values()];
  return linkedTo(
    venues.filter(({ record: { geo_lat, geo_lng } }) => geo_lat !== undefined && geo_lng !== undefined),
    events,
  );
}

function placeOf({ geoloc_lat: lat, geoloc_lng: lng }: EventFilterValues): Place | undefined {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (lat === undefined && lng === undefined) return undefined;
  const [given, missing] = lat === undefined ? ['geoloc_lng', 'geoloc_lat'] : ['geoloc_lat', 'geoloc_lng'];
  throw invalidParameters({ [String(given)]: { message: `must be sent together with ${missing}` } });
}
