import { findZone, type Zone } from './dates/zone.ts';

export interface Site {
  /** Address without a slash at the end. */
  readonly url: string;
  readonly zone: Zone;
}

/** Makes the site of an address and the name of a time zone; an unknown zone is a RangeError. */
export function siteOf(url: string, zoneName: string): Site {
  const zone = findZone(zoneName);
  if (zone === undefined)
    throw new RangeError(`Cannot use the time zone "${zoneName}": there is none of that name.`);
  return { url, zone };
}
