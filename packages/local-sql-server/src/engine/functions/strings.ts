/** Text functions. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Typed } from '../translate/typed.ts';
import { databaseDefault, float, int, isCharacter, isUnicode, nvarchar, varchar } from '../types.ts';
import { codePageBytes } from '../values/to-binary.ts';
import { withoutTrailingSpaces } from '../values/without-trailing-spaces.ts';
import { fillFormats } from './c-format.ts';
import { dataLength } from './data-length.ts';
import { type FunctionLibrary, scalar } from './definition.ts';
import { splitName } from './system.ts';
import { patternIndex, replaceAll, searchable } from './text-search.ts';

/** The type of a part of the first argument. */
function varying([typed]: readonly Typed[]): SqlType {
  if (!typed || !('length' in typed.type)) return nvarchar(4000);
  return { ...typed.type, name: isUnicode(typed.type) ? 'nvarchar' : 'varchar' };
}

/** The type of a text made from the arguments: nvarchar when one of them is, as long as allowed. */
function textType(given: readonly Typed[], isMax = given.some(({ type }) => isMaximal(type))): SqlType {
  const unicode = given.some(({ type }) => isUnicode(type));
  const length = isMax ? 'max' : unicode ? 4000 : 8000;
  return unicode ? nvarchar(length) : varchar(length);
}

function isMaximal(type: SqlType): boolean {
  return 'length' in type && type.length === 'max';
}

/** The sum of the lengths, for CONCAT. */
function summed(given: readonly Typed[]): SqlType {
  const unicode = given.some(({ type }) => isUnicode(type));
  const sizes = given.map(({ type }) => ('length' in type ? type.length : 0));
  if (sizes.includes('max')) return unicode ? nvarchar('max') : varchar('max');
  const total = Math.max(
    1,
    sizes.reduce<number>((sum, size) => sum + Number(size), 0),
  );
  return unicode ? nvarchar(Math.min(total, 4000)) : varchar(Math.min(total, 8000));
}

const text = String;
const lengthOf = (value: string): number => withoutTrailingSpaces(value).length;

/** A part of a text or of bytes; throws 8116 for other types. */
function partType([typed]: readonly Typed[]): SqlType {
  const type = typed?.type ?? int;
  if (type.name === 'binary' || type.name === 'varbinary') return { ...type, name: 'varbinary' };
  if (!isCharacter(type)) throw sqlError(8116, type.name, 1, 'substring');
  return { ...type, name: isUnicode(type) ? 'nvarchar' : 'varchar' };
}

/** Letters that another case writes with two are unchanged. */
function byLetter(value: string, change: (letter: string) => string): string {
  return Array.from(value, (letter) =>
    change(letter).length === letter.length ? change(letter) : letter,
  ).join('');
}

function substring<Value extends string | Uint8Array>(value: Value, start: number, length: number): Value {
  if (length < 0) throw sqlError(537);
  const from = Math.max(start - 1, 0);
  return value.slice(from, Math.max(start - 1 + length, from)) as Value;
}

function count(value: SqlValue, name: string): number {
  const number = Number(value);
  if (number < 0) throw sqlError(536, name);
  return number;
}

function trimmed(side: 'left' | 'right' | 'both') {
  return (given: readonly SqlValue[]): string => {
    const set = given.length > 1 ? text(given[1]) : ' ';
    const value = text(given[0]);
    let start = 0;
    let end = value.length;
    while (side !== 'right' && start < end && set.includes(value.charAt(start))) start++;
    while (side !== 'left' && end > start && set.includes(value.charAt(end - 1))) end--;
    return value.slice(start, end);
  };
}

