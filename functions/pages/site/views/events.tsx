/** Events in lists and on cards: picture, time, title, place, price and categories. */

import { type ColorOf, classOf } from '../../common/views/colors.ts';
import {
  type EventView,
  langOf,
  type PictureView,
  pictureOf,
  type ViewContext,
  venuesOf,
} from '../../common/views/types.ts';
import {
  dateOf,
  instantOf,
  isOfOneDay,
  partOfStart,
  shortWhenOf,
  timesOf,
  whenOf,
} from '../../common/views/when.ts';

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
          lang={langOf(category, 'name', context)}
        >
          {plain(category.name)}
        </a>
      ))}
    </p>
  );
}

/** Returns where an event is and what it costs, in a few words; without the place on the page of that place. */
function placeOf(event: EventView, context: ViewContext, isAtVenue = false): string {
  const venues = isAtVenue
    ? []
    : venuesOf(event).map(({ venue = '', city = '' }) =>
        [context.plain(venue), context.plain(city)].filter(Boolean).join(', '),
      );
  return [...venues, priceOf(event, context)].filter(Boolean).join(' · ');
}

interface DateProps {
  readonly event: EventView;
  readonly context: ViewContext;
  /** Whether it stands on the page of the event, which has the month, the year and the zone too. */
  readonly isWhole?: boolean;
}

/** The day on which an event starts, as a leaf of a calendar. What stands beside it says the day to those who do not see it. */
export function DateBlock({ event, context: { language }, isWhole = false }: DateProps) {
  return (
    <div class="date-block" aria-hidden="true">
      <span>{partOfStart(event, language, 'weekday')}</span>
      <b>{partOfStart(event, language, 'day')}</b>
      {isWhole && (
        <span>
          {partOfStart(event, language, 'shortMonth')} {event.start_date.slice(0, 4)}
        </span>
      )}
    </div>
  );
}

/** When an event is, beside its date block: who sees the day there reads it once. */
export function TimeBesideDate({ event, context, isWhole = false }: DateProps) {
  const { language, word } = context;
  const times = timesOf(event, language) ?? (isOfOneDay(event) ? word('allDay') : undefined);
  const zone = isWhole && !event.all_day && ` (${event.timezone_abbr})`;
  return (
    <time dateTime={instantOf(event.utc_start_date)}>
      {times === undefined && (isWhole ? whenOf(event, language) : shortWhenOf(event, language))}
      {times !== undefined && (
        <>
          <span class="hidden">{dateOf(event.start_date, language, 'long')}, </span>
          {times}
          {zone}
        </>
      )}
    </time>
  );
}

/** The picture of an event; without one a field in the colour of its category. */
function PictureOrColor({ event, sizes }: { readonly event: EventView; readonly sizes: string }) {
  const picture = pictureOf(event);
  return picture ? <Picture picture={picture} alt="" sizes={sizes} /> : <div class="no-picture" />;
}

/** An event in a list: its day in front, where it is the first of the day, and its picture. */
function EventRow({ event, context, colorOf, isFirst }: EventProps & { readonly isFirst: boolean }) {
  const { plain, target } = context;
  const shortText = event.excerpt ? 'excerpt' : 'description';
  const excerpt = plain(event[shortText] ?? '');
  return (
    <li class={`event ${classOf(event, colorOf)}`}>
      {isFirst ? <DateBlock event={event} context={context} /> : <div />}
      <PictureOrColor event={event} sizes="(min-width: 40rem) 11rem, 6rem" />
      <div class="summary">
        <TimeBesideDate event={event} context={context} />
        <h3>
          <a href={pathOf(event, context)} target={target} lang={langOf(event, 'title', context)}>
            {plain(event.title)}
          </a>
        </h3>
        <p class="muted">{placeOf(event, context)}</p>
        {excerpt && (
          <p class="excerpt" lang={langOf(event, shortText, context)}>
            {excerpt}
          </p>
        )}
        <Categories event={event} context={context} colorOf={colorOf} />
      </div>
    </li>
  );
}

/** Events in a list with a heading for each month. */
export function EventList({
  events,
  ...common
}: { readonly events: readonly EventView[] } & Omit<EventProps, 'event'>) {
  const { language } = common.context;
  const dayOf = (event: EventView | undefined) => event?.start_date.slice(0, 10);
  return [...Map.groupBy(events, (event) => partOfStart(event, language, 'month'))].map(([month, items]) => (
    <section key={month}>
      <h2 class="month">{month}</h2>
      <ul class="events">
        {items.map((event, index) => (
          <EventRow
            key={event.id}
            event={event}
            {...common}
            isFirst={dayOf(event) !== dayOf(items[index - 1])}
          />
        ))}
      </ul>
    </section>
  ));
}

interface CardProps extends EventProps {
  /** Whether it stands on the page of its venue, which need not be named again. */
  readonly isAtVenue?: boolean;
}

/** An event on a card, as featured and related ones and those of a venue are shown. */
export function EventCard({ event, context, colorOf, isAtVenue = false }: CardProps) {
  const { language, plain, target } = context;
  return (
    <li class={`card ${classOf(event, colorOf)}`}>
      <PictureOrColor event={event} sizes="20rem" />
      <div>
        <time dateTime={instantOf(event.utc_start_date)}>{shortWhenOf(event, language)}</time>
        <h3>
          <a href={pathOf(event, context)} target={target} lang={langOf(event, 'title', context)}>
            {plain(event.title)}
          </a>
        </h3>
        <p class="muted">{placeOf(event, context, isAtVenue)}</p>
      </div>
    </li>
  );
}
