/** One event of iCalendar, or one occurrence of a recurring event, in the fields of the API. */

import { escapeUTF8 } from 'entities/escape';
import { formatWall, secondsOfDay } from '../../../functions/calendar/model/dates/wall.ts';
import { isAbsoluteUrl } from '../../../functions/calendar/model/fields/parsers.ts';
import { plainText } from '../../../functions/calendar/model/text/plain-text.ts';
import type { SourceIdentity } from '../../../functions/calendar/model/values.ts';
import type { Contact, Row, RowSource } from '../import/row.ts';
import { type DateTime, instantOf } from './date-time.ts';
import { writeLong } from './instance.ts';
import { placeOf } from './location.ts';
import type { Component } from './parse-calendars.ts';
import type { Occurrence } from './series.ts';
import { descriptionOf, uriOf } from './texts.ts';

/** The format of the sources of iCalendar, with which their names begin. */
export const format = 'icalendar';

/** Returns the row of an occurrence, whose UID belongs to a source. Of an event of this calendar, a property that is not there says nothing. */
export function rowOf(occurrence: Occurrence, source: RowSource, identitySource: string): Row {
  const { component, uid, recurrence, formerUid, isFirst, isCancelled } = occurrence;
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').trim();
  // An event of this calendar was one event: its first occurrence.
  const id = isFirst ? localId(uid, source) : undefined;
  const { venues: venue, links } = placeOf(component);
  const website = [text('url'), ...links].map(webAddress).find((address) => address !== undefined);
  const image = imageOf(component);
  const written = descriptionOf(text('description'), htmlOf(component));
  const isNameless = text('summary') === '';
  const name = text('summary') || (id === undefined ? nameOfContents(written, venue) : '');
  const fields = {
    title: escapeUTF8(name) || (id === undefined ? untitled : ''),
    description: withLinks(
      written,
      links.filter((link) => website === undefined || webAddress(link) !== website),
    ),
    ...timesOf(occurrence, source),
    ...(website === undefined ? {} : { website }),
    ...(image === undefined ? {} : { image }),
    categories: component
      .getAllProperties('categories')
      .flatMap((property) => property.getValues().map(String))
      .filter((name) => name.trim() !== ''),
  };
  const organizer = organizersOf(component);
  const row = {
    kind: 'event',
    name: text('summary').slice(0, 60) || uid.slice(0, 60),
    identity: { source: identitySource, uid, recurrence },
    otherIdentities: otherIdentities(occurrence, identitySource),
    formerUid,
    hasSeries: occurrence.hasSeries,
    id,
    isCancelled,
    modified: modifiedOf(text('last-modified')),
  } as const;
  const status = name === '' ? 'draft' : statusOf(text);
  if (id === undefined) return { ...row, isNameless, fields: { ...fields, status }, venue, organizer };
  const present = Object.entries(fields).filter(([, value]) => value.length > 0);
  return {
    ...row,
    fields: Object.fromEntries(present),
    venue: venue.length > 0 ? venue : undefined,
    organizer: organizer.length > 0 ? organizer : undefined,
  };
}

/** The title of an event that has neither a name nor anything to name it after. */
const untitled = 'Untitled event';
/** Characters of a name that is taken from a description. */
const maxNameLength = 80;

/** Returns a name for an event without one: the first line of its description, else its place; an empty text without these. */
function nameOfContents(description: string, [venue]: readonly Contact[]): string {
  const [line = ''] = description
    .replace(/<(?:br|\/p|\/div|\/h\d|\/li)\b[^<>]*>/gi, '\n')
    .split('\n')
    .map((text) => plainText(text).trim())
    .filter((text) => text !== '');
  if (line.length > maxNameLength) return `${line.slice(0, maxNameLength).replace(/\s+\S*$/, '')}\u2026`;
  return line || plainText(String(venue?.['venue'] ?? ''));
}

/** Appends the links that a description does not have. */
function withLinks(description: string, links: readonly string[]): string {
  const missing = links.map(escapeUTF8).filter((item) => !description.includes(item));
  const shown = missing.map((item) =>
    webAddress(item) === undefined ? item : `<a href="${item}">${item}</a>`,
  );
  return [description, ...shown].filter((item) => item !== '').join('\n\n');
}

/** Returns a status that no more readers can see than those of the source. */
function statusOf(text: (name: string) => string): string {
  if (/^(?:PRIVATE|CONFIDENTIAL)$/i.test(text('class'))) return 'private';
  return text('status').toUpperCase() === 'TENTATIVE' ? 'draft' : 'publish';
}

/** Returns the names that the event may have in an earlier file, in which its UID had fewer or more events. */
function otherIdentities(
  { uid, writtenUid, recurrence, otherRecurrence, start }: Occurrence,
  source: string,
): SourceIdentity[] {
  const uids = uid === writtenUid ? [uid, `${uid} ${writeLong(start, start.wall)}`] : [writtenUid];
  const recurrences = otherRecurrence === undefined ? [recurrence] : [recurrence, otherRecurrence];
  return [uid, ...uids].flatMap((name) =>
    recurrences.map((item) => ({ source, uid: name, recurrence: item })),
  );
}

/** Returns the time of the last change in UTC; undefined for another text. */
function modifiedOf(text: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/i.exec(text) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** Returns the id of an event that was exported from this calendar: its UID has the host of the site and the id. */
function localId(uid: string, { host }: RowSource): number | undefined {
  const [, name, id] = /^(.+)\?id=(\d{1,15})$/.exec(uid) ?? [];
  return name === host ? Number(id) : undefined;
}

/** Returns the dates of an event. Local times of a named zone are kept; all other times are those of the site. */
function timesOf({ start, end }: Pick<Occurrence, 'start' | 'end'>, { zone }: RowSource) {
  const dayOf = (wall: number) => formatWall(wall).slice(0, 10);
  if (start.isDate)
    return {
      all_day: 'true',
      start_date: dayOf(start.wall),
      end_date: dayOf(end.wall - secondsOfDay),
      timezone: zone,
    };
  const timezone = start.zone.isNamed ? start.zone.name : zone;
  const isLocal = start.zone.isNamed && end.zone === start.zone;
  const textOf = (time: DateTime) =>
    isLocal ? formatWall(time.wall) : formatWall(instantOf(time)).replace(' ', 'T').concat('Z');
  return { all_day: 'false', start_date: textOf(start), end_date: textOf(end), timezone };
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
function webAddress(written: string): string | undefined {
  const text = uriOf(written);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = isAbsoluteUrl(text) ? text : new URL(text).href;
  return isAbsoluteUrl(url) ? url : undefined;
}

function organizersOf(component: Component): Contact[] {
  const property = component.getFirstProperty('organizer');
  const uri = String(property?.getFirstValue() ?? '');
  const [, email] = /^mailto:([^\s@<>]+@[^\s@<>]+)$/i.exec(uri) ?? [];
  const name = decoded(String(property?.getFirstParameter('cn') || (email ?? '')).trim());
  return name === '' ? [] : [{ organizer: escapeUTF8(name), ...(email === undefined ? {} : { email }) }];
}

/** The feed of The Events Calendar for WordPress writes names percent-encoded. A text that is no such encoding is unchanged. */
function decoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
