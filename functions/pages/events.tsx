/** Events as pages show them: when, where, and in a list. */

import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { ContactView, EventView } from './calendar-read.ts';
import type { PageContext } from './context.ts';
import type { PageLanguage } from './words.ts';

/** Returns the venues of an event, which the API shows as one, none or several. */
export function venuesOf({ venue }: EventView): readonly ContactView[] {
  return [venue].flat() as readonly ContactView[];
}

/** Says when an event takes place, in its own zone. */
export function whenOf(event: EventView, language: PageLanguage): string {
  const wall = (text: string) => new Date(`${text.replace(' ', 'T')}Z`);
  const time = event.all_day ? {} : ({ hour: '2-digit', minute: '2-digit' } as const);
  const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone: 'UTC' });
  const range = format.formatRange(wall(event.start_date), wall(event.end_date));
  return range + (event.all_day ? '' : ` (${event.timezone_abbr})`);
}

/** The events that are upcoming, as a calendar shows them without a script. */
export function upcoming(events: readonly EventView[], { site, query, language, word }: PageContext) {
  const items = events.map((event) => (
    <li>
      <a href={`${site}/event/${event.slug}/${query}`}>{plainText(event.title)}</a>
      <br />
      {[whenOf(event, language), ...venuesOf(event).map(({ venue = '' }) => plainText(venue))].join(' · ')}
    </li>
  ));
  return [<h2>{word('upcoming')}</h2>, items.length === 0 ? <p>{word('none')}</p> : <ul>{items}</ul>];
}
