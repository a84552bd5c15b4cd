/** What the addresses of a site's event pages ask for, as filters of the event list (docs/calendar-contract.md, "Further addresses"). */

import type { RawParameters } from '../calendar/model/calendar-context.ts';
import { formatWall, toWall, type Zone } from '../calendar/model/dates/wall.ts';

const displays = ['list', 'month', 'day', 'today', 'past'];
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
}

/** Checks whether the segments below `/events` are those of a page: `category/music/jazz`, `tag/outdoor/month`, `month/2027-05`, `2027-05-05`. */
export function isKnownAddress(segments: readonly string[]): boolean {
  const { term, view } = addressOf(segments);
  const isTerm = term.length === 0 || (term[0] === 'category' ? term.length > 1 : term.length === 2);
  return isTerm && view.length <= 2 && view.every((segment) => displays.includes(segment) || isDate(segment));
}

/** Returns the filters that an address asks for, with its query; names that the list itself has stay in the query. */
export function siteFilters(segments: readonly string[], { searchParams }: URL, zone: Zone): RawParameters {
  const { term, view } = addressOf(segments);
  const fromQuery = Object.entries(filterNames).flatMap(([name, filter]) => {
    const value = searchParams.get(name);
    return value === null || value === '' ? [] : [[filter, value] as const];
  });
  const ofTerm = term.length === 0 ? {} : { [term[0] === 'category' ? 'categories' : 'tags']: term.at(-1) };
  const ofPath = view.find(isDate);
  const date = ofPath ?? searchParams.get('tribe-bar-date') ?? searchParams.get('eventDate') ?? '';
  const display =
    view.find((segment) => displays.includes(segment)) ??
    searchParams.get('eventDisplay') ??
    displayOf(ofPath);
  const now = formatWall(toWall(zone, Math.floor(Date.now() / 1000)));
  return { ...Object.fromEntries(fromQuery), ...ofTerm, ...windowOf(display, date, now) };
}

function addressOf(segments: readonly string[]): Address {
  const isTerm = segments[0] === 'category' || segments[0] === 'tag';
  const isView = (segment: string) => displays.includes(segment) || isDate(segment);
  // The slug behind the name of the taxonomy is never a display.
  const first = isTerm ? segments.findIndex((segment, index) => index > 1 && isView(segment)) : 0;
  const end = first < 0 ? segments.length : first;
  return { term: segments.slice(0, end), view: segments.slice(end) };
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
      return { ends_before: now, strict_dates: true };
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
