/** Events in lists and on cards: picture, time, title, place, price and categories. */

import { Fragment } from 'preact';
import { statusWord } from '../../../calendar/model/for-browsers/event-status.ts';
import { type ColorOf, classOf } from '../../common/views/colors.ts';
import { isFree, priceOf } from '../../common/views/price.ts';
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

/** Whether the event takes place as announced, and whether it costs nothing: what a reader has to see first. */
function Marks({ event, context: { language, word } }: Pick<EventProps, 'event' | 'context'>) {
  const { event_status: status } = event;
  if (status === undefined && !isFree(event)) return null;
  return (
    <p class="marks">
      {status && <strong class={`mark ${status}`}>{statusWord(status, language)}</strong>}
      {isFree(event) && <span class="mark">{word('free')}</span>}
    </p>
  );
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

/** Returns where an event is and what it costs, in a few words; without the place on the page of that place, and without a price where a mark says that it is free. */
function placeOf(event: EventView, context: ViewContext, isAtVenue = false): string {
  const venues = isAtVenue
    ? []
    : venuesOf(event).map(({ venue = '', city = '' }) =>
        [context.plain(venue), context.plain(city)].filter(Boolean).join(', '),
      );
  const price = isFree(event) ? '' : priceOf(event, context);
  return [...venues, price].filter(Boolean).join(' · ');
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

/** The picture of an event, where it has one. */
function EventPicture({ event, sizes }: { readonly event: EventView; readonly sizes: string }) {
  const picture = pictureOf(event);
  return picture && <Picture picture={picture} alt="" sizes={sizes} />;
}

interface RowProps extends EventProps {
  readonly isFirst: boolean;
  /** Its further dates on this page of the list. */
  readonly later: readonly EventView[];
}

/** An event in a list: its day in front, where it is the first of the day, and its picture. */
function EventRow({ event, later, context, colorOf, isFirst }: RowProps) {
  const { plain, target } = context;
  const shortText = event.excerpt ? 'excerpt' : 'description';
  const excerpt = plain(event[shortText] ?? '');
  return (
    <li class={`event ${classOf(event, colorOf)}`}>
      {isFirst ? <DateBlock event={event} context={context} /> : <div class="date-block" />}
      <EventPicture event={event} sizes="(min-width: 40rem) 11rem, 6rem" />
      <div class="summary">
        <TimeBesideDate event={event} context={context} />
        <Marks event={event} context={context} />
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
        {later.length > 0 && <LaterDates events={later} context={context} />}
        <Categories event={event} context={context} colorOf={colorOf} />
      </div>
    </li>
  );
}

/** How many dates an event of several has, and links to those that follow. */
function LaterDates({
  events,
  context,
}: Pick<EventProps, 'context'> & { readonly events: readonly EventView[] }) {
  const { language, word, target } = context;
  return (
    <p class="later-dates">
      {events.length + 1} {word('dates')}:{' '}
      {events.map((event, index) => (
        <Fragment key={event.id}>
          {index > 0 && ', '}
          <a href={pathOf(event, context)} target={target}>
            {dateOf(event.start_date, language, 'short')}
          </a>
        </Fragment>
      ))}
    </p>
  );
}

/** Events in a list with a heading for each month. One of several dates, the same title at the same place, stands there once. */
export function EventList({
  events,
  ...common
}: { readonly events: readonly EventView[] } & Omit<EventProps, 'event'>) {
  const { language } = common.context;
  const dayOf = (row: Dated | undefined) => row?.event.start_date.slice(0, 10);
  const rows = [...Map.groupBy(events, seriesOf).values()].flatMap(([event, ...later]) =>
    event ? [{ event, later }] : [],
  );
  return [...Map.groupBy(rows, ({ event }) => partOfStart(event, language, 'month'))].map(
    ([month, items]) => (
      <section key={month}>
        <h2 class="month">{month}</h2>
        <ul class="events">
          {items.map((row, index) => (
            <EventRow
              key={row.event.id}
              {...row}
              {...common}
              isFirst={dayOf(row) !== dayOf(items[index - 1])}
            />
          ))}
        </ul>
      </section>
    ),
  );
}

type Dated = Pick<RowProps, 'event' | 'later'>;

/** Returns what the dates of one event have in common: the title and the places. */
export function seriesOf(event: EventView): string {
  return JSON.stringify([event.title, ...venuesOf(event).map(({ id }) => id)]);
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
      <EventPicture event={event} sizes="20rem" />
      <div>
        <time dateTime={instantOf(event.utc_start_date)}>{shortWhenOf(event, language)}</time>
        <Marks event={event} context={context} />
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
