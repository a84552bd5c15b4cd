/** Events as iCalendar (RFC 5545, RFC 7986), for calendar programs. Load it on first use: its libraries are large. */

import { hash } from 'node:crypto';
import { basename } from 'node:path';
import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { createCache } from '../../../cache.ts';
import { CodedError } from '../../../errors.ts';
import type { EventEntry } from '../../replica/entries.ts';
import { findPost, type RecordRef } from '../../replica/find.ts';
import type { Feed, FeedPage, ReadContext } from '../context.ts';
import { readableEntry } from '../items.ts';
import { feedQuestion } from '../lists.ts';
import type { Page } from '../page.ts';
import {
  type Component,
  type ComponentContext,
  componentState,
  eventComponent,
  type Property,
  zoneOf,
} from './event-component.ts';

/** How often programs are asked to look for changes. */
const refreshInterval = 'PT1H';

/** Names the code that renders: in the built app its file is named after what it holds. */
const renderedBy = basename(import.meta.url);

/** Rules of zones that are cached, at most. A block has some kilobytes. */
const maxZones = 200;
const zones = createCache<string, string>({ maxEntries: maxZones });

/**
 * Returns a page of the events of a list as an iCalendar feed, and those that were deleted lately as cancelled; only its tag
 * for those who have it already. A page above 1 with nothing on it is 404.
 */
export function eventFeed(context: ReadContext): Feed {
  const { parameters, pages, replica, site, ifNoneMatch = [] } = context;
  const { cacheKey, find } = feedQuestion(context);
  const { password } = parameters;
  const question = [renderedBy, replica.state, site.url, site.zone.name, password, cacheKey];
  const etag = `"${hash('sha1', JSON.stringify(question), 'base64url')}"`;
  if (ifNoneMatch !== '*' && ifNoneMatch.some((tag) => tag.replace(/^W\//, '') === etag)) return { etag };
  const make = () => pageOf(find(), context);
  if (Object.hasOwn(parameters, 'password')) return { etag, page: make() };
  const page = pages.of({
    revision: replica.revision,
    cacheKey: ['feed', site.url, cacheKey],
    isDear: true,
    make,
    bytesOf: ({ bytes }) => bytes.length,
  });
  return { etag, page };
}

/** Returns one event as iCalendar: what the reading of one record refuses is refused here too. */
export function eventFile(ref: RecordRef, context: ReadContext): string {
  const entry = readableEntry('event', findPost('event', ref, 'read', context), context);
  return calendarText([entry as EventEntry], context, componentsIn(context));
}

function pageOf({ items, page, total, totalPages }: Page<EventEntry>, context: ReadContext): FeedPage {
  if (items.length === 0 && page > 1)
    throw new CodedError('event-archive-page-not-found', 'Cannot show the page: there is nothing on it.');
  return { bytes: Buffer.from(calendarText(items, context, componentsIn(context))), total, totalPages };
}

/** Returns events as iCalendar. `componentOf` renders each. */
export function calendarText(
  entries: readonly EventEntry[],
  context: ComponentContext,
  componentOf: (entry: EventEntry) => string = (entry) => rendered(entry, context),
): string {
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
  const components = entries.map((entry) => parts(componentOf(entry)));
  const zones = new Set(components.map(([zone]) => zone).filter((zone) => zone !== ''));
  const end = 'END:VCALENDAR\r\n';
  return [
    ICAL.stringify(['vcalendar', properties, []]).slice(0, -end.length),
    ...[...zones].map(zoneText),
    ...components.map(([, text]) => text),
    end,
  ].join('');
}

/** Does a step of some work, named by what it is about. */
type Step = <T>(what: string, work: () => T) => T;

const atOnce: Step = (_what, work) => work();

/** Renders an event: the zone whose rules it needs, empty for none, and its text, with a line break between them. Each step is linear in one of its fields, of 100,000 characters at most. */
function rendered(entry: EventEntry, context: ComponentContext, step: Step = atOnce): string {
  const [name, properties] = step('properties', () => eventComponent(entry, context));
  const isLong =
    properties.reduce((length, [, , , value]) => length + String(value).length, 0) > longComponent;
  const lines = properties.map((property, index) =>
    isLong ? step(`property ${index}`, () => lineOf(property)) : lineOf(property),
  );
  const type = name.toUpperCase();
  return [zoneOf(entry) ?? '', `\nBEGIN:${type}\r\n`, ...lines, `END:${type}\r\n`].join('');
}

/** Characters of a component whose properties are written in steps of their own. */
const longComponent = 20_000;

/** Writes a property, in lines of 75 bytes at most. */
function lineOf(property: Property): string {
  return `${ICAL.stringify.property(property, ICAL.design.icalendar, false)}\r\n`;
}

function parts(component: string): readonly [zone: string, text: string] {
  const end = component.indexOf('\n');
  return [component.slice(0, end), component.slice(end + 1)];
}

/** Returns what renders events, each once for its state and in slices. */
function componentsIn(context: ReadContext): (entry: EventEntry) => string {
  const { renderer, pace } = context;
  return (entry) => {
    const state = componentState(entry, context);
    const step: Step = (what, work) => pace.once(`${what} ${state}`, entry, work);
    return renderer.components.of(entry, () => rendered(entry, context, step), state);
  };
}

/** Returns the rules of a time zone. The library has them under the name of the zone that a link leads to. */
function zoneText(zone: string): string {
  const cached = zones.get(zone);
  if (cached !== undefined) return cached;
  const [block = ''] = tzlib_get_ical_block(zone);
  const component = ICAL.parse(block.replace(/^TZID:.*$/m, `TZID:${zone}`)) as unknown as Component;
  const text = ICAL.stringify(component);
  zones.set(zone, text);
  return text;
}
