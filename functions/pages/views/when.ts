/** Dates and times of events in words, in the zone of the event. */

import type { EventView } from './types.ts';
import type { PageLanguage } from './words.ts';

const locales: Readonly<Record<PageLanguage, string>> = { en: 'en-GB', da: 'da', sv: 'sv' };

type Dates = Pick<EventView, 'start_date' | 'end_date' | 'all_day' | 'timezone_abbr'>;

/** Reads `2030-06-01 19:00:00` as if it were UTC, so that no zone converts it. */
const wall = (text: string) => new Date(`${text.replace(' ', 'T')}Z`);

function format(language: PageLanguage, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'UTC' });
}

const time = { hour: '2-digit', minute: '2-digit' } as const;
const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;

/** Returns when an event takes place, with the zone. */
export function whenOf(event: Dates, language: PageLanguage): string {
  const formatted = format(language, event.all_day ? day : { ...day, ...time });
  const range = formatted.formatRange(wall(event.start_date), wall(event.end_date));
  return range + (event.all_day ? '' : ` (${event.timezone_abbr})`);
}

/** Returns when an event takes place in a few words, as a list says it: with the year where that is not the present one. */
export function shortWhenOf(event: Dates, language: PageLanguage): string {
  const isThisYear = event.start_date.startsWith(String(new Date().getUTCFullYear()));
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  const parts = { weekday: 'short', month: 'short', day: 'numeric', ...year } as const;
  const formatted = format(language, event.all_day ? parts : { ...parts, ...time });
  return formatted.formatRange(wall(event.start_date), wall(event.end_date));
}

/** Returns a part of the day on which an event starts: its month with the year, its weekday, or its number. */
export function partOfStart(
  { start_date: start }: Pick<EventView, 'start_date'>,
  language: PageLanguage,
  part: 'month' | 'weekday' | 'day',
): string {
  const options = {
    month: { month: 'long', year: 'numeric' },
    weekday: { weekday: 'short' },
    day: { day: 'numeric' },
  } as const;
  return part === 'day'
    ? String(Number(start.slice(8, 10)))
    : format(language, options[part]).format(wall(start));
}

/** Returns an instant of the API, `2030-06-01 19:00:00` in UTC, in the form of ISO 8601. */
export function instantOf(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`;
}

/** The first and the last day with a year of four digits. */
export const firstDay = Date.parse('0001-01-01');
export const lastDay = Date.parse('9999-12-31');

/** Returns a time in milliseconds since 1970 as text, to the second and without a zone. */
export function textOfTime(time: number): string {
  return new Date(Math.max(time, firstDay)).toISOString().slice(0, 19);
}

/** Returns the filters of the events in a time range, those without a duration at its very start too. */
export function within(start: string, end: string) {
  const ends_after = textOfTime(wall(start).getTime() - 1000);
  return { ends_after, starts_before: end, strict_dates: 'true' } as const;
}
