/** Values in the form of their reader: numbers, dates and times by the rules of a language, without a digit lost, and names as words. */

import { isDay, locales } from '../../common/views/when.ts';
import type { PageLanguage } from '../../common/views/words.ts';

/** A number of JSON: its sign, whole part, decimals and exponent. */
const numberPattern = /^(-?)(\d+)(?:\.(\d+))?(e[+-]?\d+)?$/i;
/** Four digits are read without a separator, and may be a year. */
const digitsWithoutSeparator = 4;

/** Returns a number with the separators of a language, or without those between thousands. It is made from the text of the number, so that every digit stays. */
export function readableNumber(
  source: string,
  language: PageLanguage,
  thousands: 'grouped' | 'ungrouped' = 'grouped',
): string {
  const [, sign, whole = '', decimals, exponent = ''] = numberPattern.exec(source) ?? [];
  if (whole === '') return source;
  const parts = new Intl.NumberFormat(locales[language]).formatToParts(-12345.6);
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? '';
  const isGrouped = thousands === 'grouped' && whole.length > digitsWithoutSeparator;
  const grouped = isGrouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, part('group')) : whole;
  const fraction = decimals === undefined ? '' : part('decimal') + decimals;
  return `${sign ? part('minusSign') : ''}${grouped}${fraction}${exponent}`;
}

/** A day, or a day with a time of it, which may have a zone: the forms in which the API writes dates. */
const momentPattern =
  /^(\d{4}-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Returns a day, or a time of it, in words; undefined for another text. What has no zone is shown as it is written, in whichever zone the
 * reader is; what has one is shown in that of the reader, which is named. `to: 'minute'` leaves out seconds.
 */
export function readableMoment(
  text: string,
  language: PageLanguage,
  to: 'minute' | 'fraction' = 'fraction',
): string | undefined {
  const [, day, time, seconds = '00', fraction = '', zone] = momentPattern.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const date = new Date(`${day}T${time ?? '00:00'}:${seconds}${zone ?? 'Z'}`);
  if (Number.isNaN(date.getTime())) return undefined;
  const inZone = zone === undefined ? { timeZone: 'UTC' } : {};
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales[language], { ...options, ...inZone });
  const dayInWords = format({ day: 'numeric', month: 'long', year: 'numeric' }).format(date);
  if (time === undefined) return dayInWords;
  const digits = fraction.replace(/0+$/, '');
  const hasSeconds = to === 'fraction' && (seconds !== '00' || digits !== '');
  const timeInWords = format({
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(hasSeconds ? { second: '2-digit' } : {}),
  }).format(date);
  const rest = hasSeconds && digits !== '' ? `${decimalSign(language)}${digits}` : '';
  const zoneName = zone === undefined ? '' : ` ${zoneNameOf(format({ timeZoneName: 'short' }), date)}`;
  return `${dayInWords}, ${timeInWords}${rest}${zoneName}`;
}

function decimalSign(language: PageLanguage): string {
  return readableNumber('0.0', language).slice(1, -1);
}

function zoneNameOf(format: Intl.DateTimeFormat, date: Date): string {
  return format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Returns a name as words: `dueDate`, `due_date` and `DueDate` are "Due date". Abbreviations stay in capitals. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_\s]+/g, ' ')
    .replaceAll(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replaceAll(/(\p{L})(?=\d)/gu, '$1 ')
    .trim()
    .replaceAll(/(?<=\s)\p{Lu}(?=\p{Ll}|\s|$)/gu, (letter) => letter.toLowerCase());
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the words of names, by name. Names with the same words stay as they are, so that readers can tell them apart. */
export function wordsByName(names: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(wordsOf(name), (counts.get(wordsOf(name)) ?? 0) + 1);
  return new Map(names.map((name) => [name, counts.get(wordsOf(name)) === 1 ? wordsOf(name) : name]));
}
