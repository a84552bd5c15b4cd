/** What several pages of the calendar show: texts, lists of details and of events. */

import { type ComponentChildren, toChildArray } from 'preact';
import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { EventView, VenueView } from './calendar-read.ts';
import { usePage } from './context.ts';
import type { PageLanguage, Word } from './words.ts';

/** Returns the venues of an event, which the API shows as one, none or several. */
export function venuesOf({ venue }: EventView): readonly VenueView[] {
  return [venue].flat() as readonly VenueView[];
}

/** Says when an event takes place, in its own zone. */
function whenOf(event: EventView, language: PageLanguage): string {
  const wall = (text: string) => new Date(`${text.replace(' ', 'T')}Z`);
  const time = event.all_day ? {} : ({ hour: '2-digit', minute: '2-digit' } as const);
  const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone: 'UTC' });
  const range = format.formatRange(wall(event.start_date), wall(event.end_date));
  return range + (event.all_day ? '' : ` (${event.timezone_abbr})`);
}

export function When({ event }: { readonly event: EventView }) {
  const start = `${event.utc_start_date.replace(' ', 'T')}Z`;
  return <time dateTime={start}>{whenOf(event, usePage().language)}</time>;
}

/** HTML that was sanitized when it was stored. */
export function Html({ text = '' }: { readonly text: string | undefined }) {
  return text === '' ? null : <div dangerouslySetInnerHTML={{ __html: text }} />;
}

/** A term of a list with its details; nothing where it has none. */
export function Detail({ term, children }: { readonly term: Word; readonly children: ComponentChildren }) {
  const { word } = usePage();
  const details = toChildArray(children).filter((one) => one !== '');
  if (details.length === 0) return null;
  return (
    <>
      <dt>{word(term)}</dt>
      {details.map((detail, index) => (
        <dd key={index}>{detail}</dd>
      ))}
    </>
  );
}

/** A list of events, as a calendar shows it without a script. */
export function EventList({ events }: { readonly events: readonly EventView[] }) {
  const { site, query, language, word } = usePage();
  if (events.length === 0) return <p>{word('none')}</p>;
  const items = events.map((event) => (
    <li key={event.id}>
      <a href={`${site}/event/${event.slug}/${query}`}>{plainText(event.title)}</a>
      <br />
      {[whenOf(event, language), ...venuesOf(event).map(({ venue }) => plainText(venue))].join(' · ')}
    </li>
  ));
  return <ul class="events">{items}</ul>;
}
