/** The pages of one event, venue or organizer. */

import { plainText, scriptSafeJson } from '../../shared/calendar/model/text/html.ts';
import type { EventView, OrganizerView, VenueView } from './calendar-read.ts';
import { usePage } from './context.ts';
import { Detail, EventList, Html, venuesOf, When } from './parts.tsx';

interface EventProps {
  readonly event: EventView;
}

export interface ContactProps {
  readonly kind: 'venue' | 'organizer';
  readonly contact: VenueView | OrganizerView;
  readonly events: readonly EventView[];
}

/** Returns the name of a venue or organizer. */
export function nameOf(contact: VenueView | OrganizerView): string {
  return plainText('venue' in contact ? contact.venue : contact.organizer);
}

/** Returns the first words of a record, as plain text. */
export function summaryOf({
  excerpt = '',
  description = '',
}: Partial<Pick<EventView, 'excerpt' | 'description'>>) {
  const text = plainText(excerpt || description);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

interface HeadProps {
  readonly path: string;
  readonly title: string;
  readonly record: EventView | VenueView | OrganizerView;
}

/** The linked data and cards of a record, for programs that read pages. */
export function RecordHead({ path, title, record }: HeadProps) {
  const { siteUrl, calendar, language } = usePage();
  const isEvent = 'title' in record;
  const summary = summaryOf(record);
  const image = typeof record.image === 'object' ? record.image.url : undefined;
  const data = { __html: scriptSafeJson({ '@context': 'http://schema.org', ...record.json_ld }) };
  const feed = `${calendar}/events/${record.id}.ics`;
  return (
    <>
      <link rel="canonical" href={siteUrl + path} />
      {isEvent && <link rel="alternate" type="text/calendar" title={title} href={feed} />}
      <meta property="og:type" content={isEvent ? 'article' : 'website'} />
      <meta property="og:title" content={title} />
      {summary && <meta property="og:description" content={summary} />}
      <meta property="og:url" content={siteUrl + path} />
      <meta property="og:locale" content={{ en: 'en_GB', da: 'da_DK', sv: 'sv_SE' }[language]} />
      {image && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      {/* Data, which no browser runs: nothing in it can end the element. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={data} />
    </>
  );
}

export function EventPage({ event }: EventProps) {
  const { site, query, language, word } = usePage();
  const terms = (name: 'categories' | 'tags') =>
    event[name].map(({ id, slug, name: text }) => (
      <a key={id} href={`${site}/calendar?${name}=${slug}&translation_language=${language}`}>
        {plainText(text)}
      </a>
    ));
  const venues = venuesOf(event).map((venue) => (
    <span key={venue.id}>
      <a href={`${site}/venue/${venue.slug}/${query}`}>{plainText(venue.venue)}</a> <Address venue={venue} />
    </span>
  ));
  const organizers = event.organizer.map(({ id, slug, organizer }) => (
    <a key={id} href={`${site}/organizer/${slug}/${query}`}>
      {plainText(organizer)}
    </a>
  ));
  return (
    <article>
      <h1>{plainText(event.title)}</h1>
      {typeof event.image === 'object' && <img src={event.image.url} alt="" />}
      <dl>
        <Detail term="when">
          <When event={event} />
        </Detail>
        <Detail term="where">{venues}</Detail>
        <Detail term="cost">{event.cost === 'Free' ? word('free') : plainText(event.cost)}</Detail>
        <Detail term="organizer">{organizers}</Detail>
        <Detail term="category">{terms('categories')}</Detail>
        <Detail term="tag">{terms('tags')}</Detail>
        <Reach of={event.website === event.url ? {} : { website: event.website ?? '' }} />
      </dl>
      <Html text={event.description} />
      <Actions event={event} />
    </article>
  );
}

function Actions({ event }: EventProps) {
  const { calendar, site, language, word } = usePage();
  const query = language === 'en' ? '' : `?translation_language=${language}`;
  return (
    <p class="actions">
      <a href={`${calendar}/events/${event.id}.ics${query}`} download={`${event.slug}.ics`}>
        {word('add')}
      </a>
      <a href={googleUrl(event)}>{word('addGoogle')}</a>
      <a href={`${site}/calendar#subscribe`}>{word('subscribe')}</a>
    </p>
  );
}

function googleUrl(event: EventView): string {
  const dayAfter = (text: string) => new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + 86_400_000);
  const dates = event.all_day
    ? [event.start_date, dayAfter(event.end_date).toISOString()].map((text) => text.slice(0, 10))
    : [event.utc_start_date, event.utc_end_date].map((text) => `${text.replace(' ', 'T')}Z`);
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: plainText(event.title),
    dates: dates.join('/').replaceAll(/[-:]/g, ''),
    location: venuesOf(event).map(addressOf).join('; '),
    details: event.url,
  });
  return `https://calendar.google.com/calendar/render?${query}`;
}

/** The page of a venue or organizer, with its upcoming events. */
export function ContactPage({ kind, contact, events }: ContactProps) {
  const { origin, calendar, word } = usePage();
  const feed = `${origin}${calendar}/events.ics?${kind}=${contact.id}`;
  return (
    <>
      <h1>{nameOf(contact)}</h1>
      <dl>
        {'venue' in contact && (
          <Detail term="where">
            <Address venue={contact} />
          </Detail>
        )}
        <Reach of={contact} />
      </dl>
      <Html text={contact.description} />
      <h2>{word('upcoming')}</h2>
      <EventList events={events} />
      <p class="actions">
        <a href={feed.replace(/^https?:/, 'webcal:')}>{word('subscribe')}</a>
      </p>
    </>
  );
}

function addressOf({ address, zip, city, stateprovince, country }: VenueView): string {
  const town = [zip, city].filter(Boolean).join(' ');
  return [address, town, stateprovince, country].filter(Boolean).join(', ');
}

/** Where a venue is, with a link to a map where it has one. */
function Address({ venue }: { readonly venue: VenueView }) {
  const { word } = usePage();
  const { geo_lat: lat, geo_lng: lng, show_map_link: hasMap } = venue;
  const address = addressOf(venue);
  const isPlaced = lat !== undefined && lng !== undefined;
  const query = isPlaced
    ? `?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
    : `search?${new URLSearchParams({ query: address })}`;
  const url = `https://www.openstreetmap.org/${query}`;
  return (
    <>
      {address} {hasMap && (isPlaced || address !== '') && <a href={url}>{word('map')}</a>}
    </>
  );
}

interface ReachProps {
  readonly of: { readonly website?: string; readonly phone?: string; readonly email?: string };
}

/** Ways to reach somebody, as parts of a list of details. */
function Reach({ of: { website, phone, email } }: ReachProps) {
  const number = phone?.replaceAll(/[^+\d]/g, '');
  return (
    <>
      <Detail term="website">{website && <a href={website} rel="nofollow" children={website} />}</Detail>
      <Detail term="phone">{phone && <a href={`tel:${number}`}>{phone}</a>}</Detail>
      <Detail term="email">{email && <a href={`mailto:${email}`}>{email}</a>}</Detail>
    </>
  );
}
