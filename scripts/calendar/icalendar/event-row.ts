/** One event of iCalendar, or one occurrence of a recurring event, in the fields of the API. */

import { escapeUTF8 } from 'entities/escape';
import ICAL from 'ical.js';
import { formatWall } from '../../../functions/calendar/model/dates/wall.ts';
import { isAbsoluteUrl } from '../../../functions/calendar/model/fields/parsers.ts';
import type { Contact, Row, RowSource } from '../import/row.ts';
import { venuesOf } from './location.ts';
import { descriptionOf } from './texts.ts';
import { dayOf, type Time, wallOf, zoneNameOf } from './zones.ts';

type Component = InstanceType<typeof ICAL.Component>;

export interface Occurrence {
  readonly component: Component;
  readonly start: Time;
  readonly end: Time;
  /** Permanent name of the event, with its time for one of several occurrences. */
  readonly uid: string;
  /** Id of the event of this calendar that the occurrence is. */
  readonly id?: number | undefined;
}

/** Returns the row of an occurrence. Of an event of this calendar, a property that is not there says nothing. */
export function rowOf({ component, start, end, uid, id }: Occurrence, source: RowSource): Row {
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').trim();
  const lastModified = component.getFirstPropertyValue('last-modified');
  const isCancelled =
    text('status').toUpperCase() === 'CANCELLED' ||
    String(component.parent?.getFirstPropertyValue('method') ?? '').toUpperCase() === 'CANCEL';
  const website = webAddress(text('url'));
  const image = imageOf(component);
  const fields = {
    title: escapeUTF8(text('summary')) || (id === undefined ? uid : ''),
    description: descriptionOf(text('description'), htmlOf(component)),
    ...timesOf(component, start, end, source),
    ...(website === undefined ? {} : { website }),
    ...(image === undefined ? {} : { image }),
    categories: component
      .getAllProperties('categories')
      .flatMap((property) => property.getValues().map(String))
      .filter((name) => name.trim() !== ''),
  };
  const venue = venuesOf(component);
  const organizer = organizersOf(component);
  const row = {
    kind: 'event',
    name: text('summary').slice(0, 60) || uid.slice(0, 60),
    uid,
    id,
    isCancelled,
    modified: lastModified instanceof ICAL.Time ? formatWall(lastModified.toUnixTime()) : undefined,
  } as const;
  if (id === undefined) return { ...row, fields: { ...fields, status: statusOf(text) }, venue, organizer };
  const present = Object.entries(fields).filter(([, value]) => value.length > 0);
  return {
    ...row,
    fields: Object.fromEntries(present),
    venue: venue.length > 0 ? venue : undefined,
    organizer: organizer.length > 0 ? organizer : undefined,
  };
}

/** Returns a status that no more readers can see than those of the source. */
function statusOf(text: (name: string) => string): string {
  if (/^(?:PRIVATE|CONFIDENTIAL)$/i.test(text('class'))) return 'private';
  return text('status').toUpperCase() === 'TENTATIVE' ? 'draft' : 'publish';
}

/** Returns the dates of an event. Local times of a named zone are kept; all other times are those of the site. */
function timesOf(component: Component, start: Time, end: Time, { zone }: RowSource) {
  if (start.isDate || isWholeDays(component)) {
    const lastDay = end.clone();
    const isExclusive = end.isDate || (end.hour === 0 && end.minute === 0);
    if (isExclusive && end.compare(start) > 0) lastDay.adjust(-1, 0, 0, 0);
    return { all_day: 'true', start_date: dayOf(start), end_date: dayOf(lastDay), timezone: zone };
  }
  const name = zoneNameOf(start);
  const isFloating = start.zone === ICAL.Timezone.localTimezone;
  if ((name !== undefined && name === zoneNameOf(end)) || (isFloating && end.zone === start.zone))
    return { all_day: 'false', start_date: wallOf(start), end_date: wallOf(end), timezone: name ?? zone };
  const instant = (time: Time) =>
    time.zone === ICAL.Timezone.localTimezone
      ? wallOf(time)
      : formatWall(time.toUnixTime()).replace(' ', 'T').concat('Z');
  return { all_day: 'false', start_date: instant(start), end_date: instant(end), timezone: name ?? zone };
}

/** Outlook writes whole days as times from midnight to midnight. */
function isWholeDays(component: Component): boolean {
  return /^true$/i.test(String(component.getFirstPropertyValue('x-microsoft-cdo-alldayevent') ?? ''));
}

/** Returns the HTML of Outlook. The library reads no escapes of properties that it does not know. */
function htmlOf(component: Component): string {
  const text = String(component.getFirstPropertyValue('x-alt-desc') ?? '');
  return text.replace(/\\([nN,;\\])/g, (_all, character: string) =>
    character.toLowerCase() === 'n' ? '\n' : character,
  );
}

/** Returns the picture of an event: IMAGE (RFC 7986), else an attached one. Attached data is no picture with an address. */
function imageOf(component: Component): string | undefined {
  const attached = component.getAllProperties('attach').filter((property) => {
    const type = property.getFirstParameter('fmttype') ?? '';
    return (
      /^image\//i.test(type) ||
      /\.(?:avif|gif|jpe?g|png|webp)(?:$|\?)/i.test(String(property.getFirstValue()))
    );
  });
  const values = [component.getFirstProperty('image'), ...attached].map((item) => item?.getFirstValue());
  return values.map((value) => webAddress(String(value ?? ''))).find((url) => url !== undefined);
}

/** Returns an http(s) URL as the API accepts it. */
function webAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = isAbsoluteUrl(text) ? text : new URL(text).href;
  return isAbsoluteUrl(url) ? url : undefined;
}

function organizersOf(component: Component): Contact[] {
  const property = component.getFirstProperty('organizer');
  const uri = String(property?.getFirstValue() ?? '');
  const [, email] = /^mailto:([^\s@<>]+@[^\s@<>]+)$/i.exec(uri) ?? [];
  const name = String(property?.getFirstParameter('cn') || (email ?? '')).trim();
  return name === '' ? [] : [{ organizer: escapeUTF8(name), ...(email === undefined ? {} : { email }) }];
}
