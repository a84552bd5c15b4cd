/** The page of an event, venue or organizer: for people, and for programs that read pages. */

import { type ComponentChildren, toChildArray } from 'preact';
import { plainText, scriptSafeJson } from '../../shared/calendar/model/text/html.ts';
import type { PostKind } from '../../shared/calendar/model/values.ts';
import type { ContactView, EventView, Reader } from './calendar-read.ts';
import type { PageContext } from './context.ts';
import { upcoming, venuesOf, whenOf } from './events.tsx';
import type { Page } from './page.tsx';
import type { Word } from './words.ts';

export async function recordPage(
  { context, read, list }: Reader,
  kind: PostKind,
  slug: string,
): Promise<Page> {
  const { origin, siteUrl, calendar, language } = context;
  const { value: record, version } = await read(kind, slug);
  const { name = '', description: text = '' } = record.json_ld ?? {};
  const title = plainText(name);
  const description = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  const image = typeof record.image === 'object' ? record.image.url : undefined;
  const url = `${siteUrl}/${kind}/${record.slug}/`;
  const data = { __html: scriptSafeJson({ '@context': 'http://schema.org', ...record.json_ld }) };
  const head = (
    <>
      <link rel="canonical" href={url} />
      {kind === 'event' && (
        <link
          rel="alternate"
          type="text/calendar"
          title={title}
          href={`${calendar}/events/${record.id}.ics`}
        />
      )}
      <meta property="og:type" content={kind === 'event' ? 'article' : 'website'} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={{ en: 'en_GB', da: 'da_DK', sv: 'sv_SE' }[language]} />
      {image && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      {/* Data, which no browser runs: nothing in it can end the element. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={data} />
    </>
  );
  const feed = `${origin}${calendar}/events.ics?${kind}=${record.id}`;
  const subscribe: Link = [feed.replace(/^https?:/, 'webcal:'), context.word('subscribe')];
  const links = 'title' in record ? eventLinks(record, context) : [subscribe];
  const children = (
    <article>
      {image && <img src={image} alt="" />}
      <dl>{detailsOf(record, context)}</dl>
      {/* It was sanitized when it was stored. */}
      {record.description && <div dangerouslySetInnerHTML={{ __html: record.description }} />}
      {kind !== 'event' &&
        upcoming((await list<EventView>('event', { [kind]: String(record.id) })).value, context)}
      <p>{links.map(([href, link, download]) => [<a {...{ href, download }}>{link}</a>, '\u2003'])}</p>
    </article>
  );
  return { title, description, head, children, version };
}

/** Returns what is known of a record as terms and details; terms of which nothing is known are left out. */
function detailsOf(record: EventView | ContactView, { site, query, language, word }: PageContext) {
  const [event, contact] = 'title' in record ? [record, undefined] : [undefined, record];
  const { phone, website } = record;
  const named = (kind: 'venue' | 'organizer', { slug, [kind]: name = '' }: ContactView) => (
    <a href={`${site}/${kind}/${slug}/${query}`}>{plainText(name)}</a>
  );
  const place = (venue: ContactView) => [addressOf(venue), ' ', mapLink(venue, word('map'))];
  const places = event && venuesOf(event).map((venue) => [named('venue', venue), ' ', place(venue)]);
  const terms = (name: 'categories' | 'tags') =>
    event?.[name].map(({ slug, name: text }) => (
      <a href={`${site}/calendar?${name}=${slug}&translation_language=${language}`}>{plainText(text)}</a>
    ));
  const details: Partial<Record<Word, ComponentChildren>> = {
    when: event && (
      <time dateTime={`${event.utc_start_date.replace(' ', 'T')}Z`}>{whenOf(event, language)}</time>
    ),
    where: places?.map((place) => <span>{place}</span>) ?? (contact?.venue && <span>{place(contact)}</span>),
    cost: event?.cost === 'Free' ? word('free') : plainText(event?.cost ?? ''),
    organizer: event?.organizer.map((item) => named('organizer', item)),
    category: terms('categories'),
    tag: terms('tags'),
    website: website !== record.url && website && <a href={website} rel="nofollow" children={website} />,
    phone: phone && <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>,
    email: contact?.email && <a href={`mailto:${contact.email}`}>{contact.email}</a>,
  };
  return Object.entries(details).flatMap(([term, detail]) => {
    const shown = toChildArray(detail).filter((item) => item !== '');
    return shown.length === 0 ? [] : [<dt>{word(term as Word)}</dt>, ...shown.map((item) => <dd>{item}</dd>)];
  });
}

function addressOf({ address, zip, city, stateprovince, country }: ContactView): string {
  const town = [zip, city].filter(Boolean).join(' ');
  return [address, town, stateprovince, country].filter(Boolean).join(', ');
}

/** Returns a link to a map, where a venue has one. */
function mapLink(venue: ContactView, text: string) {
  const { geo_lat: lat, geo_lng: lng, show_map_link: hasMap } = venue;
  const address = addressOf(venue);
  const isPlaced = lat !== undefined && lng !== undefined;
  if (!hasMap || (!isPlaced && address === '')) return undefined;
  const query = isPlaced
    ? `?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
    : `search?${new URLSearchParams({ query: address })}`;
  return <a href={`https://www.openstreetmap.org/${query}`}>{text}</a>;
}

type Link = readonly [href: string, text: string, download?: string];

/** Returns the links that add an event to another calendar. */
function eventLinks(event: EventView, { site, calendar, language, word }: PageContext): Link[] {
  const { all_day, start_date, end_date, utc_start_date, utc_end_date } = event;
  // The end of whole days is the day after the last, where a day of 24 hours ends.
  const dayAfter = new Date(`${end_date.slice(0, 10)}T24:00Z`).toISOString();
  const days = [start_date, dayAfter].map((text) => text.slice(0, 10));
  const times = [utc_start_date, utc_end_date].map((text) => `${text.replace(' ', 'T')}Z`);
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: plainText(event.title),
    dates: (all_day ? days : times).join('/').replaceAll(/[-:]/g, ''),
    location: venuesOf(event).map(addressOf).join('; '),
    details: event.url,
  });
  const query = language === 'en' ? '' : `?translation_language=${language}`;
  return [
    [`${calendar}/events/${event.id}.ics${query}`, word('add'), `${event.slug}.ics`],
    [`https://calendar.google.com/calendar/render?${google}`, word('addGoogle')],
    [`${site}/calendar#subscribe`, word('subscribe')],
  ];
}
