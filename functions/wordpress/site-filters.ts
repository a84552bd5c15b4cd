/** What the addresses of a site's event pages ask for, as filters of the event list (docs/calendar-contract.md, "Further addresses"). */

import type { RawParameters } from '../calendar/model/calendar-context.ts';
import { formatWall, toWall, type Zone } from '../calendar/model/dates/wall.ts';

const displays = ['list', 'month', 'day', 'today', 'past'];
/** Displays that only pages have: those of the plugin's extension. */
const pageDisplays = [...displays, 'week', 'photo', 'map', 'summary'];
const month = /^\d{4}-\d\d$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** Names that the site has for filters of the list. */
const filterNames: Readonly<Record<string, string>> = {
  tribe_events_cat: 'categories',
  tag: 'tags',
  post_tag: 'tags',
  'tribe-bar-search': 'search',
};

interface Address {
  /** The segments of a category with those above it, or of a tag. */
  readonly term: readonly string[];
  /** What follows: a display, or a day or month, or both. */
  readonly view: readonly string[];
  /** Whether featured events alone are asked for: `featured` behind all but the name of a taxonomy. */
  readonly isFeatured: boolean;
}

/** Checks whether the segments below `/events` are those of a page: `category/music/jazz`, `tag/outdoor/month`, `month/2027-05`, `2027-05-05`. */
export function isKnownAddress(segments: readonly string[]): boolean {
  return isKnown(addressOf(segments), displays);
}

function isKnown({ term, view }: Address, known: readonly string[]): boolean {
  const isTerm = term.length === 0 || (term[0] === 'category' ? term.length > 1 : term.length === 2);
  return isTerm && view.length <= 2 && view.every((segment) => known.includes(segment) || isDate(segment));
}

/**
 * Returns the query by which the calendar's page shows what the address of a page of The Events Calendar did; undefined for an address that
 * is none. Our calendar has no page of a day: its week stands for it.
 */
export function calendarQuery(
  segments: readonly string[],
  { searchParams }: URL,
): Readonly<Record<string, string>> | undefined {
  const address = addressOf(withoutPage(segments), pageDisplays);
  if (!isKnown(address, pageDisplays)) return undefined;
  const { date, display } = shownBy(address, searchParams);
  if (date !== '' && !isThere(date)) return undefined;
  const isPast = display === 'list' && searchParams.get('eventDisplay') === 'past';
  const language = searchParams.get('translation_language');
  return {
    ...filtersOf(address, searchParams),
    ...(address.isFeatured ? { featured: 'true' } : {}),
    ...viewOf(isPast ? 'past' : display, firstDay(date)),
    ...(language === null ? {} : { translation_language: language }),
  };
}

/** The parameters of the calendar's page for a display. */
function viewOf(display: string, date: string): Readonly<Record<string, string>> {
  if (display === 'past') return { past: 'true' };
  const view = display === 'month' ? 'month' : 'week';
  const hasPeriod = date !== '' || ['month', 'week', 'day', 'today'].includes(display);
  if (!hasPeriod) return {};
  return date === '' || display === 'today' ? { view } : { view, date };
}

/** Takes `page/2` from the end of an address: our pages have other events. */
function withoutPage(segments: readonly string[]): readonly string[] {
  const [name, number = ''] = segments.slice(-2);
  return name === 'page' && /^[1-9]\d{0,5}$/.test(number) ? segments.slice(0, -2) : segments;
}

/** Returns the first day of a month; a day is its own. */
function firstDay(date: string): string {
  return month.test(date) ? `${date}-01` : date;
}

/** Checks whether a month or day exists. */
function isThere(date: string): boolean {
  const time = new Date(`${firstDay(date)}T00:00Z`);
  return isDate(date) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** Returns the filters that an address asks for, with its query; names that the list itself has stay in the query. */
export function siteFilters(segments: readonly string[], { searchParams }: URL, zone: Zone): RawParameters {
  const address = addressOf(segments);
  const { date, display } = shownBy(address, searchParams);
  const now = formatWall(toWall(zone, Math.floor(Date.now() / 1000)));
  const featured = address.isFeatured ? { featured: true } : {};
  return { ...filtersOf(address, searchParams), ...featured, ...windowOf(display, date, now) };
}

/** Returns the filters of an address and its query. */
function filtersOf({ term }: Address, searchParams: URLSearchParams): Record<string, string> {
  const fromQuery = Object.entries(filterNames).flatMap(([name, filter]) => {
    const value = searchParams.get(name);
    return value === null || value === '' ? [] : [[filter, value] as const];
  });
  const ofTerm = term.length === 0 ? [] : [[term[0] === 'category' ? 'categories' : 'tags', term.at(-1)]];
  return Object.fromEntries([...fromQuery, ...ofTerm]);
}

/** Returns what an address and its query show: a display, of a month or day, or the empty text. */
function shownBy({ view }: Address, searchParams: URLSearchParams) {
  const ofPath = view.find(isDate);
  const date = ofPath ?? searchParams.get('tribe-bar-date') ?? searchParams.get('eventDate') ?? '';
  const display =
    view.find((segment) => !isDate(segment)) ?? searchParams.get('eventDisplay') ?? displayOf(ofPath);
  return { date, display };
}

function addressOf(all: readonly string[], known: readonly string[] = displays): Address {
  const isTerm = all[0] === 'category' || all[0] === 'tag';
  const segments = all.filter((segment, index) => segment !== 'featured' || (isTerm && index === 1));
  const isView = (segment: string) => known.includes(segment) || isDate(segment);
  // The slug behind the name of the taxonomy is never a display.
  const first = isTerm ? segments.findIndex((segment, index) => index > 1 && isView(segment)) : 0;
  const end = first < 0 ? segments.length : first;
  const isFeatured = segments.length < all.length;
  return { term: segments.slice(0, end), view: segments.slice(end), isFeatured };
}

function isDate(segment: string): boolean {
  return month.test(segment) || day.test(segment);
}

function displayOf(date = ''): string {
  return month.test(date) ? 'month' : day.test(date) ? 'day' : 'list';
}

/** Returns the dates of a display: `now` is the wall time of the site. */
function windowOf(display: string, date: string, now: string): RawParameters {
  switch (display) {
    case 'past':
      return { ends_before: 'now', strict_dates: true };
    case 'today':
      return between(now.slice(0, 10));
    case 'month':
      return between((date || now).slice(0, 7));
    case 'day':
      return between((date || now).slice(0, 10));
    default:
      return date === '' ? {} : { ends_after: date, strict_dates: true };
  }
}

/** Returns the filters for what takes place in a day or month: from its first instant to that of the next one. */
function between(period: string): RawParameters {
  const isMonth = month.test(period);
  const next = new Date(`${isMonth ? `${period}-01` : period}T00:00Z`);
  if (Number.isNaN(next.getTime())) return { ends_after: period };
  if (isMonth) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCDate(next.getUTCDate() + 1);
  const first = isMonth ? `${period}-01` : period;
  return { ends_after: first, starts_before: next.toISOString().slice(0, 10), strict_dates: true };
}
