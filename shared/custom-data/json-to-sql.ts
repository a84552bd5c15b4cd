/** JSON values as parameters of procedures, by the type that the catalog names; the inverse of the table in sql-json.ts. */

import { nvarchar, type SqlParameter } from '../sql/values.ts';
import { isStorable, unstorable } from '../text/storable-text.ts';
import type { ProcedureParameter } from './registrations.ts';

type ParameterType = Pick<ProcedureParameter, 'type' | 'maxLength' | 'precision' | 'scale' | 'isUtf8'>;

/** A parameter, or the reason why the value does not fit it. */
export type Conversion =
  | {
      readonly parameter: SqlParameter;
      /** Whether the code page of the database may lack a character of it, which only the server knows. */
      readonly mayLackCharacters?: boolean;
    }
  | { readonly error: string };

const integerRanges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  tinyint: [0n, 255n],
  smallint: [-32_768n, 32_767n],
  int: [-2_147_483_648n, 2_147_483_647n],
  bigint: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
};

const moneyDigits: Readonly<Record<string, readonly [precision: number, scale: number]>> = {
  money: [19, 4],
  smallmoney: [10, 4],
};

const date = String.raw`(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const time = String.raw`([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,7})?)?`;
const olderTime = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3}0*)?`;
const offset = String.raw`(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))`;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Texts that SQL Server reads alike in every language of the session. */
const textForms: Readonly<Record<string, readonly [pattern: RegExp, example: string]>> = {
  date: [new RegExp(`^${date}$`), '2026-11-21'],
  time: [new RegExp(`^${time}$`), '10:00:00'],
  datetime: [new RegExp(`^${date}T${olderTime}$`), '2026-11-21 or 2026-11-21T10:00:00.123'],
  smalldatetime: [new RegExp(`^${date}T${olderTime}$`), '2026-11-21 or 2026-11-21T10:00:00'],
  datetime2: [new RegExp(`^${date}T${time}$`), '2026-11-21 or 2026-11-21T10:00:00.1234567'],
  datetimeoffset: [new RegExp(`^${date}T${time}${offset}$`), '2026-11-21T10:00:00+01:00'],
  uniqueidentifier: [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
};

/** Types that hold a time too: a date alone is its midnight, and a time without seconds is a whole minute. */
const momentTypes = new Set(['datetime', 'smalldatetime', 'datetime2']);

/** Writes a moment in full, and a midnight as its date. Without `T` the older types would read a date by the language of the session. */
function completeMoment(value: string, type: string): string {
  if (type === 'date') return value.replace(/T00:00(:00(\.0+)?)?$/, '');
  if (!momentTypes.has(type)) return value;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return `${value}T00:00:00`;
  if (/T\d{2}:\d{2}$/.test(value)) return `${value}:00`;
  // The older types read three decimals at most.
  return type === 'datetime2' ? value : value.replace(/(\.\d{3})0+$/, '$1');
}

/** First and last moment of the types that hold less than the years 1 to 9999. */
const momentRanges: Readonly<Record<string, readonly [first: string, last: string]>> = {
  datetime: ['1753-01-01T00:00:00', '9999-12-31T23:59:59.998'],
  smalldatetime: ['1900-01-01T00:00:00', '2079-06-06T23:59:29'],
};

/** Converts the source text of a JSON value. Numbers keep their digits: what does not fit the type is an error, never rounded. */
export function toSqlParameter(source: string, type: ParameterType): Conversion {
  const value: unknown = JSON.parse(source);
  const invalid = (expected: string): Conversion => ({ error: `must be ${expected}` });
  if (type.type === 'bit') {
    return typeof value === 'boolean' || value === null
      ? { parameter: { type: 'bit', value } }
      : invalid('true or false');
  }
  const integers = integerRanges[type.type];
  if (integers !== undefined) return integerParameter(source, value, integers);
  const [precision, scale] = moneyDigits[type.type] ?? [type.precision, type.scale];
  if (/^(decimal|numeric|money|smallmoney)$/.test(type.type))
    return decimalParameter(source, value, precision, scale);
  if (/^(float|real)$/.test(type.type)) return floatParameter(source, value, type);
  if (/binary$|^image$/.test(type.type)) return binaryParameter(value, type);
  if (value !== null && typeof value !== 'string') return invalid('a string');
  return type.type in textForms ? formParameter(value, type) : textParameter(value, type);
}

function integerParameter(
  source: string,
  value: unknown,
  [low, high]: readonly [bigint, bigint],
): Conversion {
  if (value === null) return { parameter: nvarchar(null, 20) };
  const decimal = typeof value === 'number' ? plainDecimal(source) : undefined;
  if (decimal === undefined || decimal.includes('.')) return { error: 'must be a whole number' };
  const integer = BigInt(decimal);
  if (integer < low || integer > high) return { error: `must be from ${low} to ${high}` };
  return { parameter: nvarchar(String(integer), 20) };
}

function decimalParameter(source: string, value: unknown, precision: number, scale: number): Conversion {
  if (value === null) return { parameter: nvarchar(null, 48) };
  const decimal = typeof value === 'number' ? plainDecimal(source) : undefined;
  if (decimal === undefined) return { error: 'must be a number' };
  const [whole = '', decimals = ''] = decimal.replace('-', '').split('.');
  const fits = decimals.length <= scale && whole.replace(/^0+/, '').length <= precision - scale;
  return fits
    ? { parameter: nvarchar(decimal, 48) }
    : { error: `must have at most ${precision - scale} digits before and ${scale} after the point` };
}

/** Significant digits of a number that a float keeps, at most. */
const floatDigits = { float: 17, real: 9 } as const;

function floatParameter(source: string, value: unknown, { type }: ParameterType): Conversion {
  if (value === null) return { parameter: { type: 'float', value } };
  const nearest = type === 'real' && typeof value === 'number' ? Math.fround(value) : value;
  if (typeof nearest !== 'number' || !Number.isFinite(nearest))
    return { error: `must be a number within the range of ${type}` };
  // A double that a real holds may be sent in full, as clients do that read reals as doubles.
  const isKept =
    isKeptBy(source, nearest, floatDigits[type === 'real' ? 'real' : 'float']) ||
    (nearest === value && isKeptBy(source, nearest, floatDigits.float));
  return isKept
    ? { parameter: { type: 'float', value: nearest } }
    : { error: `must have no more digits than a ${type} keeps` };
}

/** Checks whether a number is what a float gives: in as few digits as possible, or in as many as the number has. */
function isKeptBy(source: string, nearest: number, maxPrecision: number): boolean {
  const { digits, exponent } = significantDigits(source);
  if (digits === '') return nearest === 0;
  if (digits.length > maxPrecision) return false;
  return [String(nearest), nearest.toPrecision(digits.length)]
    .map(significantDigits)
    .some((kept) => kept.digits === digits && kept.exponent === exponent);
}

/** Returns the digits of a number without zeros at their ends, none for 0, and the power of ten of the first. */
function significantDigits(source: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', decimals = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = whole + decimals;
  const leading = all.length - all.replace(/^0+/, '').length;
  return {
    digits: all.slice(leading).replace(/0+$/, ''),
    exponent: whole.length - leading + Number(exponent),
  };
}

/** Digits that a number may have written out, at most; every SQL type has fewer. */
const maxDigits = 60;

/** Writes a JSON number without exponent and without needless zeros after the point; undefined when that is very long. */
export function plainDecimal(source: string): string | undefined {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = whole + decimals;
  if (/^0*$/.test(digits)) return '0';
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > maxDigits || digits.length > 4 * maxDigits) return undefined;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const fraction = padded.slice(at).replace(/0+$/, '');
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  return `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`;
}