/** Text functions ("String functions"). Positions count from 1, in UTF-16 units. */
export const stringFunctions: FunctionLibrary = {
  LEN: {
    parameters: ['text'],
    returns: (given) => (given[0] && isMaximal(given[0].type) ? { name: 'bigint' } : int),
    run: (_, [value]) => lengthOf(text(value)),
  },
  DATALENGTH: {
    parameters: ['any'],
    returns: (given) => (given[0] && isMaximal(given[0].type) ? { name: 'bigint' } : int),
    run: (_, [value = null], [type = int]) => dataLength(value, type),
  },
  LOWER: scalar(['text'], varying, (_, [value]) => byLetter(text(value), (letter) => letter.toLowerCase())),
  UPPER: scalar(['text'], varying, (_, [value]) => byLetter(text(value), (letter) => letter.toUpperCase())),
  LTRIM: scalar(['text', 'text'], varying, (_, given) => trimmed('left')(given), 1),
  RTRIM: scalar(['text', 'text'], varying, (_, given) => trimmed('right')(given), 1),
  TRIM: { parameters: ['text'], returns: varying, run: (_, given) => trimmed('both')(given) },
  LEFT: {
    parameters: ['text', int],
    returns: varying,
    run: (_, [value, length = 0]) => text(value).slice(0, count(length, 'left')),
  },
  RIGHT: {
    parameters: ['text', int],
    returns: varying,
    run: (_, [value, length = 0]) =>
      text(value).slice(Math.max(text(value).length - count(length, 'right'), 0)),
  },
  SUBSTRING: {
    parameters: ['any', { name: 'bigint' }, { name: 'bigint' }],
    returns: partType,
    run: (_, [value = null, start, length]) =>
      substring(value instanceof Uint8Array ? value : text(value), Number(start), Number(length)),
  },
  CHARINDEX: {
    parameters: ['text', 'text', { name: 'bigint' }],
    optional: 1,
    returns: (given) => (given[1] && isMaximal(given[1].type) ? { name: 'bigint' } : int),
    run: (_, [wanted, value, start], [, type]) => {
      if (text(wanted) === '') return 0;
      const from = Math.max(Number(start ?? 1) - 1, 0);
      return searchable(text(value), type).indexOf(searchable(text(wanted), type), from) + 1;
    },
  },
  PATINDEX: {
    parameters: ['text', 'text'],
    returns: (given) => (given[1] && isMaximal(given[1].type) ? { name: 'bigint' } : int),
    run: (_, [pattern, value], [, type]) => patternIndex(text(pattern), text(value), type),
  },
  REPLACE: {
    parameters: ['text', 'text', 'text'],
    returns: (given) => textType(given),
    isCut: true,
    run: (_, given, types) => replaceAll(given, types),
  },
  STUFF: {
    parameters: ['text', int, int, 'text'],
    takesNull: true,
    returns: (given) => textType([given[0], given[3]].filter((typed) => typed !== undefined)),
    run: (_, [value, start, length, insert]) => {
      if (value === null || start === null || length === null) return null;
      const from = Number(start);
      const size = Number(length);
      const source = text(value);
      if (from <= 0 || from > source.length || size < 0) return null;
      return (
        source.slice(0, from - 1) + (insert === null ? '' : text(insert)) + source.slice(from - 1 + size)
      );
    },
  },
  REPLICATE: scalar(
    ['text', int],
    (given) => textType(given.slice(0, 1)),
    (_, [value, times], [type]) => {
      if (Number(times) < 0) return null;
      const limit = type && isMaximal(type) ? 2 ** 26 : type && isUnicode(type) ? 4000 : 8000;
      return text(value)
        .repeat(Math.min(Number(times), Math.ceil(limit / Math.max(text(value).length, 1))))
        .slice(0, limit);
    },
  ),
  SPACE: {
    parameters: [int],
    returns: varchar(8000),
    run: (_, [length]) => (Number(length) < 0 ? null : ' '.repeat(Math.min(Number(length), 8000))),
  },
  REVERSE: scalar(['text'], varying, (_, [value]) => text(value).split('').reverse().join('')),
  CONCAT: {
    parameters: ['text', 'text'],
    variadic: true,
    takesNull: true,
    neverNull: true,
    returns: summed,
    isCut: true,
    run: (_, given) => given.map((value) => value ?? '').join(''),
  },
  CONCAT_WS: {
    parameters: ['text', 'text', 'text'],
    variadic: true,
    takesNull: true,
    neverNull: true,
    returns: (given) => textType(given),
    isCut: true,
    run: (_, [separator, ...values]) => values.filter((value) => value !== null).join(text(separator ?? '')),
  },
  CHAR: scalar([int], { name: 'char', length: 1, collation: databaseDefault }, (_, [code]) => {
    const byte = Number(code);
    return byte < 0 || byte > 255 ? null : new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  }),
  NCHAR: {
    parameters: [int],
    returns: { name: 'nchar', length: 1, collation: databaseDefault },
    run: (_, [code]) =>
      Number(code) < 0 || Number(code) > 65_535 ? null : String.fromCharCode(Number(code)),
  },
  ASCII: {
    parameters: ['text'],
    returns: int,
    run: (_, [value]) => (text(value) === '' ? null : (codePageBytes(text(value).charAt(0))[0] ?? null)),
  },
  UNICODE: scalar(['text'], int, (_, [value]) => (text(value) === '' ? null : text(value).charCodeAt(0))),
  QUOTENAME: {
    parameters: ['text', nvarchar(1)],
    optional: 1,
    returns: nvarchar(258),
    run: (_, [value, quote]) => quoted(text(value), quote === undefined ? '[' : text(quote)),
  },
  STR: {
    parameters: [float, int, int],
    optional: 2,
    returns: varchar(8000),
    run: (_, [value, length = 10, decimals = 0]) =>
      fixedText(Number(value), Number(length), Number(decimals)),
  },
  TRANSLATE: scalar(['text', 'text', 'text'], varying, (_, [value, from, to]) => {
    if (text(from).length !== text(to).length) throw sqlError(9828);
    return Array.from(text(value), (letter) => {
      const index = text(from).toLowerCase().indexOf(letter.toLowerCase());
      return index < 0 ? letter : text(to).charAt(index);
    }).join('');
  }),
  PARSENAME: scalar([nvarchar(776), int], nvarchar(128), (_, [name, part]) => {
    const parts = splitName(text(name));
    return parts.length > 4 ? null : (parts[parts.length - Number(part)] ?? null);
  }),
  FORMATMESSAGE: {
    parameters: ['text', 'any'],
    variadic: true,
    optional: 1,
    takesNull: true,
    returns: nvarchar(2048),
    run: (_, [message, ...values], [, ...types]) =>
      message === null
        ? null
        : fillFormats(
            text(message),
            values.map((value, index) => {
              const type = types[index];
              return { kind: type && isCharacter(type) ? 's' : 'd', text: text(value ?? '(null)') };
            }),
          ),
  },
  STRING_ESCAPE: {
    parameters: ['text', 'text'],
    returns: nvarchar('max'),
    run: (_, [value]) => JSON.stringify(text(value)).slice(1, -1).replaceAll('/', '\\/'),
  },
};

/** Returns a number for STR, at the right of a given number of places; asterisks where it does not fit. */
function fixedText(value: number, length: number, decimals: number): string | null {
  if (length < 1 || length > 8000 || decimals < 0) return null;
  const whole = Math.trunc(value).toFixed(0).length;
  if (whole > length) return '*'.repeat(length);
  const places = Math.min(decimals, 16, Math.max(length - whole - 1, 0));
  const factor = 10 ** places;
  const rounded = (Math.sign(value) * Math.round(Math.abs(value) * factor)) / factor;
  return rounded.toFixed(places).padStart(length).slice(0, length);
}

/** QUOTENAME doubles the closing mark; other characters than these marks give NULL. */
function quoted(name: string, quote: string): string | null {
  const pair = ['[]', '()', '<>', '{}', "''", '""', '``'].find((marks) => marks.includes(quote));
  if (name.length > 128 || !pair || quote === '') return null;
  const [open = '', close = ''] = pair;
  return `${open}${name.replaceAll(close, close + close)}${close}`;
}
