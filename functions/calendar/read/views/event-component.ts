/** One event as a component of iCalendar, in the form of jCal (RFC 7265). */

import { tzlib_get_ical_block, tzlib_get_offset } from 'timezones-ical-library';
import { createCache } from '../../../../shared/cache.ts';
import { formatWall, readWall, secondsOfDay, startOfDay } from '../../model/dates/wall.ts';
import { regionOf } from '../../model/fields/contact.ts';
import { imageUrl } from '../../model/image-url.ts';
import type { EventRecord } from '../../model/records.ts';
import { mayRead, type Readable } from '../../model/rights.ts';
import { withAbsoluteAddresses } from '../../model/text/absolute-addresses.ts';
import { descriptionText } from '../../model/text/description-text.ts';
import { withOwnAddresses } from '../../model/text/own-addresses.ts';
import { plainText } from '../../model/text/plain-text.ts';
import { textIn } from '../../model/text/render-text.ts';
import { type LinkedKind, linkedId, type StateOfLog } from '../../model/values.ts';
import type { EventEntry, OrganizerEntry, PostEntry, VenueEntry } from '../../replica/entries.ts';
import type { ReplicaContext } from '../../replica/find.ts';
import { globalId, pageUrl } from './views.ts';

export type Property = [
  name: string,
  parameters: Readonly<Record<string, string>>,
  type: string,
  ...values: unknown[],
];
/** What a component is made from. */
export type ComponentContext = Omit<ReplicaContext, 'caller'> & {
  /** Characters of the HTML of a description, at most: of a longer one its beginning is shown. Default: all. */
  readonly maxDescription?: number;
};

export type Component = [name: string, properties: Property[], components: Component[]];

/** Zones for which it is cached whether the library has them. */
const maxZones = 1000;
const rules = createCache<string, { readonly isThere: boolean }>({ maxEntries: maxZones });

/**
 * Returns the component of an event. That of a deleted event says only what is cancelled, and that of an event with a password only what takes
 * place, and when.
 */
export function eventComponent(readable: Readable<EventEntry>, context: ComponentContext): Component {
  const { entry } = readable;
  const { record, status } = entry;
  const isCancelled = status === 'trash';
  const { version, utc } = latestState(readable, context);
  const modified = dateTime(readWall(utc));
  const properties: Property[] = [
    ['uid', {}, 'text', globalId(context.site, record.id)],
    ['dtstamp', {}, 'date-time', modified],
    ['created', {}, 'date-time', dateTime(readWall(record.date_utc))],
    ['last-modified', {}, 'date-time', modified],
    ['sequence', {}, 'integer', version],
    ['status', {}, 'text', statusOf(entry)],
    ...times(entry),
    ...(record.renamed_in_trash === true
      ? []
      : [['summary', {}, 'text', plainText(textIn(record, 'title', context.language))] as Property]),
    ...(isCancelled ? [] : published(readable, context)),
  ];
  return ['vevent', properties, []];
}

/** Returns the status of iCalendar (RFC 5545 3.8.1.11), which has no word for what moved or is sold out. */
function statusOf({ record, status }: EventEntry): string {
  if (status === 'trash' || record.event_status === 'canceled') return 'CANCELLED';
  return status === 'publish' && record.event_status !== 'postponed' ? 'CONFIRMED' : 'TENTATIVE';
}

function published(readable: Readable<EventEntry>, context: ComponentContext): Property[] {
  const { entry, isHidden } = readable;
  return [['url', {}, 'uri', pageUrl(context.site, entry)], ...(isHidden ? [] : details(readable, context))];
}

/** Names what the component of an event depends on beside the event itself. */
export function componentState(readable: Readable<EventEntry>, context: ComponentContext): string {
  const venue = firstReadable('venue', readable, context);
  const organizer = firstReadable('organizer', readable, context);
  const { version } = latestState(readable, context);
  const { maxDescription = Number.POSITIVE_INFINITY } = context;
  const cut = describedIn(readable.entry, context).length > maxDescription ? maxDescription : 'whole';
  const { revision } = context.replica.terms;
  return [venue?.serial, organizer?.serial, revision, readable.isHidden, version, cut].join(' ');
}

/** Returns what describes an event, as HTML. */
export function describedIn({ record }: EventEntry, { language }: ComponentContext): string {
  return textIn(record, 'description', language) || textIn(record, 'excerpt', language);
}

/** Returns the beginning of HTML, without a tag, a reference or a character that it ends within. */
function beginningOf(html: string, length: number): string {
  return html
    .slice(0, length)
    .replace(/<[^<>]*$/, '')
    .replace(/&[^&;\s]{0,40}$/, '')
    .replace(/[\ud800-\udbff]$/, '');
}

/**
 * Returns the latest state of what a component shows: of the event, and of its venues, organizers, categories and picture. It never goes back,
 * and is the same in every process: a new link is a change of the event, and what is taken from readers keeps the state in which it was.
 */
function latestState(
  { entry, caller, isHidden }: Readable<EventEntry>,
  { replica }: ComponentContext,
): StateOfLog {
  const { record, version, status } = entry;
  const own = { version, utc: record.modified_utc };
  if (status === 'trash' || isHidden) return own;
  const linked = (['venue', 'organizer'] as const).flatMap((kind) =>
    (record[kind] ?? []).map((link): StateOfLog | undefined => {
      const contact: VenueEntry | OrganizerEntry | undefined = replica.posts[kind].get(linkedId(link));
      if (contact === undefined) return undefined;
      const isShown = contact.status !== 'trash' && mayRead(caller, contact as PostEntry);
      return isShown
        ? { version: contact.version, utc: contact.record.modified_utc }
        : contact.record.hidden_since;
    }),
  );
  const terms = (record.categories ?? []).map((id) => replica.terms.get(id) ?? replica.terms.signpost(id));
  const image = record.image === undefined ? undefined : replica.image(record.image);
  const shown = [...terms, image].map((item) => item?.shown_since);
  return [...linked, ...shown].reduce<StateOfLog>(
    (latest, state) => (state !== undefined && state.version > latest.version ? state : latest),
    own,
  );
}

