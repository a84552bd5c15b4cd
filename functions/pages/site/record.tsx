/** The page of an event, venue or organizer: for people, and for programs that read pages. */

import { encode } from 'uqr';
import type { SeriesView } from '../../calendar/model/fields/views.ts';
import { scriptSafeJson } from '../../calendar/model/text/html.ts';
import type { PostKind } from '../../calendar/model/values.ts';
import type { Page } from '../common/page.tsx';
import type { ColorOf } from '../common/views/colors.ts';
import { capital, repetitionOf } from '../common/views/repetition.ts';
import { type ContactView, type EventView, langOf, pictureOf, venuesOf } from '../common/views/types.ts';
import { instantOf, shortWhenOf, textOfTime } from '../common/views/when.ts';
import type { Word } from '../common/views/words.ts';
import { farFuture, firstOfEachTitle, fromNow } from './event-lists.ts';
import type { Reader } from './reader.ts';
import { Article } from './views/article.tsx';
import { EventCard, pathOf, seriesOf } from './views/events.tsx';

/** Events beside one of the same time, at most, and events that are like one. */
const maxNeighbours = 50;
const maxRelated = 3;
/** Coming events of its categories, at most, from which the related ones are taken. */
const maxCandidates = 50;
/** Other dates of an event, at most; its series goes on in the calendar. */
const maxDates = 12;

const icalendar = { rel: 'alternate', type: 'text/calendar' } as const;