function formParameter(value: string | null, type: ParameterType): Conversion {
  const text = value === null ? null : completeMoment(value, type.type);
  const error = text === null ? undefined : formError(text, type);
  return error === undefined ? { parameter: nvarchar(text, 40) } : { error };
}

function formError(value: string, { type, scale }: ParameterType): string | undefined {
  const [pattern, example] = textForms[type] ?? [/^$/, ''];
  if (!pattern.test(value))
    return type === 'date' ? 'must be a date, YYYY-MM-DD' : `must be written like ${example}`;
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(value)?.[0];
  if (day !== undefined && !isDay(day)) return 'must be a day that exists';
  const [first, last] = momentRanges[type] ?? [];
  if (first !== undefined && last !== undefined && (value < first || value > last))
    return `must be from ${first} to ${last}`;
  if (type === 'datetimeoffset' && !isInstant(value))
    return 'must be from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.9999999Z';
  const decimals = /\.(\d+)/.exec(value)?.[1]?.replace(/0+$/, '') ?? '';
  if (type === 'datetime' && !/^(\d\d[37]?)?$/.test(decimals.padEnd(decimals === '' ? 0 : 2, '0')))
    return 'must have milliseconds that end in 0, 3 or 7, as a datetime has';
  if (type === 'smalldatetime' && !/:00(\.0+)?$/.test(value)) return 'must be a whole minute';
  return decimals.length > scale ? `must have at most ${scale} decimals of a second` : undefined;
}

/** The engine lets 30 February become 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A moment may be of the years 1 to 9999 where it is written, and of another one in UTC, which is what the type keeps. */
function isInstant(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}

function textParameter(value: string | null, { type, maxLength, isUtf8 }: ParameterType): Conversion {
  const hasLength = /^n?(var)?char$/.test(type) && maxLength !== -1;
  const limit = hasLength ? (type.startsWith('n') ? maxLength / 2 : maxLength) : Number.POSITIVE_INFINITY;
  if (value !== null && !isStorable(value)) return { error: unstorable };
  // A procedure would cut it off without a word.
  if (value !== null && value.length > limit) return { error: `must not have more than ${limit} characters` };
  const isInBytes = isUtf8 === true && hasLength && !type.startsWith('n');
  if (value !== null && isInBytes && Buffer.byteLength(value) > limit)
    return { error: `must not have more than ${limit} bytes in UTF-8` };
  const mayLackCharacters = /^((var)?char|text)$/.test(type) && isUtf8 !== true && !isAscii.test(value ?? '');
  return { parameter: nvarchar(value, limit), ...(mayLackCharacters ? { mayLackCharacters } : {}) };
}

/** What every code page has. */
const isAscii = /^\p{ASCII}*$/u;

function binaryParameter(value: unknown, { type, maxLength }: ParameterType): Conversion {
  if (value === null) return { parameter: { type: 'varbinary', value } };
  if (typeof value !== 'string' || !base64.test(value)) return { error: 'must be a string in base64' };
  const bytes = Buffer.from(value, 'base64');
  const limit = type === 'image' || maxLength === -1 ? Number.POSITIVE_INFINITY : maxLength;
  if (bytes.length > limit) return { error: `must not have more than ${limit} bytes` };
  return { parameter: { type: 'varbinary', value: bytes } };
}
