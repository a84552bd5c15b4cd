/** Events in lists and on cards: picture, time, title, place, price and categories. */

import { type ColorOf, classOf } from './colors.ts';
import { type EventView, type PictureView, pictureOf, type ViewContext, venuesOf } from './types.ts';
import { instantOf, partOfStart, shortWhenOf } from './when.ts';

/** A picture in the size that its place needs. The address of a picture that has no sizes serves for all. */
export function Picture({
  picture,
  alt,
  sizes,
}: {
  readonly picture: PictureView;
  readonly alt: string;
  /** Width of its place, as `sizes` of an image says it. */
  readonly sizes: string;
}) {
  const { url, width, height, sizes: smaller = {} } = picture;
  const uncropped = Object.entries(smaller).filter(([name]) => name !== 'thumbnail');
  const all = [...uncropped.map(([, size]) => size), { url, width }];
  const sources = all.flatMap((size) => (size.width ? [`${size.url} ${size.width}w`] : []));
  const set = sources.length > 1 ? { srcset: sources.join(', '), sizes } : {};
  return <img src={url} alt={alt} width={width} height={height} {...set} loading="lazy" />;
}

interface EventProps {
  readonly event: EventView;
  readonly context: ViewContext;
  readonly colorOf: ColorOf;
}

/** Returns the path of the page of an event. */
export function pathOf({ slug }: Pick<EventView, 'slug'>, { site, query }: ViewContext): string {
  return `${site}/event/${slug}/${query}`;
}

/** Returns the price of an event in the language of the page; empty for an event without one. */
export function priceOf({ cost }: Pick<EventView, 'cost'>, { word, plain }: ViewContext): string {
  return cost === 'Free' ? word('free') : plain(cost);
}

/** The categories of an event, each in its colour; links to the calendar with it as its filter. */
export function Categories({ event, context, colorOf }: EventProps) {
  const { site, language, plain, target } = context;
  if (event.categories.length === 0) return null;
  return (
    <p class="chips">
      {event.categories.map((category) => (
        <a
          key={category.id}
          class={`chip c-${colorOf(category)}`}
          href={`${site}/calendar?categories=${category.slug}&translation_language=${language}`}
          target={target}
        >
          {plain(category.name)}
        </a>
      ))}
    </p>
  );
}

/** Returns where an event is and what it costs, in a few words. */
function placeOf(event: EventView, context: ViewContext): string {
  const venues = venuesOf(event).map(({ venue = '', city = '' }) =>
    [context.plain(venue), context.plain(city)].filter(Boolean).join(', '),
  );
  return [...venues, priceOf(event, context)].filter(Boolean).join(' · ');
}

/** An event in a list: its day in front, its picture behind. */
export function EventRow({ event, context, colorOf }: EventProps) {
  const { language, plain, target } = context;
  const picture = pictureOf(event);
  const excerpt = plain(event.excerpt || (event.description ?? ''));
  return (
    <li class={`event ${classOf(event, colorOf)}`}>
      <div class="day" aria-hidden="true">
        <span>{partOfStart(event, language, 'weekday')}</span>
        <b>{partOfStart(event, language, 'day')}</b>
      </div>
      <div class="summary">
        <time dateTime={instantOf(event.utc_start_date)}>{shortWhenOf(event, language)}</time>
        <h3>
          <a href={pathOf(event, context)} target={target}>
            {plain(event.title)}
          </a>
        </h3>
        <p class="muted">{placeOf(event, context)}</p>
        {excerpt && <p class="excerpt">{excerpt}</p>}
        <Categories event={event} context={context} colorOf={colorOf} />
      </div>
      {picture && <Picture picture={picture} alt="" sizes="(min-width: 48rem) 14rem, 6rem" />}
    </li>
  );
}

/** Events in a list with a heading for each month. */
export function EventList({
  events,
  ...common
}: { readonly events: readonly EventView[] } & Omit<EventProps, 'event'>) {
  const { language } = common.context;
  return [...Map.groupBy(events, (event) => partOfStart(event, language, 'month'))].map(([month, items]) => (
    <section key={month}>
      <h2 class="month">{month}</h2>
      <ul class="events">
        {items.map((event) => (
          <EventRow key={event.id} event={event} {...common} />
        ))}
      </ul>
    </section>
  ));
}

/** An event on a card, as related ones and those of a venue are shown. */
export function EventCard({ event, context, colorOf }: EventProps) {
  const { language, plain } = context;
  const picture = pictureOf(event);
  return (
    <li class={`card ${classOf(event, colorOf)}`}>
      {picture && <Picture picture={picture} alt="" sizes="20rem" />}
      <div>
        <time dateTime={instantOf(event.utc_start_date)}>{shortWhenOf(event, language)}</time>
        <h3>
          <a href={pathOf(event, context)}>{plain(event.title)}</a>
        </h3>
        <p class="muted">{placeOf(event, context)}</p>
      </div>
    </li>
  );
}
