/** Time zones of iCalendar: those of IANA and Windows by their names, others by the rules in the file, else floating. */

import ICAL from 'ical.js';
import { findZone, readWall, toInstant, type Zone } from '../../../functions/calendar/model/dates/wall.ts';
import type { Notes } from '../import/notes.ts';
import { ianaZone } from '../import/zone-names.ts';

type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;
export type Time = InstanceType<typeof ICAL.Time>;

/** A zone with the rules of this calendar. The rules of a file may be outdated, or wrong. */
class NamedZone extends ICAL.Timezone {
  readonly #zone: Zone;

  constructor(zone: Zone) {
    super({ tzid: zone.name });
    this.#zone = zone;
  }

  override utcOffset(time: Time): number {
    const wall = readWall(wallOf(time));
    return wall - toInstant(this.#zone, wall);
  }
}

const dateProperties = ['dtstart', 'dtend', 'recurrence-id', 'exdate', 'rdate'];
const noRules = 'Unknown time zones, whose times are read as those of the site';

/** Gives the dates of an event the rules of their zones. */
export function setZones(event: Component, calendar: Component, notes: Notes): void {
  for (const property of dateProperties.flatMap((name) => event.getAllProperties(name))) {
    const tzid = tzidOf(property);
    if (tzid === undefined) continue;
    const zone = findZone(ianaZone(tzid) ?? '');
    if (zone === undefined && calendar.getTimeZoneByID(tzid) === null) notes.add(noRules, tzid);
    if (zone === undefined) continue;
    for (const value of property.getValues())
      if (value instanceof ICAL.Time && !value.isDate && value.zone !== ICAL.Timezone.utcTimezone)
        value.zone = zones.get(zone.name) ?? newZone(zone);
  }
}

const zones = new Map<string, NamedZone>();

function newZone(zone: Zone): NamedZone {
  const named = new NamedZone(zone);
  zones.set(zone.name, named);
  return named;
}

function tzidOf(property: Property): string | undefined {
  const tzid = property.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : undefined;
}

/** Returns the name of the zone of a time; undefined for UTC, for floating times, and for rules of a file. */
export function zoneNameOf({ zone }: Time): string | undefined {
  return zone instanceof NamedZone ? zone.tzid : undefined;
}

/** Returns the day of a time, `YYYY-MM-DD`. */
export function dayOf({ year, month, day }: Time): string {
  return [String(year).padStart(4, '0'), ...[month, day].map(twoDigits)].join('-');
}

/** Returns the wall time of a time, `YYYY-MM-DD HH:MM:SS`. */
export function wallOf(time: Time): string {
  return `${dayOf(time)} ${[time.hour, time.minute, time.second].map(twoDigits).join(':')}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
