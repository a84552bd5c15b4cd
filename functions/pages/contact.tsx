/** The pages of venues and organizers, and how to reach and find them. */

import { plainText, scriptSafeJson } from '../../shared/calendar/model/text/html.ts';
import type { EventView, OrganizerView, VenueView } from './calendar-read.ts';
import { EventList } from './event-list.tsx';
import type { PageLanguage } from './negotiate.ts';
import type { Places } from './places.ts';
import { type Word, words } from './words.ts';

/** HTML that was sanitized when it was stored. */
export function Html({ text }: { readonly text: string }) {
  return text === '' ? null : <div dangerouslySetInnerHTML={{ __html: text }} />;
}

export function addressOf({ address, zip, city, stateprovince, country }: VenueView): string {
  const town = [zip, city].filter(Boolean).join(' ');
  return [address, town, stateprovince, country].filter(Boolean).join(', ');
}

/** Returns the URL of a map with a venue; undefined where there is none to show. */
export function mapUrl(venue: VenueView): string | undefined {
  const { geo_lat, geo_lng, show_map_link } = venue;
  const address = addressOf(venue);
  if (!show_map_link) return undefined;
  if (geo_lat !== undefined && geo_lng !== undefined)
    return `https://www.openstreetmap.org/?mlat=${geo_lat}&mlon=${geo_lng}#map=17/${geo_lat}/${geo_lng}`;
  return address === ''
    ? undefined
    : `https://www.openstreetmap.org/search?${new URLSearchParams({ query: address })}`;
}

interface ContactProps {
  readonly of: { readonly website?: string; readonly phone?: string; readonly email?: string };
  readonly word: (word: Word) => string;
}

/** Ways to reach somebody, as parts of a list of terms and details. */
export function Contact({ of: { website, phone, email }, word }: ContactProps) {
  return (
    <>
      {website && <dt>{word('website')}</dt>}
      {website && (
        <dd>
          <a href={website} rel="nofollow">
            {website}
          </a>
        </dd>
      )}
      {phone && <dt>{word('phone')}</dt>}
      {phone && (
        <dd>
          <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>
        </dd>
      )}
      {email && <dt>{word('email')}</dt>}
      {email && (
        <dd>
          <a href={`mailto:${email}`}>{email}</a>
        </dd>
      )}
    </>
  );
}

export interface ContactPageProps {
  readonly kind: 'venue' | 'organizer';
  readonly record: VenueView | OrganizerView;
  readonly events: readonly EventView[];
  readonly places: Places;
  readonly language: PageLanguage;
  readonly query: string;
}

export function nameOf(record: VenueView | OrganizerView): string {
  return plainText('venue' in record ? record.venue : record.organizer);
}

export function ContactHead({ kind, record, places }: ContactPageProps) {
  const data = { '@context': 'http://schema.org', ...record.json_ld };
  return (
    <>
      <link rel="canonical" href={`${places.url}/${kind}/${record.slug}/`} />
      <meta property="og:title" content={nameOf(record)} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={`${places.url}/${kind}/${record.slug}/`} />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptSafeJson(data) }} />
    </>
  );
}

/** The page of a venue or organizer, with its upcoming events. */
export function ContactPage({ kind, record, events, places, language, query }: ContactPageProps) {
  const word = words(language);
  const isVenue = 'venue' in record;
  const map = isVenue ? mapUrl(record) : undefined;
  const feed = `${new URL(places.url).origin}${places.calendar}/events.ics?${kind}=${record.id}`;
  return (
    <>
      <h1>{nameOf(record)}</h1>
      <dl>
        {isVenue && <dt>{word('where')}</dt>}
        {isVenue && (
          <dd>
            {addressOf(record)} {map && <a href={map}>{word('map')}</a>}
          </dd>
        )}
        <Contact of={record} word={word} />
      </dl>
      <Html text={record.description ?? ''} />
      <h2>{word('upcoming')}</h2>
      <EventList {...{ events, places, language, query }} />
      <p class="actions">
        <a href={feed.replace(/^https?:/, 'webcal:')}>{word('subscribe')}</a>
      </p>
    </>
  );
}
