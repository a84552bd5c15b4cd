/** Events in iCalendar (RFC 5545), each occurrence of one that repeats on its own. */

import { readFile } from 'node:fs/promises';
import { escapeUTF8 } from 'entities/escape';
import ICAL from 'ical.js';
import { findZone, formatWall } from '../../../shared/calendar/model/dates/wall.ts';
import type { Row } from './rows.ts';
import type { Target } from './target.ts';

/** Occurrences of one event, at most; those of the next two years. */
const maxOccurrences = 500;
const secondsAhead = 2 * 366 * 86_400;

type Occurrence = Pick<InstanceType<typeof ICAL.Event>, 'startDate' | 'endDate'> & {
  readonly item: InstanceType<typeof ICAL.Event>;
};

/** Reads the events of a file. Throws an Error when it is no iCalendar. */
export async function readICalendar(file: string, target: Target): Promise<Row[]> {
  const calendars = parsed(await readFile(file, 'utf8'), file);
  return calendars.flatMap((calendar) => {
    const components = calendar.getAllSubcomponents('vevent');
    const events = components.map((component) => new ICAL.Event(component));
    return events
      .filter((event) => !event.isRecurrenceException() && event.startDate !== null)
      .flatMap((event) => {
        const exceptions = events.filter((other) => other.isRecurrenceException() && other.uid === event.uid);
        return rowsOf(event, exceptions, target);
      });
  });
}

function parsed(text: string, file: string): InstanceType<typeof ICAL.Component>[] {
  try {
    const whole: unknown[] = [ICAL.parse(text)].flat();
    // One calendar is one component; several are a list of these.
    const components = typeof whole[0] === 'string' ? [whole] : whole;
    return components.map((one) => new ICAL.Component(one as [string, unknown[], unknown[]]));
  } catch (error) {
    throw new Error(`${file} is no iCalendar: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

function rowsOf(
  event: InstanceType<typeof ICAL.Event>,
  exceptions: readonly InstanceType<typeof ICAL.Event>[],
  target: Target,
): Row[] {
  if (!event.isRecurring())
    return [rowOf({ item: event, startDate: event.startDate, endDate: event.endDate }, event.uid, target)];
  for (const exception of exceptions) event.relateException(exception);
  const rows: Row[] = [];
  const iterator = event.iterator();
  const last = target.context.now + secondsAhead;
  for (let next = iterator.next(); next && rows.length < maxOccurrences; next = iterator.next()) {
    const occurrence = event.getOccurrenceDetails(next);
    if (occurrence.startDate.toUnixTime() > last) break;
    rows.push(rowOf(occurrence, `${event.uid} ${next.toString()}`, target));
  }
  return rows;
}

function rowOf(occurrence: Occurrence, uid: string, target: Target): Row {
  const { component } = occurrence.item;
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').trim();
  const status = text('status').toUpperCase();
  const changed = component.getFirstPropertyValue('last-modified');
  return {
    name: uid,
    uid,
    id: ownId(uid, target),
    modified: changed instanceof ICAL.Time ? formatWall(changed.toUnixTime()) : undefined,
    isCancelled: status === 'CANCELLED',
    fields: {
      title: escapeUTF8(text('summary')) || uid,
      description: text('x-alt-desc') || htmlOf(text('description')),
      ...times(occurrence, target),
      ...(status === 'TENTATIVE' ? { status: 'draft' } : { status: 'publish' }),
      ...(/^https?:/i.test(text('url')) ? { website: text('url') } : {}),
      ...(/^https?:/i.test(text('image')) ? { image: text('image') } : {}),
      categories: component
        .getAllProperties('categories')
        .flatMap((property) => property.getValues().map(String))
        .filter((name) => name.trim() !== ''),
    },
    venue: placeIn(text('location'), text('geo')),
    organizer: organizersIn(component),
  };
}

/** An event that was exported from here is named by the site and its id. */
function ownId(uid: string, { context: { site } }: Target): number | undefined {
  const [, host, id] = /^(.+)\?id=(\d{1,15})$/.exec(uid) ?? [];
  return host === new URL(site.url).hostname ? Number(id) : undefined;
}

/** Local times of a zone that is known stay such; others are moved into the zone of the site. Whole days end before the last one begins. */
function times({ item, startDate: start, endDate: end }: Occurrence, { context: { site } }: Target) {
  if (start.isDate) {
    const last = end.clone();
    if (end.compare(start) > 0) last.adjust(-1, 0, 0, 0);
    return { all_day: 'true', start_date: dayOf(start), end_date: dayOf(last), timezone: site.zone.name };
  }
  const tzid = zoneNameOf(item, 'dtstart');
  const isOfOneZone = [tzid, undefined].includes(zoneNameOf(item, 'dtend'));
  const isFloating = tzid === undefined && start.zone === ICAL.Timezone.localTimezone;
  if (isOfOneZone && (isFloating || findZone(tzid ?? '') !== undefined))
    return {
      ...{ all_day: 'false', start_date: wallOf(start), end_date: wallOf(end) },
      timezone: tzid ?? site.zone.name,
    };
  const instant = (time: typeof start) => new Date(time.toUnixTime() * 1000).toISOString();
  return {
    ...{ all_day: 'false', start_date: instant(start), end_date: instant(end) },
    timezone: site.zone.name,
  };
}

/** The zone need not stand in the file, where it is one that everybody knows. */
function zoneNameOf({ component }: Occurrence['item'], property: string): string | undefined {
  const tzid = component.getFirstProperty(property)?.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : undefined;
}

function dayOf({ year, month, day }: InstanceType<typeof ICAL.Time>): string {
  return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
    '-',
  );
}

function wallOf(time: InstanceType<typeof ICAL.Time>): string {
  const clock = [time.hour, time.minute, time.second].map((part) => String(part).padStart(2, '0'));
  return `${dayOf(time)} ${clock.join(':')}`;
}

function htmlOf(text: string): string {
  return escapeUTF8(text).replaceAll('\r\n', '\n');
}

/** The name of a place stands before the first comma, its address behind it. */
function placeIn(location: string, geo: string) {
  if (location === '') return [];
  const [, name = location, street = ''] = /^([^,]+),\s*(.*)$/s.exec(location) ?? [];
  const [lat = '', lng = ''] = geo.split(/[;,]/);
  return [
    {
      venue: escapeUTF8(name.trim()),
      ...(street === '' ? {} : { address: escapeUTF8(street) }),
      ...(lat === '' || lng === '' ? {} : { geo_lat: Number(lat), geo_lng: Number(lng) }),
    },
  ];
}

function organizersIn(component: InstanceType<typeof ICAL.Component>) {
  const property = component.getFirstProperty('organizer');
  const uri = String(property?.getFirstValue() ?? '');
  const [, email] = /^mailto:([^\s@<>]+@[^\s@<>]+)$/i.exec(uri) ?? [];
  const name = String(property?.getFirstParameter('cn') ?? email ?? '').trim();
  return name === '' ? [] : [{ organizer: escapeUTF8(name), ...(email === undefined ? {} : { email }) }];
}
