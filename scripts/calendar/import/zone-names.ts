/** Names of time zones as other programs write them. The only importer of windows-iana, which has CLDR's table of Windows zones. */

import { findIana } from 'windows-iana';
import { findZone, toInstant } from '../../../functions/calendar/model/dates/wall.ts';

/** What stands between the parts of a name in which an IANA name is one: `Europe/Berlin (CEST)`. */
const aroundNames = /[^\w+/-]+/;

/** An offset as programs show it: `GMT+0800`, `(UTC-05:00)`, `(GMT+01.00)`, with a text behind it or without. */
const shownOffset = /^\(?(?:GMT|UTC)\s*([+-]\s*\d{1,2})(?:[:.]?(\d{2}))?\)?(?:\s+(.*))?$/i;
/** The same without an offset: `(UTC) Dublin, Edinburgh, Lisbon, London`. */
const shownZero = /^\((?:GMT|UTC)\)\s+(?=\S)/i;

/** Places in names that Windows shows and whose zones no table knows under these names. */
const shownPlaces: ReadonlyMap<string, string> = new Map([
  ['alaska', 'America/Anchorage'],
  ['indiana', 'America/Indiana/Indianapolis'],
  ['baja california', 'America/Tijuana'],
  ['arizona', 'America/Phoenix'],
  ['hawaii', 'Pacific/Honolulu'],
  ['saskatchewan', 'America/Regina'],
  ['new delhi', 'Asia/Kolkata'],
  ['beijing', 'Asia/Shanghai'],
  ['canberra', 'Australia/Sydney'],
  ['bern', 'Europe/Zurich'],
  ['greenwich mean time', 'Europe/London'],
]);

/** Returns the name of a zone that the calendar has; undefined for an unknown name. */
export function ianaZone(text: string): string | undefined {
  const name = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
  if (name === '') return undefined;
  const [, hours, minutes, place] = shownOffset.exec(name.replace(shownZero, '(UTC+00:00) ')) ?? [];
  if (hours === undefined) return zoneNamed(name);
  const offset = offsetName(hours, minutes);
  if (place === undefined) return offset;
  return zoneNamed(place) ?? (offset === undefined ? undefined : (zoneOfPlaces(place, offset) ?? offset));
}

/** Checks whether a name is an offset from UTC, which has no summer time. */
export function isOffset(name: string): boolean {
  return /^UTC[+-]/.test(name);
}

function zoneNamed(name: string): string | undefined {
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name) || /^\(?UTC\)?\s*(?:Coordinated Universal Time)?$/i.test(name))
    return 'UTC';
  const [beforeBracket = ''] = name.split(/\s*\(/);
  const iana = [name, ...[name, beforeBracket].filter((item) => item.includes('/')).map(withUnderscores)];
  return iana.find((item) => findZone(item) !== undefined) ?? zoneWithin(name) ?? windowsZone(name);
}

function withUnderscores(name: string): string {
  return name.replace(/\s*\/\s*/g, '/').replace(/ /g, '_');
}

/**
 * Returns the IANA name within a longer name, as Evolution, KDE and Mozilla write it: `/freeassociation.sourceforge.net/Tzfile/Europe/Berlin`,
 * `/citadel.org/20210210_1/UTC`, `Europe/Berlin (CEST)`.
 */
function zoneWithin(name: string): string | undefined {
  const isRegion = (text: string) => /^[A-Z].*\/[A-Z]/.test(text) && findZone(text) !== undefined;
  for (const words of name.slice(0, maxNameLength).split(aroundNames)) {
    const parts = words.split('/').filter((part) => part !== '');
    const paths = [3, 2].flatMap((length) =>
      parts.map((_part, index) => parts.slice(index, index + length).join('/')),
    );
    const found = paths.find(isRegion);
    if (found !== undefined) return found;
  }
  // A path of a registry may end with a zone that is in no region.
  const [, last = ''] = /^\/[^/\s]+\/(?:.*\/)?([A-Z]{3})$/.exec(name) ?? [];
  return findZone(last) === undefined ? undefined : last;
}

/** Characters of a name in which an IANA name is looked for. */
const maxNameLength = 200;

/** Returns the zone of Windows by its name, or by a part of it: `Eastern Time (US & Canada)`, `W. Europe`, `Pacific Daylight Time`. */
function windowsZone(name: string): string | undefined {
  const [base = ''] = name.split(/\s*\(/);
  const standard = base.replace(/ (?:(?:Daylight|Summer) )?Time$/i, '');
  for (const candidate of [name, base, `${standard} Standard Time`]) {
    const [iana] = findIana(candidate);
    if (iana !== undefined && findZone(iana) !== undefined) return iana;
  }
  return undefined;
}

/** Returns the first zone that has the name of one of the places, and the offset in winter. */
function zoneOfPlaces(text: string, offset: string): string | undefined {
  const places = text.split(/[,:/(]/).map((place) => place.replace(')', '').trim().toLowerCase());
  const zones = places.flatMap((place) => [
    ...(shownPlaces.has(place) ? [shownPlaces.get(place) ?? ''] : []),
    ...cities().filter((zone) => zone.split('/').at(-1)?.toLowerCase() === place.replaceAll(' ', '_')),
  ]);
  return zones.find((zone) => hasOffset(zone, offset));
}

const cities = () => Intl.supportedValuesOf('timeZone');

/** Checks whether a zone has an offset in January or in July. */
function hasOffset(zone: string, offset: string): boolean {
  const found = findZone(zone);
  const wanted = findZone(offset);
  if (found === undefined || wanted === undefined) return false;
  const walls = [Date.UTC(2025, 0, 15), Date.UTC(2025, 6, 15)].map((milliseconds) => milliseconds / 1000);
  return walls.some((wall) => toInstant(found, wall) === toInstant(wanted, wall));
}

function offsetName(hours: string, minutes = '00'): string | undefined {
  const name = `UTC${hours.replace(/\s/g, '').replace(/^([+-])0(?=\d)/, '$1')}${minutes === '00' ? '' : `:${minutes}`}`;
  if (/^UTC[+-]0$/.test(name)) return 'UTC';
  return findZone(name) === undefined ? undefined : name;
}