/** The first venue or organizer of an event that the caller may read. */
function firstReadable<K extends LinkedKind>(
  kind: K,
  { entry: { record }, caller }: Readable<EventEntry>,
  { replica }: ComponentContext,
) {
  return replica.linked(kind, record[kind]).find((linked) => mayRead(caller, linked as PostEntry));
}

/**
 * Returns the IANA zone whose local times an event is written in. Undefined for an event written in UTC: one of whole days, in UTC or at a
 * fixed offset, or at a time when the rules of the zone differed from today's.
 */
export function zoneOf({ record }: EventEntry): string | undefined {
  const { timezone } = record;
  if (record.all_day === true || !hasRules(timezone)) return undefined;
  const isAsNow =
    isByRules(timezone, record.start_date, record.utc_start_date) &&
    isByRules(timezone, record.end_date, record.utc_end_date);
  return isAsNow ? timezone : undefined;
}

function hasRules(zone: string): boolean {
  const cached = rules.get(zone);
  if (cached !== undefined) return cached.isThere;
  const isThere = zone.includes('/') && !zone.startsWith('Etc/') && Array.isArray(tzlib_get_ical_block(zone));
  rules.set(zone, { isThere });
  return isThere;
}

function isByRules(zone: string, wall: string, utc: string): boolean {
  const offset = tzlib_get_offset(zone, wall.slice(0, 10), wall.slice(11, 16));
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(offset) ?? [];
  const seconds = (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
  return seconds === readWall(wall) - readWall(utc);
}

/** Whole days are dates; their end is the day after the last. */
function times(entry: EventEntry): Property[] {
  const { record, start, end } = entry;
  if (record.all_day === true) return wholeDays(record);
  const tzid = zoneOf(entry);
  const parameters = tzid === undefined ? {} : { tzid };
  const toValue = (instant: number, wall: string) =>
    tzid === undefined ? dateTime(instant) : wall.replace(' ', 'T');
  return [
    ['dtstart', parameters, 'date-time', toValue(start, record.start_date)],
    ['dtend', parameters, 'date-time', toValue(end, record.end_date)],
  ];
}

function wholeDays({ start_date, end_date }: EventRecord): Property[] {
  const next = formatWall(startOfDay(readWall(end_date)) + secondsOfDay);
  return [
    ['dtstart', {}, 'date', start_date.slice(0, 10)],
    ['dtend', {}, 'date', next.slice(0, 10)],
  ];
}

function details(readable: Readable<EventEntry>, context: ComponentContext): Property[] {
  const { entry } = readable;
  const { record } = entry;
  const { replica, language, maxDescription = Number.POSITIVE_INFINITY } = context;
  const whole = describedIn(entry, context);
  const isCut = whole.length > maxDescription;
  const description = isCut ? beginningOf(whole, maxDescription) : whole;
  const shown = withAbsoluteAddresses(
    withOwnAddresses(description, context.root, (id) => replica.image(id)),
    pageUrl(context.site, entry),
  );
  const venue = firstReadable('venue', readable, context);
  const categories = (record.categories ?? []).map((id) => replica.terms.get(id));
  const names = categories
    .filter((term) => term !== undefined)
    .map((term) => plainText(textIn(term, 'name', language)));
  const image = record.image === undefined ? undefined : replica.image(record.image);
  return [
    ...(description === ''
      ? []
      : [['description', {}, 'text', descriptionText(shown) + (isCut ? ' …' : '')] as Property]),
    ...(names.length === 0 ? [] : [['categories', {}, 'text', ...names] as Property]),
    ...(venue === undefined ? [] : place(venue, context)),
    ...organizer(readable, context),
    ...(image === undefined
      ? []
      : [['image', { display: 'BADGE' }, 'uri', imageUrl(image, context.root)] as Property]),
  ];
}

function place({ record }: VenueEntry, { language }: ComponentContext): Property[] {
  const { address, zip, city, country, geo_lat: lat, geo_lng: lng } = record;
  const town = [zip, city].filter(Boolean).join(' ');
  const name = plainText(textIn(record, 'title', language));
  const lines = [name, address, town, regionOf(record), country].filter(Boolean);
  const location: Property = ['location', {}, 'text', plainText(lines.join(', '))];
  return lat === undefined || lng === undefined
    ? [location]
    : [location, ['geo', {}, 'float', [lat, lng].map(toSixDecimals)]];
}

/** Rounds degrees to the six decimals of GEO (RFC 5545 3.8.1.6), whose numbers have no exponent and no negative zero. */
function toSixDecimals(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6 + 0;
}

/** The first organizer that the caller may read. One without an e-mail address is named by its page. */
function organizer(readable: Readable<EventEntry>, context: ComponentContext): Property[] {
  const { language, site } = context;
  const first = firstReadable('organizer', readable, context);
  if (first === undefined) return [];
  const { email } = first.record;
  const cn = plainText(textIn(first.record, 'title', language));
  const isAddress = email !== undefined && /^[^\s@<>]+@[^\s@<>]+$/.test(email);
  return [['organizer', { cn }, 'cal-address', isAddress ? `mailto:${email}` : pageUrl(site, first)]];
}

function dateTime(instant: number): string {
  return `${formatWall(instant).replace(' ', 'T')}Z`;
}
