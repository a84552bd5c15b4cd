/** Records as linked data (schema.org), for search engines (docs/calendar-contract.md, "Linked data"). Descriptions are plain text. */

import { readCost } from '../../model/cost.ts';
import { readWall } from '../../model/dates/wall.ts';
import { regionOf } from '../../model/fields/contact.ts';
import type { EventStatus } from '../../model/for-browsers/event-status.ts';
import { imageUrl } from '../../model/image-url.ts';
import type { EventRecord, OrganizerRecord, VenueRecord } from '../../model/records.ts';
import type { Site } from '../../model/site.ts';
import { shownWebsite } from '../../model/text/own-pages.ts';
import { plainText } from '../../model/text/plain-text.ts';
import { renderTitle, textIn } from '../../model/text/render-text.ts';
import type { EventEntry } from '../../replica/entries.ts';
import { pageUrl, type ViewContext } from './views.ts';

/** The statuses of events by the names of schema.org. It knows no sold out event: the offer says so. */
const statusNames: Readonly<Record<EventStatus, string>> = {
  scheduled: 'EventScheduled',
  canceled: 'EventCancelled',
  postponed: 'EventPostponed',
  moved: 'EventRescheduled',
  'moved-online': 'EventMovedOnline',
  'sold-out': 'EventScheduled',
};

/** Returns the linked data of an event. */
export function eventJsonLd(entry: EventEntry, context: ViewContext) {
  const { record } = entry;
  const { replica, site, language } = context;
  const image = record.image === undefined ? undefined : replica.image(record.image);
  const [venue] = replica.linked('venue', record.venue);
  const [organizer] = replica.linked('organizer', record.organizer);
  const url = pageUrl(site, entry);
  const isOnline = record.event_status === 'moved-online';
  const price = priceOf(readCost(record.cost ?? [], site.currency).text);
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: renderTitle(textIn(record, 'title', language)),
    description: plainText(textIn(record, 'excerpt', language) || textIn(record, 'description', language)),
    ...(image === undefined ? {} : { image: imageUrl(image, context.root) }),
    url,
    eventAttendanceMode: `https://schema.org/${isOnline ? 'Online' : 'Offline'}EventAttendanceMode`,
    eventStatus: `https://schema.org/${statusNames[record.event_status ?? 'scheduled']}`,
    startDate: isoDate(record.start_date, record.utc_start_date),
    endDate: isoDate(record.end_date, record.utc_end_date),
    ...(venue === undefined ? {} : { location: venueJsonLd(venue.record, context) }),
    ...(organizer === undefined ? {} : { organizer: organizerJsonLd(organizer.record, context) }),
    ...(price === '' ? {} : { offers: offer(record, price, { url, site }) }),
    performer: 'Organization',
  };
}

/** Returns the linked data of a venue. */
export function venueJsonLd(record: VenueRecord, { language, site }: ViewContext) {
  const { address, city, zip, country, phone = '' } = record;
  const places = {
    streetAddress: address,
    addressLocality: city,
    addressRegion: regionOf(record),
    postalCode: zip,
    addressCountry: country,
  };
  return {
    '@type': 'Place',
    name: renderTitle(textIn(record, 'title', language)),
    description: plainText(textIn(record, 'description', language)),
    url: '',
    address: { '@type': 'PostalAddress', ...withoutEmptyTexts(places) },
    telephone: phone,
    sameAs: shownWebsite(record.website ?? '', site.url),
  };
}

/** Returns the linked data of an organizer. The e-mail address is written in entities, which keeps it from simple harvesters. */
export function organizerJsonLd(record: OrganizerRecord, { language, site }: ViewContext) {
  const { phone = '', email = '' } = record;
  const website = shownWebsite(record.website ?? '', site.url);
  return {
    '@type': 'Person',
    name: renderTitle(textIn(record, 'title', language)),
    description: plainText(textIn(record, 'description', language)),
    url: website,
    telephone: phone,
    email: email.replace(/./gsu, (character) => `&#${character.codePointAt(0)};`),
    sameAs: website,
  };
}

/** Returns a cost without symbols and words: `0` for what is free, empty when no amount is said. */
function priceOf(cost: string): string {
  return cost
    .replace('Free', '0')
    .replace(/[^\d.,\u2013 ]+/g, '')
    .trim();
}

function offer(
  record: EventRecord,
  price: string,
  { url, site }: { readonly url: string; readonly site: Site },
) {
  const registration = shownWebsite(record.registration_url ?? '', site.url);
  return {
    '@type': 'Offer',
    price,
    priceCurrency: record.currency_code || site.currency.code,
    url: registration || url,
    category: 'primary',
    availability: record.event_status === 'sold-out' ? 'soldOut' : 'inStock',
    validFrom: `${record.date.slice(0, 10)}T00:00:00+00:00`,
  };
}

/** Writes a date in ISO 8601 with the offset of the event's zone. */
function isoDate(wall: string, utc: string): string {
  const seconds = readWall(wall) - readWall(utc);
  const minutes = Math.round(Math.abs(seconds) / 60);
  const offset = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${wall.replace(' ', 'T')}${seconds < 0 ? '-' : '+'}${offset.join(':')}`;
}

function withoutEmptyTexts(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
