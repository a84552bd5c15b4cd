/**
 * Prints `functions/calendar/model/dates/zone-abbreviations.json`: the abbreviations of the IANA time zone database (public domain), as the
 * package moment-timezone has them. A test tells when that package knows others.
 */

import moment from 'moment-timezone';

/** Returns the names of zones by their abbreviations, each with its minutes ahead of UTC: `CET 60, CEST 120`. Links have those of their target. */
export function zoneAbbreviations(): Readonly<Record<string, string>> {
  const groups = Map.groupBy(moment.tz.names().toSorted(), abbreviationsOf);
  groups.delete('');
  return Object.fromEntries([...groups].map(([abbreviations, names]) => [abbreviations, names.join(' ')]));
}

/** Those since 1970 count, of several for one offset the latest; numbers are none. */
function abbreviationsOf(name: string): string {
  const { abbrs = [], offsets = [], untils = [] } = moment.tz.zone(name) ?? {};
  const latest = new Map(
    offsets.flatMap((behind, index) =>
      (untils[index] ?? Number.POSITIVE_INFINITY) > 0 ? [[-Math.round(behind), abbrs[index] ?? '']] : [],
    ) as [number, string][],
  );
  return [...latest]
    .filter(([, abbreviation]) => /^[A-Za-z]{3,5}$/.test(abbreviation))
    .toSorted(([a], [b]) => a - b)
    .map(([minutes, abbreviation]) => `${abbreviation} ${minutes}`)
    .join(', ');
}

if (import.meta.main) console.log(JSON.stringify(zoneAbbreviations(), null, 2));
