/** The page of one event. */

import { plainText, scriptSafeJson } from '../../shared/calendar/model/text/html.ts';
import type { EventView, VenueView } from './calendar-read.ts';
import { descriptionOf, venuesOf, whenOf } from './calendar-text.ts';
import { addressOf, Contact, Html, mapUrl } from './contact.tsx';
import type { PageLanguage } from './negotiate.ts';
import type { Places } from './places.ts';
import { words } from './words.ts';

export interface EventProps {
  readonly event: EventView;
  readonly places: Places;
  readonly language: PageLanguage;
  /** The query that keeps the language. */
  readonly query: string;
}

/** The linked data and cards of an event, for programs that read pages. */
export function EventHead({ event, places, language }: EventProps) {
  const title = plainText(event.title);
  const url = `${places.url}/event/${event.slug}/`;
  const image = typeof event.image === 'object' ? event.image.url : undefined;
  const data = { __html: scriptSafeJson(event.json_ld ?? {}) };
  return (
    <>
      <link rel="canonical" href={url} />
      <link
        rel="alternate"
        type="text/calendar"
        title={title}
        href={`${places.calendar}/events/${event.id}.ics`}
      />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={descriptionOf(event)} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={{ en: 'en_GB', da: 'da_DK', sv: 'sv_SE' }[language]} />
      {image && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      {/* Data, which no browser runs: nothing in it can end the element. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={data} />
    </>
  );
}

export function Event(props: EventProps) {
  const { event, places, language, query } = props;
  const word = words(language);
  const venues = venuesOf(event);
  const { site } = places;
  return (
    <article>
      <h1>{plainText(event.title)}</h1>
      {typeof event.image === 'object' && <img src={event.image.url} alt="" />}
      <dl>
        <dt>{word('when')}</dt>
        <dd>
          <time dateTime={`${event.utc_start_date.replace(' ', 'T')}Z`}>{whenOf(event, language)}</time>
        </dd>
        {venues.length > 0 && <dt>{word('where')}</dt>}
        {venues.map((venue) => (
          <dd key={venue.id}>
            <a href={`${site}/venue/${venue.slug}/${query}`}>{plainText(venue.venue)}</a> {addressOf(venue)}{' '}
            <MapLink venue={venue} text={word('map')} />
          </dd>
        ))}
        {event.cost && <dt>{word('cost')}</dt>}
        {event.cost && <dd>{event.cost === 'Free' ? word('free') : plainText(event.cost)}</dd>}
        {event.organizer.length > 0 && <dt>{word('organizer')}</dt>}
        {event.organizer.map((organizer) => (
          <dd key={organizer.id}>
            <a href={`${site}/organizer/${organizer.slug}/${query}`}>{plainText(organizer.organizer)}</a>
          </dd>
        ))}
        <Terms {...props} />
        <Contact of={event.website === event.url ? {} : { website: event.website ?? '' }} word={word} />
      </dl>
      <Html text={event.description ?? ''} />
      <Actions {...props} />
    </article>
  );
}

function MapLink({ venue, text }: { readonly venue: VenueView; readonly text: string }) {
  const url = mapUrl(venue);
  return url === undefined ? null : <a href={url}>{text}</a>;
}

function Terms({ event: { categories, tags }, places: { site }, language }: EventProps) {
  const word = words(language);
  const group = (name: 'categories' | 'tags', terms: EventView['tags']) =>
    terms.map(({ id, slug, name: text }) => (
      <dd key={id}>
        <a href={`${site}/calendar?${name}=${slug}&translation_language=${language}`}>{plainText(text)}</a>
      </dd>
    ));
  return (
    <>
      {categories.length > 0 && <dt>{word('category')}</dt>}
      {group('categories', categories)}
      {tags.length > 0 && <dt>{word('tag')}</dt>}
      {group('tags', tags)}
    </>
  );
}

function Actions({ event, places, language }: EventProps) {
  const word = words(language);
  const language_ = language === 'en' ? '' : `?translation_language=${language}`;
  return (
    <p class="actions">
      <a href={`${places.calendar}/events/${event.id}.ics${language_}`} download={`${event.slug}.ics`}>
        {word('add')}
      </a>
      <a href={googleUrl(event)}>{word('addGoogle')}</a>
      <a href={`${places.site}/calendar#subscribe`}>{word('subscribe')}</a>
    </p>
  );
}

function googleUrl(event: EventView): string {
  const [from, to] = event.all_day
    ? [event.start_date, dayAfter(event.end_date)].map((text) => text.slice(0, 10))
    : [event.utc_start_date, event.utc_end_date].map((text) => `${text.replace(' ', 'T')}Z`);
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: plainText(event.title),
    dates: `${from}/${to}`.replaceAll(/[-:]/g, ''),
    location: venuesOf(event).map(addressOf).join('; '),
    details: event.url,
  });
  return `https://calendar.google.com/calendar/render?${query}`;
}

function dayAfter(text: string): string {
  return new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString();
}
