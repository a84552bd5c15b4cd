/** Events as iCalendar (RFC 5545, RFC 7986), for calendar programs. Load it on first use: its libraries are large. */

import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { CodedError } from '../../../errors.ts';
import type { EventEntry } from '../../replica/entries.ts';
import { findPost, type RecordRef } from '../../replica/find.ts';
import type { ReadContext } from '../context.ts';
import { readableEntry } from '../items.ts';
import { feedPage } from '../lists.ts';
import type { Listing } from '../page.ts';
import {
  type Component,
  type ComponentContext,
  eventComponent,
  type Property,
  zoneOf,
} from './event-component.ts';

/** How often programs are asked to look for changes. */
const refreshInterval = 'PT1H';

/** Returns a page of the events of a list as an iCalendar feed, and those that were deleted lately as cancelled. A page above 1 with nothing on it is 404. */
export function eventFeed(context: ReadContext): Listing {
  const page = feedPage(context).find();
  if (page.items.length === 0 && page.page > 1)
    throw new CodedError('event-archive-page-not-found', 'Cannot show the page: there is nothing on it.');
  return { text: calendarText(page.items, context), total: page.total, totalPages: page.totalPages };
}

/** Returns one event as iCalendar: what the reading of one record refuses is refused here too. */
export function eventFile(ref: RecordRef, context: ReadContext): string {
  const entry = readableEntry('event', findPost('event', ref, 'read', context), context);
  return calendarText([entry as EventEntry], context);
}

/** Returns events as iCalendar. */
export function calendarText(entries: readonly EventEntry[], context: ComponentContext): string {
  const { site } = context;
  const { hostname } = new URL(site.url);
  const properties: Property[] = [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', `-//${hostname}//events compatible with ECPv6.0.0//EN`],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', 'PUBLISH'],
    ['name', {}, 'unknown', hostname],
    ['x-wr-calname', {}, 'unknown', hostname],
    ['x-wr-timezone', {}, 'unknown', site.zone.name],
    ['refresh-interval', {}, 'duration', refreshInterval],
    ['x-published-ttl', {}, 'unknown', refreshInterval],
  ];
  const zones = new Set(entries.map((entry) => zoneOf(entry)).filter((zone) => zone !== undefined));
  const components = [
    ...[...zones].map(zoneComponent),
    ...entries.map((entry) => eventComponent(entry, context)),
  ];
  return `${ICAL.stringify(['vcalendar', properties, components]).trimEnd()}\r\n`;
}

/** Returns the rules of a time zone. The library has them under the name of the zone that a link leads to. */
function zoneComponent(zone: string): Component {
  const [block = ''] = tzlib_get_ical_block(zone);
  return ICAL.parse(block.replace(/^TZID:.*$/m, `TZID:${zone}`)) as unknown as Component;
}
