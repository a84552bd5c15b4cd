/** What several pages of the calendar show: texts, lists of details and of events. */

import { type ComponentChildren, toChildArray } from 'preact';
import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { EventView, VenueView } from './calendar-read.ts';
import type { PageContext } from './context.ts';

/** Returns the venues of an event, which the API shows as one, none or several. */
export function venuesOf({ venue }: EventView): readonly VenueView[] {
  return [venue].flat() as readonly VenueView[];
}

/** Says when an event takes place, in its own zone. */
function whenOf(event: EventView, { language }: PageContext): string {
  const wall = (text: string) => new Date(`${text.replace(' ', 'T')}Z`);
  const time = event.all_day ? {} : ({ hour: '2-digit', minute: '2-digit' } as const);
  const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone: 'UTC' });
  const range = format.formatRange(wall(event.start_date), wall(event.end_date));
  return range + (event.all_day ? '' : ` (${event.timezone_abbr})`);
}

export function When({ event, context }: { readonly event: EventView; readonly context: PageContext }) {
  const start = `${event.utc_start_date.replace(' ', 'T')}Z`;
  return <time dateTime={start}>{whenOf(event, context)}</time>;
}

/** HTML that was sanitized when it was stored. */
export function Html({ text = '' }: { readonly text: string | undefined }) {
  return text === '' ? null : <div dangerouslySetInnerHTML={{ __html: text }} />;
}

/** A term of a list with its details; nothing where it has none. */
export function Detail({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  const details = toChildArray(children).filter((one) => one !== '');
  if (details.length === 0) return null;
  return (
    <>
      <dt>{term}</dt>
      {details.map((detail, index) => (
        <dd key={index}>{detail}</dd>
      ))}
    </>
  );
}

interface EventListProps {
  readonly events: readonly EventView[];
  readonly context: PageContext;
}

/** A list of events, as a calendar shows it without a script. */
export function EventList({ events, context }: EventListProps) {
  const { site, query, word } = context;
  if (events.length === 0) return <p>{word('none')}</p>;
  const items = events.map((event) => (
    <li key={event.id}>
      <a href={`${site}/event/${event.slug}/${query}`}>{plainText(event.title)}</a>
      <br />
      {[whenOf(event, context), ...venuesOf(event).map(({ venue }) => plainText(venue))].join(' · ')}
    </li>
  ));
  return <ul class="events">{items}</ul>;
}
