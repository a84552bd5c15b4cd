/** Texts about events, as pages show them. */

import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { EventView, VenueView } from './calendar-read.ts';
import type { PageLanguage } from './negotiate.ts';

/** Returns the venues of an event, which the API shows as one, none or several. */
export function venuesOf({ venue }: EventView): readonly VenueView[] {
  return [venue].flat() as readonly VenueView[];
}

/** Says when an event takes place, in its own zone. */
export function whenOf(event: EventView, language: PageLanguage): string {
  const wall = (text: string) => new Date(`${text.replace(' ', 'T')}Z`);
  const [start, end] = [wall(event.start_date), wall(event.end_date)];
  const time = event.all_day ? {} : ({ hour: '2-digit', minute: '2-digit' } as const);
  const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone: 'UTC' });
  return format.formatRange(start, end) + (event.all_day ? '' : ` (${event.timezone_abbr})`);
}

/** Returns the first words of an event, as plain text. */
export function descriptionOf({ excerpt, description = '' }: EventView): string {
  const text = plainText(excerpt || description);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
