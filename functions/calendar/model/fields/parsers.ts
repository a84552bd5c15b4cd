/** The usual parameters: one function for each, from its description to the parameter. */

import { type ParsedDate, parseDate } from '../dates/parse-date.ts';
import { findZone, toWall, wallIn, type Zone } from '../dates/wall.ts';
import { isPageReference } from '../text/own-pages.ts';
import { withoutControls } from '../text/plain-text.ts';
import { InvalidValue, map, type Parameter } from './parameter.ts';

/** The characters of a URL: those of RFC 3986, and others that people write, but none that could end an attribute of HTML. */
const urlCharacters = /^[!#-;=?-[\]-_a-~]+$/;

/** Schemes of the websites that a record may point to. */
const websiteSchemes = /^(?:https?|ftps?|mailto|tel|webcal):/i;

/** Any text. */
export function text(description: string): Parameter<string> {
  return { description, type: 'string', parse: asText };
}

/** A text that is neither empty, nor only whitespace, nor `0`, which old clients send for nothing. */
export function filledText(description: string): Parameter<string> {
  return map(text(description), (value) =>
    value.trim() === '' || value === '0' ? new InvalidValue('must be a text that is not empty') : value,
  );
}

/** What a list is searched for. Only whitespace searches for nothing. */
export function searched(description: string): Parameter<string> {
  return map(text(description), (value) => {
    if (value === '' || value === '0') return new InvalidValue('must be a text that is not empty');
    return value.trim() === '' ? '' : value;
  });
}

/** A whole number above 0, as a number or a text of digits. */
export function positiveInteger(description: string): Parameter<number> {
  return {
    description,
    type: 'integer',
    schema: { minimum: 1 },
    parse: (value) => idOf(value) ?? new InvalidValue('must be a whole number above 0'),
  };
}

/** A finite number within bounds. */
export function decimal(description: string, minimum: number, maximum: number): Parameter<number> {
  return {
    description,
    type: 'number',
    schema: { minimum, maximum },
    parse: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number') return new InvalidValue('must be a number', true);
      return number >= minimum && number <= maximum
        ? number
        : new InvalidValue(`must be a number from ${minimum} to ${maximum}`);
    },
  };
}

/** One of some texts; case matters. */
export function choice<const T extends string>(description: string, allowed: readonly T[]): Parameter<T> {
  return map(
    text(description),
    (value) =>
      allowed.find((item) => item === value) ?? new InvalidValue(`must be one of ${allowed.join(', ')}`),
    { schema: { enum: allowed } },
  );
}

/** A date in any of the accepted forms. A number says a moment too, and is of the wrong type. */
export function date(description: string): Parameter<ParsedDate> {
  const written = map(
    text(
      `${description} YYYY-MM-DD HH:MM:SS, another ISO 8601 form, a Unix timestamp, or words such as tomorrow 10:00.`,
    ),
    (value, { site, now }) => {
      // Most are written as they are shown, or with a T.
      const wall = wallIn(value.replace('T', ' '));
      const date = wall === undefined ? parseDate(value, toWall(site.zone, now)) : { wall };
      return date ?? new InvalidValue('must be a date, such as 2027-01-31 19:30:00');
    },
  );
  return {
    ...written,
    parse: (value, context) =>
      typeof value === 'number' ? new InvalidValue('must be a text', true) : written.parse(value, context),
  };
}

/** The name of a time zone; empty for that of the site. */
export function zone(description: string): Parameter<Zone> {
  return map(
    text(description),
    (value, { site }) =>
      (value.trim() === '' ? site.zone : findZone(value.trim())) ??
      new InvalidValue('must be an IANA time zone, UTC, or an offset such as UTC+5:30'),
  );
}

/** An absolute URL, in ASCII; a reference to a page of ours, as imports write it; or empty. */
export function website(description: string): Parameter<string> {
  return map(text(description), (value) => {
    return value === '' || isPageReference(value) || (websiteSchemes.test(value) && isAbsoluteUrl(value))
      ? value
      : new InvalidValue('must be an absolute URL, such as https://example.org/');
  });
}

/** Checks whether a text is an absolute URL in which every character is encoded that has to be. */
export function isAbsoluteUrl(text: string): boolean {
  return urlCharacters.test(text) && URL.canParse(text);
}

const integer = { type: 'integer' } as const;

/**
 * A list of texts and numbers: a JSON array; an object, which stands for its values; or a text with commas. Commas inside the items of an
 * array separate nothing. Empty items and duplicates are dropped.
 */
export function list(
  description: string,
  items: 'integer' | 'text' = 'text',
): Parameter<(string | number)[]> {
  return {
    description,
    type: 'array',
    schema: { items: items === 'integer' ? integer : { anyOf: [integer, { type: 'string' }] } },
    parse: (value) => {
      const values = valuesOf(value);
      if (!values.every(isTextOrNumber)) return new InvalidValue('must be a list of texts or numbers');
      const items = values.map((item) => (typeof item === 'string' ? item.trim() : item));
      return [...new Set(items)].filter((item) => item !== '');
    },
  };
}

function valuesOf(value: unknown): unknown[] {
  if (typeof value === 'string') return value.split(',');
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}

/** Parses a positive integer that is a number, or a text such as `7`, ` 7` or `7.0`; undefined when it is anything else. */
export function idOf(value: unknown): number | undefined {
  const isNumeric = typeof value === 'string' && /^\s*\+?\d{1,15}(?:\.0*)?\s*$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Checks whether a value is a text or a number. */
export function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Checks whether The Events Calendar takes a value for nothing: null, false, 0, `"0"`, `""`, `{}`, `[]`, and a list of these. */
export function isNothing(value: unknown): boolean {
  return isEmpty(value) || (Array.isArray(value) && value.every(isEmpty));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return [undefined, null, false, 0, '0', ''].includes(value as never);
}

/** Of the values that are no text, The Events Calendar names only null a wrong type. */
function asText(value: unknown): string | InvalidValue {
  return typeof value === 'string'
    ? withoutControls(value.toWellFormed())
    : new InvalidValue('must be a text', value === null);
}
