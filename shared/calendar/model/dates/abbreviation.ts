/** Abbreviations of zones, as the IANA database has them; `Intl` knows each only in the locales where it is in use. */

import { createCache } from '../../../cache.ts';

/** Locales to ask, in this order. */
const locales = ['en-US', 'en-GB', 'en-IE', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA'];

/** Zones whose abbreviation no English locale of `Intl` gives: in standard time, and in daylight saving time where they have one. */
const others: Readonly<Record<string, readonly [string, string?]>> = {
  'America/Havana': ['CST', 'CDT'],
  'Asia/Hong_Kong': ['HKT'],
  'Asia/Jakarta': ['WIB'],
  'Asia/Jayapura': ['WIT'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Asia/Karachi': ['PKT'],
  'Asia/Macau': ['CST'],
  'Asia/Makassar': ['WITA'],
  'Asia/Manila': ['PST'],
  'Asia/Pontianak': ['WIB'],
  'Asia/Pyongyang': ['KST'],
  'Asia/Seoul': ['KST'],
  'Asia/Shanghai': ['CST'],
  'Asia/Taipei': ['CST'],
  'Asia/Tokyo': ['JST'],
  'Europe/Kirov': ['MSK'],
  'Europe/Moscow': ['MSK'],
  'Europe/Simferopol': ['MSK'],
  'Europe/Volgograd': ['MSK'],
  'Pacific/Guam': ['ChST'],
  'Pacific/Pago_Pago': ['SST'],
};

/** Zones whose formatters are cached; they are large. */
const maxZones = 100;
const formatters = createCache<string, readonly Intl.DateTimeFormat[]>({ maxEntries: maxZones });

/** Returns the alphabetic abbreviation of an IANA zone at an instant (seconds), or undefined when it has none. */
export function alphabeticAbbreviation(zone: string, instant: number): string | undefined {
  const [standard, saving] = others[zone] ?? [];
  if (standard !== undefined) return isSaving(zone, instant) ? saving : standard;
  for (const formatter of formattersOf(zone)) {
    const name = nameAt(formatter, instant);
    if (/^[A-Za-z]{3,5}$/.test(name)) return name;
  }
  return undefined;
}

function isSaving(zone: string, instant: number): boolean {
  const [, saving] = others[zone] ?? [];
  const [formatter] = formattersOf(zone);
  if (saving === undefined || formatter === undefined) return false;
  const january = Date.UTC(new Date(instant * 1000).getUTCFullYear(), 0, 1) / 1000;
  return nameAt(formatter, instant) !== nameAt(formatter, january);
}

function formattersOf(zone: string): readonly Intl.DateTimeFormat[] {
  const cached = formatters.get(zone);
  if (cached !== undefined) return cached;
  const created = locales.map(
    (locale) => new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }),
  );
  formatters.set(zone, created);
  return created;
}

function nameAt(formatter: Intl.DateTimeFormat, instant: number): string {
  const parts = formatter.formatToParts(instant * 1000);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}
