/** Finding the events of a list (behaviour section 6), in the order of lists. */

import { invalidParameters } from '../model/problems.ts';
import type { Link, LinkedKind } from '../model/values.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';
import { type CalendarReplica, linkedId } from '../replica/replica.ts';
import { distance, type Place } from './distance.ts';
import type { EventFilterValues } from './event-filters.ts';
import { inOrder } from './event-order.ts';
import { type EventWindow, isWithin } from './event-window.ts';
import { type EventTexts, hasWords, parseSearch } from './search.ts';
import { isShown } from './status-filter.ts';

type Test = (entry: EventEntry) => boolean;

/** Returns all events that a list shows to the caller; nearest first when it is around a place. */
export function findEvents(
  values: EventFilterValues,
  window: EventWindow,
  { replica, caller, texts, language }: ReplicaContext & { readonly texts: EventTexts },
  isListed: Test = (entry) => isShown(entry, values.status, caller),
): readonly EventEntry[] {
  const place = placeOf(values);
  const tests = [...cheapTests(values, replica), isListed, ...searchTests(values, texts, language)];
  const found: EventEntry[] = [];
  const events = replica.events.all();
  const { start_date = Number.NEGATIVE_INFINITY } = window.instants;
  for (let index = replica.events.firstFrom(start_date); index < events.length; index += 1) {
    const entry = events[index];
    if (entry === undefined || entry.record.hide_from_listings === true || !isWithin(entry, window)) continue;
    if (tests.every((test) => test(entry))) found.push(entry);
  }
  return place === undefined
    ? inOrder(found, values, language)
    : nearestFirst(found, place, values.geoloc_distance, replica);
}

function cheapTests(values: EventFilterValues, replica: CalendarReplica): Test[] {
  const { include, featured, post_parent, ticketed, geoloc, categories, tags, venue, organizer } = values;
  const tests: (Test | undefined)[] = [
    include && among(include, ({ record }) => [record.id]),
    categories && among(categories, ({ record }) => record.categories),
    tags && among(tags, ({ record }) => record.tags),
    venue && linkedTo('venue', venue, replica),
    organizer && linkedTo('organizer', organizer, replica),
    featured === undefined ? undefined : ({ record }) => (record.featured ?? false) === featured,
    post_parent === undefined ? undefined : ({ record }) => record.post_parent === post_parent,
    ticketed === undefined ? undefined : ({ record }) => (record.ticketed ?? false) === ticketed,
    geoloc === undefined ? undefined : (entry) => placesOf(entry, replica).length > 0 === geoloc,
  ];
  return tests.filter((test) => test !== undefined);
}

function searchTests(
  { search }: EventFilterValues,
  texts: EventTexts,
  language: ReplicaContext['language'],
): Test[] {
  if (!search) return [];
  const words = parseSearch(search);
  return [(entry) => hasWords(texts.of(entry, language), words)];
}

/** An empty list of values filters nothing. */
function among(
  wanted: readonly number[],
  idsOf: (entry: EventEntry) => readonly number[] | undefined,
): Test | undefined {
  if (wanted.length === 0) return undefined;
  const set = new Set(wanted);
  return (entry) => idsOf(entry)?.some((id) => set.has(id)) ?? false;
}

/** Links are looked at first as they stand, and followed only where they seem to lead to a wanted record. */
function linkedTo(kind: LinkedKind, wanted: readonly number[], replica: CalendarReplica): Test | undefined {
  const seems = among(wanted, ({ record }) => record[kind]?.map(linkedId));
  const leads = (links: readonly Link[] | undefined) =>
    replica.linked(kind, links).some(({ record }) => wanted.includes(record.id));
  return seems && ((entry) => seems(entry) && leads(entry.record[kind]));
}

function placesOf({ record }: EventEntry, replica: CalendarReplica): Place[] {
  return replica
    .linked('venue', record.venue)
    .flatMap(({ record: { geo_lat: lat, geo_lng: lng } }) =>
      lat === undefined || lng === undefined ? [] : [{ lat, lng }],
    );
}

function placeOf({ geoloc_lat: lat, geoloc_lng: lng }: EventFilterValues): Place | undefined {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (lat === undefined && lng === undefined) return undefined;
  const [given, missing] = lat === undefined ? ['geoloc_lng', 'geoloc_lat'] : ['geoloc_lat', 'geoloc_lng'];
  throw invalidParameters({ [String(given)]: { message: `must be sent together with ${missing}` } });
}

function nearestFirst(
  events: readonly EventEntry[],
  place: Place,
  within: number,
  replica: CalendarReplica,
): EventEntry[] {
  return events
    .map((entry) => ({
      entry,
      distance: Math.min(...placesOf(entry, replica).map((other) => distance(place, other))),
    }))
    .filter((found) => found.distance <= within)
    .sort((a, b) => a.distance - b.distance)
    .map(({ entry }) => entry);
}
