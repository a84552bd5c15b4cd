/** Events around a place, sorted by distance. */

import { type KnownCaller, mayRead } from '../model/rights.ts';
import type { EventEntry, VenueEntry } from '../replica/entries.ts';
import { compareEvents } from '../replica/event-index.ts';
import type { PageRange } from '../replica/event-order.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { Bits } from '../replica/slot-sets.ts';
import type { FoundEvents } from './page.ts';

/** Returns a range of the events of a set with a venue within a distance in kilometres, sorted by the distance of their nearest venue. */
export function eventsAround(
  found: Bits,
  place: Place,
  maxDistance: number,
  { skip, limit }: PageRange,
  { replica, caller }: { readonly replica: CalendarReplica; readonly caller: KnownCaller },
): FoundEvents {
  const seenSlots = new Bits();
  const items: EventEntry[] = [];
  let total = 0;
  for (const venues of venuesByDistance(place, maxDistance, replica, caller)) {
    const group = newEventsAt(venues, found, seenSlots, replica);
    const isWanted = total < skip + limit && total + group.length > skip;
    if (isWanted)
      items.push(
        ...group.sort(compareEvents).slice(Math.max(0, skip - total), Math.max(0, skip + limit - total)),
      );
    total += group.length;
  }
  return { total, items };
}

/** Returns the venues within a distance in kilometres that the caller may read. */
export function venuesAround(
  place: Place,
  maxDistance: number,
  replica: CalendarReplica,
  caller: KnownCaller,
): VenueEntry[] {
  return venuesByDistance(place, maxDistance, replica, caller).flat();
}

/** Returns the venues within a distance that the caller may read, in groups of equal distance, the nearest first. */
function venuesByDistance(
  place: Place,
  maxDistance: number,
  { posts }: CalendarReplica,
  caller: KnownCaller,
): VenueEntry[][] {
  const groups = new Map<number, VenueEntry[]>();
  for (const venue of posts.venue.values()) {
    const { geo_lat: lat, geo_lng: lng } = venue.record;
    if (lat === undefined || lng === undefined || !mayRead(caller, venue)) continue;
    const kilometres = distance(place, { lat, lng });
    if (kilometres > maxDistance) continue;
    const group = groups.get(kilometres) ?? [];
    group.push(venue);
    groups.set(kilometres, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, venues]) => venues);
}

/** Returns the events of a set at venues, except for those in `seen`, and adds them to it. */
function newEventsAt(
  venues: readonly VenueEntry[],
  found: Bits,
  seen: Bits,
  { events }: CalendarReplica,
): EventEntry[] {
  const group: EventEntry[] = [];
  for (const venue of venues) {
    for (const slot of events.linkedTo(venue).slots()) {
      const entry = events.at(slot);
      if (entry === undefined || !found.has(slot) || seen.has(slot)) continue;
      seen.add(slot);
      group.push(entry);
    }
  }
  return group;
}

/** Mean radius of the earth in kilometres. */
const radius = 6371.0088;

/** A place, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** Returns the great-circle distance of two places in kilometres (haversine formula). */
export function distance(a: Place, b: Place): number {
  const fromLat = radians(a.lat);
  const toLat = radians(b.lat);
  const half = (angle: number) => Math.sin(angle / 2) ** 2;
  const chord = half(toLat - fromLat) + Math.cos(fromLat) * Math.cos(toLat) * half(radians(b.lng - a.lng));
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
