/** Dates and times of events in words, in the zone of the event: one form for each language, long on a page of its own and short in lists. */

import type { EventView } from './types.ts';
import type { PageLanguage } from './words.ts';

export const locales: Readonly<Record<PageLanguage, string>> = { en: 'en-GB', da: 'da', sv: 'sv' };

type Dates = Pick<EventView, 'start_date' | 'end_date' | 'all_day' | 'timezone_abbr'>;

/** Returns a time without a zone, `2030-06-01 19:00:00`, in milliseconds since 1970 as if it were in UTC: `textOfTime` the other way. */
export const timeOfText = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);

const dayOf = (text: string) => text.slice(0, 10);

function format(language: PageLanguage, options: Intl.DateTimeFormatOptions, text: string): string {
  return new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'UTC' }).format(timeOfText(text));
}

/** Returns a day in words, its weekday first: `Saturday 2 January 2027`, or `Sat 2 Jan` for the short form in the present year. */
export function dateOf(text: string, language: PageLanguage, form: 'long' | 'short'): string {
  const isThisYear = text.startsWith(String(new Date().getUTCFullYear()));
  const year = form === 'short' && isThisYear ? {} : ({ year: 'numeric' } as const);
  const weekday = format(language, { weekday: form }, text);
  const article = language === 'da' && form === 'long' ? 'den ' : '';
  return `${weekday} ${article}${format(language, { day: 'numeric', month: form, ...year }, text)}`;
}

/** Returns the time of day: `19:00`, in Danish `19.00`. */
export const timeOf = (text: string, language: PageLanguage) =>
  format(language, { hour: '2-digit', minute: '2-digit' }, text);

/** Checks whether an event ends on the day on which it starts. */
export function isOfOneDay({ start_date, end_date }: Pick<Dates, 'start_date' | 'end_date'>): boolean {
  return dayOf(start_date) === dayOf(end_date);
}

/** Returns the times of an event of one day: `19:00–22:00`; undefined for one of whole days or of several. */
export function timesOf(event: Dates, language: PageLanguage): string | undefined {
  const { start_date: start, end_date: end, all_day } = event;
  if (all_day || !isOfOneDay(event)) return undefined;
  return start === end ? timeOf(start, language) : `${timeOf(start, language)}–${timeOf(end, language)}`;
}

function rangeOf(event: Dates, language: PageLanguage, form: 'long' | 'short'): string {
  const { start_date: start, end_date: end, all_day } = event;
  const times = timesOf(event, language);
  if (times !== undefined) return `${dateOf(start, language, form)}, ${times}`;
  const at = (text: string) => dateOf(text, language, form) + (all_day ? '' : `, ${timeOf(text, language)}`);
  return isOfOneDay(event) ? at(start) : `${at(start)} – ${at(end)}`;
}

/** Returns when an event takes place, with the zone. */
export function whenOf(event: Dates, language: PageLanguage): string {
  return rangeOf(event, language, 'long') + (event.all_day ? '' : ` (${event.timezone_abbr})`);
}

/** Returns when an event takes place in a few words, as lists and cards say it. */
export function shortWhenOf(event: Dates, language: PageLanguage): string {
  return rangeOf(event, language, 'short');
}

/** Returns a part of the day on which an event starts: its month with the year, its month in short, its weekday, or its number. */
export function partOfStart(
  { start_date: start }: Pick<EventView, 'start_date'>,
  language: PageLanguage,
  part: 'month' | 'shortMonth' | 'weekday' | 'day',
): string {
  const options = {
    month: { month: 'long', year: 'numeric' },
    shortMonth: { month: 'short' },
    weekday: { weekday: 'short' },
    day: { day: 'numeric' },
  } as const;
  return part === 'day' ? String(Number(start.slice(8, 10))) : format(language, options[part], start);
}

/** Returns an instant of the API, `2030-06-01 19:00:00` in UTC, in the form of ISO 8601. */
export function instantOf(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`;
}

/** The first and the last day with a year of four digits. */
export const firstDay = Date.parse('0001-01-01');
export const lastDay = Date.parse('9999-12-31');

/** Checks whether a text, such as `2030-06-01`, is a day that there is: JavaScript takes 30 February for 2 March. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && date.getTime() >= firstDay && date.toISOString().startsWith(text);
}

/** Returns a time in milliseconds since 1970 as text, to the second and without a zone. */
export function textOfTime(time: number): string {
  return new Date(Math.max(time, firstDay)).toISOString().slice(0, 19);
}

/** Returns the filters of the events in a time range, those without a duration at its very start too. */
export function within(start: string, end: string) {
  const ends_after = textOfTime(timeOfText(start) - 1000);
  return { ends_after, starts_before: end, strict_dates: 'true' } as const;
}
