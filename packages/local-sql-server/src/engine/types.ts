/** The types of T-SQL and their families. */
import type { SqlType } from './session.ts';

/** The collation of a new database, as on Azure SQL. */
export const defaultCollation = 'SQL_Latin1_General_CP1_CI_AS';

export const int: SqlType = { name: 'int' };
export const bigint: SqlType = { name: 'bigint' };
export const bit: SqlType = { name: 'bit' };
export const float: SqlType = { name: 'float' };
export const datetime: SqlType = { name: 'datetime' };
export const date: SqlType = { name: 'date' };
export const uniqueidentifier: SqlType = { name: 'uniqueidentifier' };
export const sysname: SqlType = { name: 'nvarchar', length: 128, collation: defaultCollation };
export const textMax: SqlType = { name: 'nvarchar', length: 'max', collation: defaultCollation };

export function varchar(length: number | 'max'): SqlType {
  return { name: 'varchar', length, collation: defaultCollation };
}

export function nvarchar(length: number | 'max'): SqlType {
  return { name: 'nvarchar', length, collation: defaultCollation };
}

export function varbinary(length: number | 'max'): SqlType {
  return { name: 'varbinary', length };
}

export type Family =
  | 'integer'
  | 'decimal'
  | 'money'
  | 'float'
  | 'character'
  | 'binary'
  | 'guid'
  | 'date'
  | 'time'
  | 'datetime'
  | 'offset';

const families: Readonly<Record<SqlType['name'], Family>> = {
  bit: 'integer',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  bigint: 'integer',
  decimal: 'decimal',
  money: 'money',
  smallmoney: 'money',
  real: 'float',
  float: 'float',
  char: 'character',
  varchar: 'character',
  nchar: 'character',
  nvarchar: 'character',
  binary: 'binary',
  varbinary: 'binary',
  uniqueidentifier: 'guid',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  smalldatetime: 'datetime',
  datetime2: 'datetime',
  datetimeoffset: 'offset',
};

export function familyOf(type: SqlType): Family {
  return families[type.name];
}

/** From low to high: an operator converts its lower operand to the type of the higher one ("Data type precedence"). */
const precedence: readonly SqlType['name'][] = [
  'binary',
  'varbinary',
  'char',
  'varchar',
  'nchar',
  'nvarchar',
  'uniqueidentifier',
  'bit',
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'smallmoney',
  'money',
  'decimal',
  'real',
  'float',
  'time',
  'date',
  'smalldatetime',
  'datetime',
  'datetime2',
  'datetimeoffset',
];

export function precedenceOf(type: SqlType): number {
  return precedence.indexOf(type.name);
}

export type CharacterType = Extract<SqlType, { readonly collation?: string }> & {
  readonly name: 'char' | 'varchar' | 'nchar' | 'nvarchar';
};
export type DecimalType = Extract<SqlType, { readonly precision: number }>;
export type SizedType = Extract<SqlType, { readonly length: number | 'max' }>;

export function isCharacter(type: SqlType): type is CharacterType {
  return families[type.name] === 'character';
}

export function isUnicode(type: SqlType): boolean {
  return type.name === 'nvarchar' || type.name === 'nchar';
}

export function isNumeric(type: SqlType): boolean {
  return ['integer', 'decimal', 'money', 'float'].includes(familyOf(type));
}

export function isDateTime(type: SqlType): boolean {
  return ['date', 'time', 'datetime', 'offset'].includes(familyOf(type));
}

/** A type in T-SQL's words, with its size: `nvarchar(50)`, `decimal(10,2)`. */
export function typeText(type: SqlType): string {
  if ('length' in type) return `${type.name}(${type.length})`;
  if ('precision' in type) return `${type.name}(${type.precision},${type.scale})`;
  if ('scale' in type) return `${type.name}(${type.scale})`;
  return type.name;
}

/** The name in messages, which call decimal numeric. */
export function typeName(type: SqlType): string {
  return type.name === 'decimal' ? 'numeric' : type.name;
}

const integerDigits: Readonly<Record<string, number>> = {
  bit: 1,
  tinyint: 3,
  smallint: 5,
  int: 10,
  bigint: 19,
};

/** The decimal type that holds every value of an exact number type. */
export function asDecimal(type: SqlType): DecimalType {
  if (type.name === 'decimal') return type;
  if (type.name === 'money') return { name: 'decimal', precision: 19, scale: 4 };
  if (type.name === 'smallmoney') return { name: 'decimal', precision: 10, scale: 4 };
  return { name: 'decimal', precision: integerDigits[type.name] ?? 38, scale: 0 };
}

/** The type that CASE, COALESCE, UNION and comparisons bring two types to: the higher one, wide enough for both. */
export function commonType(left: SqlType, right: SqlType): SqlType {
  const [low, high] = precedenceOf(left) <= precedenceOf(right) ? [left, right] : [right, left];
  if (high.name === 'decimal' && isNumeric(low)) return commonDecimal(asDecimal(low), high);
  if ('length' in high && 'length' in low) return commonSized(low, high);
  if ('scale' in high && 'scale' in low && high.name !== 'decimal')
    return { ...high, scale: Math.max(high.scale, low.scale) };
  if (high.name === 'datetime2' && low.name === 'datetime')
    return { name: 'datetime2', scale: Math.max(high.scale, 3) };
  return high;
}

function commonDecimal(left: DecimalType, right: DecimalType): SqlType {
  const scale = Math.max(left.scale, right.scale);
  const whole = Math.max(left.precision - left.scale, right.precision - right.scale);
  const precision = Math.min(whole + scale, 38);
  return { name: 'decimal', precision, scale: Math.min(scale, Math.max(38 - whole, 0)) };
}

function commonSized(low: SizedType, high: SizedType): SqlType {
  const largest = isUnicode(high) ? 4000 : 8000;
  const length =
    low.length === 'max' || high.length === 'max'
      ? 'max'
      : Math.min(Math.max(low.length, high.length), largest);
  const varying = low.name.includes('var') && !high.name.includes('var');
  const name = (
    varying ? high.name.replace('char', 'varchar').replace('binary', 'varbinary') : high.name
  ) as 'varchar';
  const collation = high.collation ?? low.collation;
  return isCharacter(high) && collation !== undefined ? { name, length, collation } : { name, length };
}

/** System and user type ids of `sys.types`. */
export const typeIds: Readonly<Record<SqlType['name'], number>> = {
  uniqueidentifier: 36,
  date: 40,
  time: 41,
  datetime2: 42,
  datetimeoffset: 43,
  tinyint: 48,
  smallint: 52,
  int: 56,
  smalldatetime: 58,
  real: 59,
  money: 60,
  datetime: 61,
  float: 62,
  bit: 104,
  decimal: 106,
  smallmoney: 122,
  bigint: 127,
  varbinary: 165,
  varchar: 167,
  binary: 173,
  char: 175,
  nvarchar: 231,
  nchar: 239,
};
