/** Events as iCalendar (RFC 5545, RFC 7986), for calendar programs. Load it on first use: its libraries are large. */

import { hash } from 'node:crypto';
import { basename } from 'node:path';
import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { createCache } from '../../../../shared/cache.ts';
import { CodedError } from '../../../../shared/errors.ts';
import { logCutFeed } from '../../../../shared/telemetry/log.ts';
import { cancelled, has, type Readable } from '../../model/rights.ts';
import type { Language } from '../../model/values.ts';
import type { EventEntry } from '../../replica/entries.ts';
import { findPost, type RecordRef } from '../../replica/find.ts';
import { readablePost } from '../items.ts';
import { joinTexts } from '../join-texts.ts';
import { feedQuery, maxFeedEvents, mustBeListed } from '../lists.ts';
import type { FoundEvents, Page } from '../page.ts';
import type { EventFile, EventText, Feed, FeedPage, ReadContext } from '../read-context.ts';
import { rendered } from '../text-cache.ts';
import {
  type Component,
  type ComponentContext,
  componentState,
  describedIn,
  eventComponent,
  type Property,
  zoneOf,
} from './event-component.ts';

/** Characters of the descriptions of a page, at most: of each event it has that part, and the whole where the event is read alone. */
const maxDescriptions = 16 * 2 ** 20;

/** Characters of a description that every page has. */
const shortestCut = Math.floor(maxDescriptions / maxFeedEvents);

/** The interval at which programs should check for changes. */
const refreshInterval = 'PT1H';

/** The library counts the octets of a continued line without the space that it begins with; a line has 75 at most (RFC 5545 3.1). */
ICAL.foldLength = 74;

/** Names the code that renders. In the built app the name of its file contains a hash. */
const renderedBy = basename(import.meta.url);

/** Zones whose rules are cached, at most. Each has some kilobytes. */
const maxZones = 200;
const zones = createCache<string, string>({ maxEntries: maxZones });

/**
 * Returns a page of the events of a list as an iCalendar feed, with recently deleted events as cancelled; returns only its tag when the
 * caller has that page. An empty page above 1 is 404.
 */
