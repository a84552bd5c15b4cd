/** An event's own part as clients see it (behaviour section 4.1): everything before its terms, venue and organizers. */

import { type Cost, readCost } from '../model/cost.ts';
import { dateDetails } from '../model/dates/date-details.ts';
import { findZone } from '../model/dates/zone.ts';
import type { EventEntry } from '../replica/entries.ts';
import type { ViewContext } from './context.ts';
import { imageView } from './image-view.ts';
import { pageOf } from './pages.ts';
import { globalView, pageView, statusView, textsView } from './post-view.ts';

/** Gives the keys `id` to `featured`, in the order of the wire. */
export function eventView(entry: EventEntry, context: ViewContext) {
  const { record } = entry;
  const { all_day = false, website = '' } = record;
  const { show_map = false, show_map_link = false } = record;
  const { hide_from_listings = false, sticky = false, featured = false } = record;
  const { title, description, excerpt } = textsView(record, context);
  const cost = readCost(record.cost ?? []);
  return {
    id: record.id,
    ...globalView(record, context),
    ...statusView(entry),
    ...pageView(entry, context),
    rest_url: `${context.root}/events/${record.id}`,
    title,
    description,
    excerpt,
    slug: record.slug,
    image: imageView(context.replica, record.image),
    all_day,
    ...datesView(entry),
    ...costView(cost),
    website: website === '' ? pageOf(context.site, entry) : website,
    show_map,
    show_map_link,
    hide_from_listings,
    sticky,
    featured,
  };
}

/** Gives the same keys with what a password protects left blank (behaviour section 3). */
export function protectedEventView(entry: EventEntry, context: ViewContext) {
  return {
    ...eventView(entry, context),
    description: '',
    excerpt: '',
    image: false,
    all_day: null,
    ...costView(readCost([])),
    website: '',
    show_map: null,
    show_map_link: null,
    hide_from_listings: null,
    sticky: null,
    featured: null,
  };
}

function datesView({ record, start }: EventEntry) {
  const { start_date, end_date, utc_start_date, utc_end_date, timezone } = record;
  return {
    start_date,
    start_date_details: dateDetails(start_date),
    end_date,
    end_date_details: dateDetails(end_date),
    utc_start_date,
    utc_start_date_details: dateDetails(utc_start_date),
    utc_end_date,
    utc_end_date_details: dateDetails(utc_end_date),
    timezone,
    timezone_abbr: findZone(timezone)?.abbreviationAt(start) ?? timezone,
  };
}

function costView({ text, details }: Cost) {
  return { cost: text, cost_details: details };
}
