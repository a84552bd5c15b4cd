/** How a series of events repeats, in words: `every Tuesday until 26 May`. */

import { locales, timeOfText } from './when.ts';
import type { PageLanguage } from './words.ts';

/** What is said of a series, as the API shows it. Dates read `2027-01-05 19:00:00`. */
export interface Repetition {
  readonly rrule: string;
  /** Days by which its dates were moved together. */
  readonly shift: number;
  readonly total: number;
  /** Day from which the rule counts. */
  readonly rule_start: string;
  readonly last_date: string;
}

/** Weekdays of RFC 5545, from Monday. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** A Monday. */
const monday = Date.UTC(2024, 0, 1);
const day = 24 * 60 * 60 * 1000;

type Unit = 'day' | 'week' | 'month' | 'year';

const everyWords: Readonly<
  Record<PageLanguage, Readonly<Record<Unit, readonly [one: string, other: string]>>>
> = {
  en: { day: ['day', 'days'], week: ['week', 'weeks'], month: ['month', 'months'], year: ['year', 'years'] },
  da: { day: ['dag', 'dag'], week: ['uge', 'uge'], month: ['måned', 'måned'], year: ['år', 'år'] },
  sv: { day: ['dag', 'dag'], week: ['vecka', 'vecka'], month: ['månad', 'månad'], year: ['år', 'år'] },
};

/** Says each, or each second, third and so on: `every week`, `every other week`, `every 3 weeks`. */
export function everyOf(unit: Unit, interval: number, language: PageLanguage): string {
  const [one, other] = everyWords[language][unit];
  const isYear = unit === 'year';
  const every = {
    en: ['every', 'every other', `every ${interval}`],
    da: isYear ? ['hvert', 'hvert andet', `hvert ${interval}.`] : ['hver', 'hver anden', `hver ${interval}.`],
    sv: isYear ? ['varje', 'vartannat', `vart ${interval}:e`] : ['varje', 'varannan', `var ${interval}:e`],
  }[language];
  return `${every[Math.min(interval, 3) - 1]} ${interval > 2 ? other : one}`;
}

/** Returns the name of a weekday, 0 for Monday. */
export function weekdayName(number: number, language: PageLanguage, form: 'long' | 'short' = 'long'): string {
  const format = new Intl.DateTimeFormat(locales[language], { weekday: form, timeZone: 'UTC' });
  return format.format(monday + number * day);
}

/** Returns the weekday of a date, 0 for Monday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7;
}

const positions: Readonly<Record<PageLanguage, Readonly<Record<string, string>>>> = {
  en: { '1': 'first', '2': 'second', '3': 'third', '4': 'fourth', '5': 'fifth', '-1': 'last' },
  da: { '1': 'første', '2': 'anden', '3': 'tredje', '4': 'fjerde', '5': 'femte', '-1': 'sidste' },
  sv: { '1': 'första', '2': 'andra', '3': 'tredje', '4': 'fjärde', '5': 'femte', '-1': 'sista' },
};

/** Says a rule without its end: `on the second Tuesday of every month`; undefined for one that takes more words. */
export function ruleInWords(
  { rrule, shift, rule_start: first }: Pick<Repetition, 'rrule' | 'shift' | 'rule_start'>,
  language: PageLanguage,
): string | undefined {
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]));
  const frequency = parts.get('FREQ');
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const byDay = parts.get('BYDAY')?.split(',') ?? [];
  const known = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST'];
  const others = [...parts.keys()].filter((name) => !known.includes(name)).join();
  if (frequency === 'DAILY' && others === '') return everyOf('day', interval, language);
  if (frequency === 'WEEKLY' && (others === '' || others === 'BYDAY'))
    return weekly(byDay, interval, shift, first, language);
  if (shift !== 0) return undefined;
  if (frequency === 'MONTHLY') return monthly(parts, others, interval, first, language);
  if (frequency === 'YEARLY' && others === '') return yearly(interval, first, language);
  return undefined;
}

function weekly(
  byDay: readonly string[],
  interval: number,
  shift: number,
  first: string,
  language: PageLanguage,
): string {
  const numbers = byDay.map((name) => weekdays.indexOf(name as (typeof weekdays)[number]) + shift);
  const shown = (numbers.length === 0 ? [weekdayOf(first)] : numbers)
    .map((number) => ((number % 7) + 7) % 7)
    .sort();
  const names = new Intl.ListFormat(locales[language]).format(
    shown.map((number) => weekdayName(number, language)),
  );
  if (shown.length === 7 && interval === 1) return everyOf('day', 1, language);
  const isPlain = interval === 1 || (interval === 2 && shown.length === 1);
  if (!isPlain) return `${everyOf('week', interval, language)}: ${names}`;
  return `${everyOf('week', interval, language).replace(/\S+$/, '')}${names}`;
}

function monthly(
  parts: ReadonlyMap<string, string>,
  others: string,
  interval: number,
  first: string,
  language: PageLanguage,
): string | undefined {
  const month = everyOf('month', interval, language);
  const monthDay = others === '' ? String(Number(first.slice(8, 10))) : parts.get('BYMONTHDAY');
  if (others === '' || (others === 'BYMONTHDAY' && /^(?:-1|\d+)$/.test(monthDay ?? ''))) {
    const number = Number(monthDay);
    if (number === -1)
      return {
        en: `on the last day of ${month}`,
        da: `den sidste dag i ${month}`,
        sv: `sista dagen ${month}`,
      }[language];
    return {
      en: `on the ${ordinal(number)} of ${month}`,
      da: `den ${number}. i ${month}`,
      sv: `den ${number} ${month}`,
    }[language];
  }
  const [, inDay, name = ''] = /^(-?\d?)([A-Z]{2})$/.exec(parts.get('BYDAY') ?? '') ?? [];
  const isSet = others === 'BYDAY,BYSETPOS' || others === 'BYSETPOS,BYDAY';
  const place = positions[language][(isSet ? parts.get('BYSETPOS') : inDay) ?? ''];
  if (place === undefined || !(others === 'BYDAY' || (isSet && inDay === ''))) return undefined;
  const weekday = weekdayName(weekdays.indexOf(name as (typeof weekdays)[number]), language);
  return {
    en: `on the ${place} ${weekday} of ${month}`,
    da: `den ${place} ${weekday} i ${month}`,
    sv: `${place} ${weekday}en ${month}`,
  }[language];
}

function yearly(interval: number, first: string, language: PageLanguage): string {
  const year = everyOf('year', interval, language);
  const format = new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const date = format.format(timeOfText(`${first} 00:00:00`));
  return { en: `${year} on ${date}`, da: `${year} den ${date}`, sv: `${year} den ${date}` }[language];
}

function ordinal(number: number): string {
  const suffixes = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as Readonly<Record<string, string>>;
  return `${number}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)] ?? 'th'}`;
}

/** Says how a series repeats, and until when: `every Tuesday until 26 May`. */
export function repetitionOf(series: Repetition, language: PageLanguage): string {
  const { total, last_date: last } = series;
  const isThisYear = last.startsWith(String(new Date().getUTCFullYear()));
  const format = new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  });
  const until = { en: 'until', da: 'til', sv: 'till' }[language];
  const dates = { en: `on ${total} dates`, da: `på ${total} datoer`, sv: `på ${total} datum` }[language];
  return `${ruleInWords(series, language) ?? dates} ${until} ${format.format(timeOfText(last))}`;
}

/** Returns a text as it begins a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
