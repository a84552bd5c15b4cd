/** Kinds of parameters: one function for each, from its description to the parameter. */

import { type ParsedDate, parseDate } from '../model/dates/parse-date.ts';
import { findZone, toWall, type Zone } from '../model/dates/zone.ts';
import { statuses } from '../model/records.ts';
import { type Parameter, type Surroundings, Unfit } from './parameter.ts';

const truthy = new Set(['1', 'true', 'yes', 'on']);

/** What an address may be written with, RFC 3986 and what many write besides: nothing that ends an attribute of HTML. */
const addressCharacters = /^[!#-;=?-[\]-_a-~]+$/;

/** Schemes of the websites that a record may point to. */
const websiteSchemes = /^(?:https?|ftps?|mailto|tel|webcal):/i;

/** Any text. */
export function text(description: string): Parameter<string> {
  return { description, type: 'string', read: asText };
}

/** A text with something in it: neither empty nor blank, nor `0`, which counts as nothing for clients of old. */
export function filledText(description: string): Parameter<string> {
  return refined(text(description), (value) =>
    value.trim() === '' || value === '0' ? new Unfit('must be a text that is not empty') : value,
  );
}

/** Makes a further check or conversion of a parameter. */
export function refined<A, B>(
  parameter: Parameter<A>,
  refine: (value: A, surroundings: Surroundings) => B | Unfit,
  more: Partial<Parameter<B>> = {},
): Parameter<B> {
  return {
    ...parameter,
    ...more,
    read: (sent, surroundings) => {
      const value = parameter.read(sent, surroundings);
      return value instanceof Unfit ? value : refine(value, surroundings);
    },
  };
}

/** True or false in the strict forms: JSON booleans, `1`, `0`, `true`, `false` in any case. */
export function flag(description: string): Parameter<boolean> {
  return {
    description,
    type: 'boolean',
    read: (value) => {
      if (value === 1 || value === 0) return value === 1;
      if (typeof value === 'string' && /^(?:1|0|true|false)$/i.test(value))
        return truthy.has(value.toLowerCase());
      return typeof value === 'boolean' ? value : new Unfit('must be true or false', true);
    },
  };
}

/** True for `true`, `1`, `yes` and `on`; false for any other text, number or boolean. */
export function looseFlag(description: string): Parameter<boolean> {
  return {
    description,
    type: 'boolean',
    read: (value) =>
      typeof value === 'object'
        ? new Unfit('must be true or false', true)
        : truthy.has(String(value).toLowerCase()),
  };
}

/** The same, of any type. */
export function truthyFlag(description: string): Parameter<boolean> {
  return { description, read: (value) => truthy.has(String(value).toLowerCase()) };
}

/** The same, but empty is refused. */
export function nonEmptyFlag(description: string): Parameter<boolean> {
  return {
    description,
    type: 'boolean',
    read: (value) =>
      value === '' ? new Unfit('must not be empty') : truthy.has(String(value).toLowerCase()),
  };
}

/** A whole number above 0, as a number or a text of digits. */
export function positiveInteger(description: string): Parameter<number> {
  return {
    description,
    type: 'integer',
    schema: { minimum: 1 },
    read: (value) => idOf(value) ?? new Unfit('must be a whole number above 0'),
  };
}

/** A finite number within bounds. */
export function decimal(description: string, minimum: number, maximum: number): Parameter<number> {
  return {
    description,
    type: 'number',
    schema: { minimum, maximum },
    read: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number') return new Unfit('must be a number', true);
      return number >= minimum && number <= maximum
        ? number
        : new Unfit(`must be a number from ${minimum} to ${maximum}`);
    },
  };
}

/** One of some texts; case matters. */
export function choice<const T extends string>(description: string, allowed: readonly T[]): Parameter<T> {
  return refined(
    text(description),
    (value) => allowed.find((one) => one === value) ?? new Unfit(`must be one of ${allowed.join(', ')}`),
    { schema: { enum: allowed } },
  );
}

/** A status of an event, venue or organizer. */
export function statusOf(description: string) {
  return choice(description, statuses);
}

/** A date in any of the accepted forms. A number says a moment too, and is of the wrong type. */
export function date(description: string): Parameter<ParsedDate> {
  const written = refined(
    text(
      `${description} YYYY-MM-DD HH:MM:SS, another ISO 8601 form, a Unix timestamp, or words such as tomorrow 10am.`,
    ),
    (value, { site, now }) =>
      parseDate(value, toWall(site.zone, now)) ?? new Unfit('must be a date, such as 2027-01-31 19:30:00'),
  );
  const read: typeof written.read = (value, surroundings) =>
    typeof value === 'number' ? new Unfit('must be a text', true) : written.read(value, surroundings);
  return { ...written, read };
}

/** The name of a time zone; empty for that of the site. */
export function zone(description: string): Parameter<Zone> {
  return refined(
    text(description),
    (value, { site }) =>
      (value.trim() === '' ? site.zone : findZone(value.trim())) ??
      new Unfit('must be an IANA time zone, UTC, or an offset such as UTC+5:30'),
  );
}

/** An absolute web address with its scheme, in ASCII; or empty. */
export function website(description: string): Parameter<string> {
  return refined(text(description), (value) => {
    return value === '' || (websiteSchemes.test(value) && isAbsoluteAddress(value))
      ? value
      : new Unfit('must be an absolute address, such as https://example.org/');
  });
}

/** Tells whether a text is an absolute address, with each character that has to be encoded. */
export function isAbsoluteAddress(text: string): boolean {
  return addressCharacters.test(text) && URL.canParse(text);
}

/** A list of texts and numbers: a JSON array, or a text with commas; those in the items of an array stay. Empty items are dropped, and those that were there before. */
export function list(
  description: string,
  items: 'integer' | 'string' = 'string',
): Parameter<(string | number)[]> {
  return {
    description,
    type: 'array',
    schema: { items: { type: items } },
    read: (value) => {
      const values: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
      if (!values.every(isTextOrNumber)) return new Unfit('must be a list of texts or numbers');
      const items = values.map((item) => (typeof item === 'string' ? item.trim() : item));
      return [...new Set(items)].filter((item) => item !== '');
    },
  };
}

/** Reads a positive integer that is a number, or a text such as `7`, ` 7` or `7.0`; undefined when it is anything else. */
export function idOf(value: unknown): number | undefined {
  const isNumeric = typeof value === 'string' && /^\s*\+?\d{1,15}(?:\.0*)?\s*$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Tells whether a value is a text or a number. */
export function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** What the original API takes for nothing: null, false, 0, `"0"`, `""`, `{}`, `[]`, and a list of these. */
export function isNothing(value: unknown): boolean {
  return isEmpty(value) || (Array.isArray(value) && value.every(isEmpty));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return [undefined, null, false, 0, '0', ''].includes(value as never);
}

/** Of the values that are no text, the original names only null a wrong type. */
function asText(value: unknown): string | Unfit {
  return typeof value === 'string' ? value.toWellFormed() : new Unfit('must be a text', value === null);
}
