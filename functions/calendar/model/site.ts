/** The site that shows the calendar: its URL, time zone and currency. */

import { type Currency, dollars } from './cost.ts';
import { findZone, type Zone } from './dates/wall.ts';
import { type Language, languages } from './values.ts';

export interface Site {
  /** URL without a slash at the end; empty when the calendar belongs to no site, and its pages are those of the service. */
  readonly url: string;
  readonly zone: Zone;
  /** Name of the site; empty for the name of its host. */
  readonly name: string;
  /** Currency of amounts that are written without one. */
  readonly currency: Currency;
  /** Language of the default texts, where it is one that texts are translated into. */
  readonly language?: Language | undefined;
}

/** Creates the site of a URL, the name of a time zone, a name for people, a currency and the language of its texts; an unknown zone is a RangeError. */
export function siteOf(
  url: string,
  zoneName: string,
  name = '',
  currency = dollars,
  textLanguage?: string,
): Site {
  const zone = findZone(zoneName);
  if (zone === undefined)
    throw new RangeError(`Cannot use the time zone "${zoneName}": there is none of that name.`);
  const language = languages.find((one) => one === textLanguage);
  return { url, zone, name, currency, ...(language === undefined ? {} : { language }) };
}
