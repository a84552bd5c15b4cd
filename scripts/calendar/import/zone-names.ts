/** Names of time zones as other programs write them. The only importer of windows-iana, which has CLDR's table of Windows zones. */

import { findIana } from 'windows-iana';
import { findZone } from '../../../functions/calendar/model/dates/wall.ts';

/** An IANA name at the end of a longer name, such as `/mozilla.org/20050126_1/Europe/Berlin`. */
const nameAtEnd = /(?:^|\/)([A-Z][A-Za-z_]+\/[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)?)$/;

/** Returns the name of a zone that the calendar has; undefined for an unknown name. */
export function ianaZone(text: string): string | undefined {
  const name = text.replace(/^"(.*)"$/, '$1').trim();
  if (findZone(name) !== undefined) return name;
  const [windows] = findIana(name);
  if (windows !== undefined && findZone(windows) !== undefined) return windows;
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name) || /^\(?UTC\)?\s*(?:Coordinated Universal Time)?$/i.test(name))
    return 'UTC';
  const [, atEnd] = nameAtEnd.exec(name) ?? [];
  return atEnd !== undefined && findZone(atEnd) !== undefined ? atEnd : undefined;
}
