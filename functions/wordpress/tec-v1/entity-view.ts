/** Records in the shape of `tec/v1`: posts of WordPress, with what the calendar knows of them. */

import { formatWall, readWall, toWall, type Zone } from '../../calendar/model/dates/wall.ts';
import { plainText } from '../../calendar/model/text/plain-text.ts';
import { collections, type PostKind } from '../../calendar/model/values.ts';
import { eventView, postView } from '../wp-v2/event-view.ts';
import type { Shown } from '../wp-v2/paging.ts';

interface ViewOptions {
  readonly link: (path: string) => string;
  /** Time zone of the site. */
  readonly zone: Zone;
}

/** Returns a record as `tec/v1` shows it. */
export function entityView(kind: PostKind, record: Shown, options: ViewOptions): Shown {
  const { link } = options;
  if (kind === 'event')
    return {
      ...eventView(record, { link, path: '/events' }),
      ...eventParts(record, options),
    };
  const place = { type: `tribe_${kind}`, path: `/${collections[kind]}`, link };
  return { ...postView({ ...record, title: record[kind] }, place), ...contactParts(kind, record) };
}

function eventParts(event: Shown, options: ViewOptions): Shown {
  const venues = listOf(event['venue']);
  const organizers = listOf(event['organizer']);
  const start = instantOf(event['utc_start_date']);
  const end = instantOf(event['utc_end_date']);
  const days = [event['start_date'], event['end_date']].map((date) => String(date).slice(0, 10));
  const schedule = scheduleOf(event);
  return {
    start_date: event['start_date'],
    start_date_utc: event['utc_start_date'],
    end_date: event['end_date'],
    end_date_utc: event['utc_end_date'],
    dates: { ...datesOf('start', event, options), ...datesOf('end', event, options) },
    timezone: event['timezone'],
    duration: String((end - start) / 1_000),
    multiday: days[0] !== days[1],
    is_past: end < Date.now(),
    is_now: start <= Date.now() && Date.now() < end,
    all_day: event['all_day'],
    featured: event['featured'],
    sticky: event['sticky'],
    cost: event['cost'],
    organizer_names: organizers.map(({ organizer }) => organizer),
    organizers: organizers.map((item) => entityView('organizer', item, options)),
    venues: venues.map((item) => entityView('venue', item, options)),
    ticketed: false,
    schedule_details: schedule,
    short_schedule_details: schedule,
  };
}

/** The start or end of an event as PHP writes a date with its zone: in that of the event, of the site, and in UTC. */
function datesOf(name: 'start' | 'end', event: Shown, { zone }: ViewOptions): Shown {
  const utc = String(event[`utc_${name}_date`]);
  const own = phpDate(String(event[`${name}_date`]), String(event['timezone']));
  return {
    [name]: own,
    [`${name}_utc`]: phpDate(utc, 'UTC'),
    [`${name}_site`]: phpDate(formatWall(toWall(zone, readWall(utc))), zone.name),
    [`${name}_display`]: own,
  };
}

/** Types of zones in PHP: an offset is 1, the name of a zone 3. */
function phpDate(wall: string, timezone: string) {
  const isOffset = /^(?:UTC)?[+-]\d/.test(timezone);
  return {
    date: `${wall}.000000`,
    timezone_type: isOffset ? 1 : 3,
    timezone: timezone.replace(/^UTC(?=[+-])/, ''),
  };
}

function contactParts(kind: 'venue' | 'organizer', record: Shown): Shown {
  const text = (name: string) => record[name] ?? '';
  const common = { phone: text('phone'), website: text('website') };
  if (kind === 'organizer') return { ...common, email: text('email') };
  const names = ['address', 'country', 'city', 'state', 'province', 'zip'];
  const address = [text('address'), text('zip'), text('city'), text('country')].filter(Boolean).join(', ');
  const directions = `https://www.openstreetmap.org/search?${new URLSearchParams({ query: plainText(address) })}`;
  return {
    ...Object.fromEntries(names.map((name) => [name, text(name)])),
    state_province: text('stateprovince'),
    ...common,
    directions_link: address === '' ? '' : directions,
  };
}

/** Says when an event takes place: `2027-05-05 19:00 - 21:00`. */
function scheduleOf(event: Shown): string {
  const start = String(event['start_date']);
  const end = String(event['end_date']);
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  if (event['all_day'] === true)
    return isOneDay ? start.slice(0, 10) : `${start.slice(0, 10)} - ${end.slice(0, 10)}`;
  return `${start.slice(0, 16)} - ${isOneDay ? end.slice(11, 16) : end.slice(0, 16)}`;
}

function instantOf(utc: unknown): number {
  return Date.parse(`${String(utc).replace(' ', 'T')}Z`);
}

/** Returns what the calendar shows as one record, none or several. */
function listOf(records: unknown): readonly Shown[] {
  return [records as Shown | readonly Shown[] | undefined].flat().filter((record) => record !== undefined);
}
