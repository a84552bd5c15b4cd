/** Calendars with many events, written straight to the store. */

import type { LogSettings, StoredRecord } from '../../functions/calendar/log/log.ts';
import { openLog } from '../../functions/calendar/log/open-log.ts';
import type { EventRecord, TermRecord, VenueRecord } from '../../functions/calendar/model/records.ts';
import { keyOf } from '../../functions/calendar/replica/entries.ts';
import { fillCalendar } from './fill-calendar.ts';

const words =
  'harbour concert reading market lecture exhibition workshop choir swimming history garden theatre'.split(
    ' ',
  );
const day = 86_400_000;
const dates = {
  date: '2026-01-01 00:00:00',
  date_utc: '2026-01-01 00:00:00',
  modified: '2026-01-01 00:00:00',
  modified_utc: '2026-01-01 00:00:00',
};

/** Number of categories, and of venues unless told. */
const groups = 20;

/** Fills an empty calendar with events over two years from now, some venues and 20 categories. */
export async function writeManyEvents(settings: LogSettings, count: number, venues = groups): Promise<void> {
  const replica = { apply() {}, clear() {} };
  const log = openLog(settings, { replica, budget: 60_000 });
  await fillCalendar(log, count + groups + venues, (number, takeId) =>
    recordAt(number, takeId(number < groups ? 'term' : 'post'), count, venues),
  );
  log.close();
}

/** Returns the records of a calendar with many events one by one, as a log has them. */
export function* manyRecords(count: number): Generator<StoredRecord> {
  for (let number = 0; number < count + 2 * groups; number += 1)
    yield recordAt(number, number < groups ? number + 1 : number + 1 - groups, count);
}

/** The categories come first, then the venues. */
function recordAt(number: number, id: number, count: number, venues = groups): StoredRecord {
  if (number < groups) return stored(category(number));
  const index = number - groups;
  return stored(index < venues ? venue(id, index) : event(id, index - venues, count));
}

function stored(record: EventRecord | VenueRecord | TermRecord): StoredRecord {
  return { key: keyOf(record), json: JSON.stringify(record) };
}

function category(index: number): TermRecord {
  return { kind: 'category', id: index + 1, name: `Category ${index}`, slug: `category-${index}` };
}

function venue(id: number, index: number): VenueRecord {
  return {
    kind: 'venue',
    id,
    author: 1,
    status: 'publish',
    ...dates,
    title: `Venue ${index}`,
    slug: `venue-${index}`,
    show_map: true,
    show_map_link: true,
    city: 'Copenhagen',
    country: 'Denmark',
    geo_lat: 55 + index / 1_000,
    geo_lng: 12,
  };
}

/** An event of an hour; the words of its text depend on its number. */
function event(id: number, index: number, count: number): EventRecord {
  const start = Date.now() + day + Math.floor((index / count) * 700 * day);
  const start_date = wall(start);
  const end_date = wall(start + 3_600_000);
  const word = (step: number) => words[(index * step) % words.length] ?? '';
  return {
    kind: 'event',
    id,
    author: 1,
    status: 'publish',
    ...dates,
    title: `The ${word(1)} ${index}`,
    slug: `event-${index}`,
    description: `A ${word(5)} with ${word(7)} and ${word(11)}.\n\nEverybody is welcome, number ${index} of many. Doors open half an hour before.`,
    start_date,
    end_date,
    utc_start_date: start_date,
    utc_end_date: end_date,
    timezone: 'UTC',
    categories: [(index % groups) + 1],
    venue: [(index % groups) + 1],
  };
}

function wall(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