export function eventFeed(context: ReadContext): Feed {
  const { parameters, pages, replica, root, site, ifNoneMatch = [], ifModifiedSince = -1 } = context;
  const { cacheKey, dayBegan, find } = feedQuery(context);
  const { password } = parameters;
  const version = [renderedBy, replica.state, site.url, site.name, root, site.zone.name, password, cacheKey];
  // Weak, since a feed goes out compressed too.
  const name = `"${hash('sha1', JSON.stringify(version), 'base64url')}"`;
  const etag = `W/${name}`;
  const isOfNow = (instant: number) =>
    JSON.stringify(feedQuery({ ...context, now: instant }).cacheKey) === JSON.stringify(cacheKey);
  const modified = lastModified(context, dayBegan);
  // A window of instants, such as what is over by now, moves with the clock.
  const isKnown = modified !== undefined && isOfNow(modified);
  const names = { etag, ...(isKnown ? { lastModified: modified } : {}) };
  if (ifNoneMatch === '*' || ifNoneMatch.some((tag) => tag.replace(/^W\//, '') === name)) return names;
  if (isKnown && modified <= ifModifiedSince) return names;
  const make = () => pageOf(find(), context);
  if (Object.hasOwn(parameters, 'password')) return { ...names, page: make() };
  const page = pages.of({
    revision: replica.revision,
    cacheKey: ['feed', site.url, root, cacheKey],
    make,
    bytesOf: ({ bytes }) => bytes.length,
  });
  return { ...names, page };
}

/** Returns the instant since which nothing has changed by a write or by the clock, in seconds; undefined where it is not known. */
function lastModified({ replica, now, changedAt }: ReadContext, dayBegan = 0): number | undefined {
  return changedAt === undefined
    ? undefined
    : Math.min(now, Math.max(changedAt, replica.publishedAt, dayBegan));
}

/** Returns an event as iCalendar; one that was deleted while published is cancelled. The other checks are those of reading the record. */
export function eventFile(ref: RecordRef, context: ReadContext): EventFile {
  const lookup = findPost('event', ref, 'read', context);
  const event = cancelledEvent(ref, context) ?? (readablePost(lookup, context) as Readable<EventEntry>);
  const modified = lastModified(context);
  return {
    text: textOf(calendarParts([event], context, componentsIn(context))),
    ...(modified === undefined ? {} : { lastModified: modified }),
  };
}

function cancelledEvent(ref: RecordRef, context: ReadContext): Readable<EventEntry> | undefined {
  const { replica, caller, isUnlocked } = context;
  const events = replica.posts.event;
  const entry = 'id' in ref ? events.get(ref.id) : events.withSlug(ref.slug);
  return entry && cancelled(caller, entry, isUnlocked);
}

function pageOf({ items, page, total, totalPages }: Page<EventEntry>, context: ReadContext): FeedPage {
  if (items.length === 0 && page > 1)
    throw new CodedError('event-archive-page-not-found', 'Cannot show the page: there is nothing on it.');
  const { caller, isUnlocked } = context;
  const shown = items.map((entry) => cancelled(caller, entry, isUnlocked) ?? mustBeListed(entry, context));
  if (totalPages > 1 && page === 1) noteCutFeed(total, context);
  const note = totalPages > 1 ? cutNote({ items, total }, context.language) : undefined;
  const maxDescription = Math.floor(maxDescriptions / Math.max(1, items.length));
  const { head, events, end } = calendarParts(shown, context, componentsIn(context, maxDescription), note);
  return { bytes: joinTexts(head, events, end), total, totalPages };
}

/** What a feed says that has not all events of its list, in the languages of the calendar. */
const cutNotes: Readonly<Record<Language | 'en', (shown: string, total: string) => string>> = {
  en: (shown, total) =>
    `This feed has ${shown} of ${total} events: those to come first, then the latest that are over.`,
  da: (shown, total) =>
    `Denne kalender har ${shown} af ${total} arrangementer: først de kommende, så de seneste, der er forbi.`,
  sv: (shown, total) =>
    `Den här kalendern har ${shown} av ${total} evenemang: först de kommande, sedan de senaste som är över.`,
};

function cutNote({ items, total }: FoundEvents, language: Language | undefined): string {
  const digits = new Intl.NumberFormat(language ?? 'en');
  const shown = items.filter(({ status }) => status !== 'trash').length;
  return cutNotes[language ?? 'en'](digits.format(shown), digits.format(total));
}

/** Tells the operator, once for each size of a feed, that a feed has not all of its events. */
const toldSizes = createCache<string, true>({ maxEntries: 100 });

function noteCutFeed(total: number, { parameters }: ReadContext): void {
  const filters = Object.keys(parameters).sort().join(' ');
  const name = `${total} ${filters}`;
  if (toldSizes.get(name)) return;
  toldSizes.set(name, true);
  logCutFeed({ events: total, maximum: maxFeedEvents, filters });
}

function textOf({ head, events, end }: CalendarParts): string {
  return [head, ...events.map(({ text }) => text), end].join('');
}

/** Returns events as iCalendar. */
export function calendarText(shown: readonly Readable<EventEntry>[], context: ComponentContext): string {
  return textOf(calendarParts(shown, context, (readable) => componentOf(readable, context)));
}

/** The parts of an iCalendar text. */
interface CalendarParts {
  readonly head: string;
  readonly events: readonly EventText[];
  readonly end: string;
}

function calendarParts(
  shown: readonly Readable<EventEntry>[],
  { site }: ComponentContext,
  render: (readable: Readable<EventEntry>) => EventText,
  note?: string,
): CalendarParts {
  const { hostname } = new URL(site.url);
  const name = site.name || hostname;
  const properties: Property[] = [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', `-//${hostname}//events compatible with ECPv6.0.0//EN`],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', 'PUBLISH'],
    ['name', {}, 'unknown', name],
    ['x-wr-calname', {}, 'unknown', name],
    ...(note === undefined
      ? []
      : [['description', {}, 'text', note] as Property, ['x-wr-caldesc', {}, 'unknown', note] as Property]),
    ['x-wr-timezone', {}, 'unknown', site.zone.name],
    ['refresh-interval', {}, 'duration', refreshInterval],
    ['x-published-ttl', {}, 'unknown', refreshInterval],
  ];
  const events = shown.map(render);
  const zones = new Set(events.map(({ zone }) => zone));
  const end = 'END:VCALENDAR\r\n';
  const start = `BEGIN:VCALENDAR\r\n${properties.map(lineOf).join('')}`;
  const rules = [...zones].filter((zone) => zone !== undefined).map(zoneText);
  return { head: [start, ...rules].join(''), events, end };
}

/** Renders an event. */
function componentOf(readable: Readable<EventEntry>, context: ComponentContext): EventText {
  const [name, properties] = eventComponent(readable, context);
  const type = name.toUpperCase();
  const text = [`BEGIN:${type}\r\n`, ...properties.map(lineOf), `END:${type}\r\n`].join('');
  return { ...rendered(text), zone: zoneOf(readable.entry) };
}

/** Characters that no text of iCalendar has: all control characters but the tab, and line breaks, which are written as escapes (RFC 5545 3.3.11). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is dropped
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Writes a property, in lines of 75 bytes at most. */
function lineOf([name, parameters, type, ...values]: Property): string {
  const written: Property = [
    name,
    Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, text.replace(controls, '')])),
    type,
    ...values.map((value) => (typeof value === 'string' ? value.replace(controls, '') : value)),
  ];
  return `${ICAL.stringify.property(written, ICAL.design.icalendar, false)}\r\n`;
}

/** Creates the function that renders events, each once for its state, and as many as one turn may. */
function componentsIn(
  readContext: ReadContext,
  maxDescription = Number.POSITIVE_INFINITY,
): (readable: Readable<EventEntry>) => EventText {
  const context = { ...readContext, maxDescription };
  const { renderer, caller, parameters, replica, turns } = context;
  const isPublic = !has('contributor', caller) && !Object.hasOwn(parameters, 'password');
  const revision = isPublic ? replica.revision : Number.NaN;
  // What a feed of many events cuts is another text in the next one, of the same revision.
  const mayBeCut = (entry: EventEntry) => describedIn(entry, context).length > shortestCut;
  return (readable) =>
    renderer.components.of(readable.entry, mayBeCut(readable.entry) ? Number.NaN : revision, {
      stateOf: () => componentState(readable, context),
      make: (entry, state) => turns.of(entry, state, () => componentOf(readable, context)),
    });
}

/** Returns the rules of a time zone. The library resolves links between zones, so the name is replaced. */
function zoneText(zone: string): string {
  const cached = zones.get(zone);
  if (cached !== undefined) return cached;
  const [block = ''] = tzlib_get_ical_block(zone);
  const component = ICAL.parse(block.replace(/^TZID:.*$/m, `TZID:${zone}`)) as unknown as Component;
  const text = ICAL.stringify(component);
  zones.set(zone, text);
  return text;
}
