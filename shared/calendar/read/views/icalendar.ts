/** Lists of events as an iCalendar feed (RFC 5545), for calendar programs that subscribe. Load it on first use: its library is large. */

import ical, { type ICalEventData } from 'ical-generator';
import { day, readWall, startOfDay } from '../../model/dates/wall.ts';
import { mayRead } from '../../model/rights.ts';
import { plainText } from '../../model/text/html.ts';
import { textIn } from '../../model/text/render-text.ts';
import type { EventEntry, VenueEntry } from '../../replica/entries.ts';
import type { ReadContext } from '../context.ts';
import { findListed, maxFeedEvents } from '../lists.ts';
import { globalId, pageUrl } from './views.ts';

/** The last of the six decimals that RFC 5545 3.8.1.6 asks for. */
const minDegrees = 0.000001;

/** Returns the events of a list, all pages together, as an iCalendar feed. Times are in UTC; all-day events are dates. */
export function eventFeed(context: ReadContext): string {
  const { hostname } = new URL(context.site.url);
  const feed = ical({ name: hostname, prodId: { company: hostname, product: 'events', language: 'EN' } });
  for (const entry of findListed(context).found.slice(0, maxFeedEvents))
    feed.createEvent(feedEvent(entry, context));
  return feed.toString();
}

function feedEvent(entry: EventEntry, context: ReadContext): ICalEventData {
  const { record, start, end } = entry;
  const modified = atUtc(readWall(record.modified_utc));
  const basics = {
    id: globalId(context.site, record.id),
    summary: plainText(textIn(record, 'title', context.language)),
    url: pageUrl(context.site, entry),
    stamp: modified,
    lastModified: modified,
    ...(record.all_day === true ? wholeDays(entry) : { start: atUtc(start), end: atUtc(end) }),
  };
  return context.isUnlocked(entry) ? { ...basics, ...details(entry, context) } : basics;
}

/** All-day events are dates; their end is the day after the last. */
function wholeDays({ record: { start_date, end_date } }: EventEntry) {
  return {
    allDay: true,
    start: atUtc(startOfDay(readWall(start_date))),
    end: atUtc(startOfDay(readWall(end_date)) + day),
  };
}

function details({ record }: EventEntry, context: ReadContext) {
  const { replica, language, caller } = context;
  const { terms } = replica;
  const [venue] = replica.linked('venue', record.venue).filter((one) => mayRead(caller, one));
  const categories = (record.categories ?? [])
    .map((id) => terms.get(id))
    .filter((term) => term !== undefined);
  return {
    description: plainText(textIn(record, 'description', language)),
    categories: categories.map((term) => ({ name: plainText(textIn(term, 'name', language)) })),
    ...(venue === undefined ? {} : { location: locationOf(venue, context) }),
  };
}

function locationOf({ record }: VenueEntry, { language }: ReadContext) {
  const { address, zip, city, country, geo_lat: lat, geo_lng: lon } = record;
  const place = [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
  return {
    title: plainText(textIn(record, 'title', language)),
    ...(place === '' ? {} : { address: place }),
    ...(lat === undefined || lon === undefined
      ? {}
      : { geo: { lat: coordinate(lat), lon: coordinate(lon) } }),
  };
}

/** The library leaves out a place with a coordinate of 0, and writes very small ones with an exponent, so these stand a millionth of a degree (11 cm) beside it. */
function coordinate(degrees: number): number {
  return Math.abs(degrees) < minDegrees ? minDegrees : degrees;
}

function atUtc(seconds: number): Date {
  return new Date(seconds * 1000);
}
