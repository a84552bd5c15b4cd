/** Events around a place, the nearest first. */

import { Bits } from '../replica/bits.ts';
import type { EventEntry, VenueEntry } from '../replica/entries.ts';
import { compareEvents } from '../replica/event-index.ts';
import type { PageRange } from '../replica/event-order.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { distance, type Place } from './distance.ts';
import type { FoundEvents } from './page.ts';

/** Returns a part of those events of a set that have a venue within so many kilometres, by the nearest of theirs; equally near ones in the order of lists. */
export function eventsAround(
  found: Bits,
  place: Place,
  within: number,
  { skip, limit }: PageRange,
  { replica }: { readonly replica: CalendarReplica },
): FoundEvents {
  const taken = new Bits();
  const items: EventEntry[] = [];
  let total = 0;
  for (const venues of byDistance(place, within, replica)) {
    const group = newEventsAt(venues, found, taken, replica);
    const isWanted = total < skip + limit && total + group.length > skip;
    if (isWanted)
      items.push(
        ...group.sort(compareEvents).slice(Math.max(0, skip - total), Math.max(0, skip + limit - total)),
      );
    total += group.length;
  }
  return { total, items };
}

/** Returns the venues within so many kilometres in groups of one distance each, the nearest first. */
function byDistance(place: Place, within: number, { posts }: CalendarReplica): VenueEntry[][] {
  const groups = new Map<number, VenueEntry[]>();
  for (const venue of posts.venue.values()) {
    const { geo_lat: lat, geo_lng: lng } = venue.record;
    if (lat === undefined || lng === undefined) continue;
    const far = distance(place, { lat, lng });
    if (far > within) continue;
    const group = groups.get(far) ?? [];
    group.push(venue);
    groups.set(far, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, venues]) => venues);
}

/** Returns the events of a set at some venues, but for those that were taken before. */
function newEventsAt(
  venues: readonly VenueEntry[],
  found: Bits,
  taken: Bits,
  { events }: CalendarReplica,
): EventEntry[] {
  const group: EventEntry[] = [];
  for (const venue of venues) {
    for (const slot of events.linkedTo(venue).slots()) {
      const entry = events.at(slot);
      if (entry === undefined || !found.has(slot) || taken.has(slot)) continue;
      taken.add(slot);
      group.push(entry);
    }
  }
  return group;
}
