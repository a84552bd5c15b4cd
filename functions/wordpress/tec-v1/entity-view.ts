/** Records in the shape of `tec/v1`: posts of WordPress, with what the calendar knows of them. */

import { plainText } from '../../calendar/model/text/plain-text.ts';
import { collections, type PostKind } from '../../calendar/model/values.ts';
import { eventView, postView } from '../wp-v2/event-view.ts';
import type { Shown } from '../wp-v2/paging.ts';

type Link = (path: string) => string;

/** Returns a record as `tec/v1` shows it. */
export function entityView(kind: PostKind, record: Shown, link: Link): Shown {
  if (kind === 'event')
    return {
      ...eventView(record, { link, embeds: false, mediaOf: () => undefined, path: '/events' }),
      ...eventParts(record, link),
    };
  const place = { type: `tribe_${kind}`, path: `/${collections[kind]}`, link };
  return { ...postView({ ...record, title: record[kind] }, place), ...contactParts(kind, record) };
}

function eventParts(event: Shown, link: Link): Shown {
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
    dates: {
      start: String(event['start_date']),
      start_utc: String(event['utc_start_date']),
      end: String(event['end_date']),
      end_utc: String(event['utc_end_date']),
    },
    timezone: event['timezone'],
    duration: (end - start) / 1_000,
    multiday: days[0] !== days[1],
    is_past: end < Date.now(),
    is_now: start <= Date.now() && Date.now() < end,
    all_day: event['all_day'],
    featured: event['featured'],
    sticky: event['sticky'],
    cost: event['cost'],
    organizer_names: organizers.map(({ organizer }) => organizer),
    organizers: organizers.map((item) => entityView('organizer', item, link)),
    venues: venues.map((item) => entityView('venue', item, link)),
    ticketed: false,
    schedule_details: schedule,
    short_schedule_details: schedule,
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
