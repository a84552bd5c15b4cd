/** Reads events from iCalendar (RFC 5545), with one event for each occurrence of a recurring event. */

import { readFile } from 'node:fs/promises';
import { escapeUTF8 } from 'entities/escape';
import ICAL from 'ical.js';
import { findZone, formatWall } from '../../../../shared/calendar/model/dates/wall.ts';
import type { Row } from './rows.ts';
import type { Target } from './target.ts';

/** Occurrences of one event: at most 500, and at most those of the next two years. */
const maxOccurrences = 500;
const secondsAhead = 2 * 366 * 86_400;

type Occurrence = Pick<InstanceType<typeof ICAL.Event>, 'startDate' | 'endDate'> & {
  readonly item: InstanceType<typeof ICAL.Event>;
};

/** Reads the events of a file. Throws an Error for a file that is not iCalendar. */
export async function readICalendar(file: string, target: Target): Promise<Row[]> {
  const calendars = parseCalendars(await readFile(file, 'utf8'), file);
  return calendars.flatMap((calendar) => {
    const components = calendar.getAllSubcomponents('vevent');
    const events = components.map((component) => new ICAL.Event(component));
    return events
      .filter((event) => !event.isRecurrenceException() && event.startDate !== null)
      .flatMap((event) => {
        const exceptions = events.filter(
          (candidate) => candidate.isRecurrenceException() && candidate.uid === event.uid,
        );
        return rowsOf(event, exceptions, target);
      });
  });
}

function parseCalendars(text: string, file: string): InstanceType<typeof ICAL.Component>[] {
  try {
    const content: unknown[] = [ICAL.parse(text)].flat();
    // A file with one calendar is one component; with several calendars it is a list of components.
    const components = typeof content[0] === 'string' ? [content] : content;
    return components.map((component) => new ICAL.Component(component as [string, unknown[], unknown[]]));
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
  const maxTime = target.context.now + secondsAhead;
  for (let next = iterator.next(); next && rows.length < maxOccurrences; next = iterator.next()) {
    const occurrence = event.getOccurrenceDetails(next);
    if (occurrence.startDate.toUnixTime() > maxTime) break;
    rows.push(rowOf(occurrence, `${event.uid} ${next.toString()}`, target));
  }
  return rows;
}

function rowOf(occurrence: Occurrence, uid: string, target: Target): Row {
  const { component } = occurrence.item;
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').trim();
  const status = text('status').toUpperCase();
  const lastModified = component.getFirstPropertyValue('last-modified');
  return {
    name: uid,
    uid,
    id: localId(uid, target),
    modified: lastModified instanceof ICAL.Time ? formatWall(lastModified.toUnixTime()) : undefined,
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

/** Returns the id of an event that was exported from this calendar: its UID has the host of the site and the id. */
function localId(uid: string, { context: { site } }: Target): number | undefined {
  const [, host, id] = /^(.+)\?id=(\d{1,15})$/.exec(uid) ?? [];
  return host === new URL(site.url).hostname ? Number(id) : undefined;
}

/** Keeps local times of a valid zone and converts all other times into the zone of the site. The end of an all-day event is exclusive. */
function times({ item, startDate: start, endDate: end }: Occurrence, { context: { site } }: Target) {
  if (start.isDate) {
    const lastDay = end.clone();
    if (end.compare(start) > 0) lastDay.adjust(-1, 0, 0, 0);
    return { all_day: 'true', start_date: dayOf(start), end_date: dayOf(lastDay), timezone: site.zone.name };
  }
  const tzid = zoneNameOf(item, 'dtstart');
  const hasSameZone = [tzid, undefined].includes(zoneNameOf(item, 'dtend'));
  const isFloating = tzid === undefined && start.zone === ICAL.Timezone.localTimezone;
  if (hasSameZone && (isFloating || findZone(tzid ?? '') !== undefined))
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

/** Returns the name of a zone, which need not be defined in the file. */
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

/** Splits a location at its first comma into the name of a venue and its address. */
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