export async function recordPage(reader: Reader, kind: PostKind, slug: string): Promise<Page> {
  const { context, read, list, categories } = reader;
  const { origin, siteUrl, calendar, plain, word } = context;
  const [{ value: record, version }, { colorOf, colors }] = await Promise.all([
    read(kind, slug),
    categories(),
  ]);
  const { name = '', description: text = '' } = record.json_ld ?? {};
  const title = plain(name);
  const description = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  const picture = pictureOf(record);
  const data = { __html: scriptSafeJson({ '@context': 'http://schema.org', ...record.json_ld }) };
  const isEvent = 'title' in record;
  const head = (
    <>
      {isEvent && <link {...icalendar} href={`${calendar}/events/${record.id}.ics`} title={title} />}
      {/* Data, which no browser runs: nothing in it can end the element. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={data} />
    </>
  );
  const address = `${siteUrl}/${kind}/${record.slug}/`;
  const map = mapOf(record, reader);
  const feed = isEvent ? {} : { feed: `${origin}${calendar}/events.ics?${kind}=${record.id}` };
  const coming = isEvent ? undefined : await list('event', { ...fromNow, [kind]: String(record.id) });
  const series = isEvent && record.series ? await reader.series(record.series.id) : undefined;
  const repetition = series && series.total > 1 ? capital(repetitionOf(series, context.language)) : undefined;
  const shown = { record, title, context, colorOf, map, repetition };
  const children = (
    <>
      <Article {...shown} {...feed} />
      {isEvent && (await surroundings(record, series, reader, colorOf))}
      {coming && cards(coming.value, word('upcoming'), reader, colorOf, { isAtVenue: kind === 'venue' })}
      <PrintedAddress address={address} context={context} />
    </>
  );
  return {
    title,
    description,
    head,
    children,
    version,
    colors,
    isTitled: false,
    canonical: address,
    type: isEvent ? 'article' : 'website',
    picture: picture?.url,
    ...(map ? { script: 'map.js', style: 'map.css' } : { script: 'share.js' }),
  } as const;
}

interface CardsOptions {
  readonly isAtVenue?: boolean;
  /** Whether they are like the record of the page, and none of its own. */
  readonly isRelated?: boolean;
}

function cards(
  events: readonly EventView[],
  heading: string,
  { context }: Reader,
  colorOf: ColorOf,
  { isAtVenue = false, isRelated = false }: CardsOptions = {},
) {
  return (
    <section class={isRelated ? 'related' : undefined}>
      <h2>{heading}</h2>
      {events.length === 0 ? (
        <p class="muted">{context.word('none')}</p>
      ) : (
        <ul class="cards">
          {events.map((event) => (
            <EventCard
              key={event.id}
              event={event}
              context={context}
              colorOf={colorOf}
              isAtVenue={isAtVenue}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The other dates of an event, what is like it, and the events before and after it. */
async function surroundings(
  event: EventView,
  series: SeriesView | undefined,
  reader: Reader,
  colorOf: ColorOf,
) {
  const { context } = reader;
  const { word, plain } = context;
  const [previous, next, otherDates, related] = await Promise.all([
    neighbourOf(event, reader, 'previous'),
    neighbourOf(event, reader, 'next'),
    series === undefined ? otherDatesOf(event, reader) : datesIn(series, event, reader),
    relatedTo(event, reader),
  ]);
  return (
    <>
      {otherDates.length > 0 && <OtherDates events={otherDates} context={context} />}
      {related.length > 0 && cards(related, word('related'), reader, colorOf, { isRelated: true })}
      <nav class="neighbours" aria-label={`${word('previous')}, ${word('next')}`}>
        {Object.entries({ previous, next }).map(
          ([side, neighbour]) =>
            neighbour && (
              <a
                key={side}
                rel={side === 'next' ? 'next' : 'prev'}
                class={side}
                href={pathOf(neighbour, context)}
              >
                <small class="muted">{word(side as Word)}</small>{' '}
                <span lang={langOf(neighbour, 'title', context)}>{plain(neighbour.title)}</span>
              </a>
            ),
        )}
      </nav>
    </>
  );
}

interface OtherDatesProps {
  readonly events: readonly EventView[];
  readonly context: Reader['context'];
}

/** The first of the other dates; the calendar, with the title as its search, has them all. */
function OtherDates({ events, context }: OtherDatesProps) {
  const { word, language, site, plain } = context;
  const [first] = events;
  const all = new URLSearchParams({
    search: plain(first?.title ?? ''),
    translation_language: language,
  });
  return (
    <section aria-labelledby="other-dates">
      <h2 id="other-dates">{word('otherDates')}</h2>
      <ul class="other-dates">
        {events.slice(0, maxDates).map((event) => (
          <li key={event.id}>
            <a href={pathOf(event, context)}>{shortWhenOf(event, language)}</a>
          </li>
        ))}
      </ul>
      {events.length > maxDates && (
        <p>
          <a href={`${site}/calendar?${all}`}>{word('showMore')}</a>
        </p>
      )}
    </section>
  );
}

/** Returns the coming dates of a series beside that of an event; one more than are shown where there are more. */
async function datesIn(
  { dates }: SeriesView,
  event: EventView,
  { list }: Reader,
): Promise<readonly EventView[]> {
  // A day has passed everywhere once it is over for a day.
  const yesterday = textOfTime(Date.now() - 86_400_000).replace('T', ' ');
  const coming = dates.filter((date) => date.event !== event.id && date.end_date > yesterday);
  if (coming.length === 0) return [];
  const include = coming.slice(0, maxDates + 2).map((date) => date.event);
  const { value } = await list('event', { include: include.join() });
  return value
    .filter(({ utc_end_date: end }) => Date.parse(instantOf(end)) >= Date.now())
    .sort((one, other) => (one.utc_start_date < other.utc_start_date ? -1 : 1));
}

/** Returns the coming events that are told from an event by their dates alone. */
async function otherDatesOf(
  event: EventView,
  { list, context: { plain } }: Reader,
): Promise<readonly EventView[]> {
  const venue = venuesOf(event)[0]?.id;
  const ofVenue = venue === undefined ? {} : { venue: String(venue) };
  const phrase = `"${plain(event.title).replaceAll('"', ' ')}"`;
  const search = { ...fromNow, ...ofVenue, search: phrase, per_page: String(maxCandidates) };
  const { value } = await list('event', search);
  return value.filter((other) => other.id !== event.id && seriesOf(other) === seriesOf(event));
}

/** Returns coming events of the categories of an event: the next one of each series but its own. */
async function relatedTo(event: EventView, { list }: Reader): Promise<readonly EventView[]> {
  const categories = event.categories.map(({ id }) => id).join();
  if (categories === '') return [];
  const { value } = await list('event', {
    ...fromNow,
    categories,
    per_page: String(maxCandidates),
  });
  const others = value.filter((other) => seriesOf(other) !== seriesOf(event));
  return firstOfEachTitle(others).slice(0, maxRelated);
}

/** On paper, the address of the page in words and as a QR code. */
function PrintedAddress({
  address,
  context,
}: {
  readonly address: string;
  readonly context: Reader['context'];
}) {
  const { data, size } = encode(address, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <aside class="printed">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={context.word('scan')}>
        <path d={path.join('')} />
      </svg>
      <p>
        {context.word('scan')}
        <br />
        {address}
      </p>
    </aside>
  );
}

/** Returns the event before or after another in the order of lists. Events of the same time are neighbours. */
async function neighbourOf(event: EventView, { list }: Reader, side: 'previous' | 'next') {
  const start = instantOf(event.utc_start_date);
  const bound =
    side === 'next'
      ? { start_date: start }
      : { starts_before: `${textOfTime(Date.parse(start) + 1000)}Z`, order: 'desc' };
  const parameters = { ...bound, strict_dates: 'true', end_date: farFuture, per_page: String(maxNeighbours) };
  const { value } = await list('event', parameters);
  const place = value.findIndex(({ id }) => id === event.id);
  // An event that lists hide, or with too many at its time, has the nearest of another time beside it.
  return place >= 0
    ? value[place + 1]
    : value.find(({ utc_start_date }) => utc_start_date !== event.utc_start_date);
}

/** Returns the place of a map; undefined without a tile server, and for records that show no map. */
function mapOf(record: EventView | ContactView, { context }: Reader) {
  const { url, attribution } = context.config.MAP_TILES;
  const venues = 'title' in record ? venuesOf(record) : [record];
  const venue = venues.find(
    ({ geo_lat, geo_lng, show_map: hasMap }) => hasMap && geo_lat !== undefined && geo_lng !== undefined,
  );
  if (url === '' || venue === undefined) return undefined;
  const data = { 'data-lat': venue.geo_lat, 'data-lng': venue.geo_lng, 'data-tiles': url };
  return <section class="map" aria-label={context.word('map')} {...data} data-attribution={attribution} />;
}
