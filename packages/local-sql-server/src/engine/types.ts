/** The types of T-SQL and their families. */
import type { SqlType } from './session.ts';

/** The collation of the server: that of a new database that names none, as on Azure SQL, and of temporary tables. */
export const serverCollation = 'SQL_Latin1_General_CP1_CI_AS';

/** Stands for the collation of the database, until it is known which one that is: in literals, variables and results of functions. */
export const databaseDefault = 'database_default';

/** A type whose collation has its own name. */
export function withCollation<Type extends SqlType>(type: Type, database: string): Type {
  return 'collation' in type && type.collation === databaseDefault ? { ...type, collation: database } : type;
}

export const int: SqlType = { name: 'int' };
export const bigint: SqlType = { name: 'bigint' };
export const bit: SqlType = { name: 'bit' };
export const float: SqlType = { name: 'float' };
export const datetime: SqlType = { name: 'datetime' };
export const date: SqlType = { name: 'date' };
export const uniqueidentifier: SqlType = { name: 'uniqueidentifier' };
export const sysname: SqlType = { name: 'nvarchar', length: 128, collation: databaseDefault };
export const textMax: SqlType = { name: 'nvarchar', length: 'max', collation: databaseDefault };

export function varchar(length: number | 'max'): SqlType {
  return { name: 'varchar', length, collation: databaseDefault };
}

export function nvarchar(length: number | 'max'): SqlType {
  return { name: 'nvarchar', length, collation: databaseDefault };
}

export function varbinary(length: number | 'max'): SqlType {
  return { name: 'varbinary', length };
}

interface Facts {
  readonly family: string;
  /** Its number in `sys.types`. */
  readonly id: number;
  /** Bytes that a value takes; without its fraction, where the type has a scale. */
  readonly bytes?: number;
  /** Digits of a whole number. */
  readonly digits?: number;
}

/** From low to high: an operator converts its lower operand to the type of the higher one ("Data type precedence"). */
const facts = {
  binary: { family: 'binary', id: 173 },
  varbinary: { family: 'binary', id: 165 },
  char: { family: 'character', id: 175 },
  varchar: { family: 'character', id: 167 },
  nchar: { family: 'character', id: 239 },
  nvarchar: { family: 'character', id: 231 },
  uniqueidentifier: { family: 'guid', id: 36, bytes: 16 },
  bit: { family: 'integer', id: 104, bytes: 1, digits: 1 },
  tinyint: { family: 'integer', id: 48, bytes: 1, digits: 3 },
  smallint: { family: 'integer', id: 52, bytes: 2, digits: 5 },
  int: { family: 'integer', id: 56, bytes: 4, digits: 10 },
  bigint: { family: 'integer', id: 127, bytes: 8, digits: 19 },
  smallmoney: { family: 'money', id: 122, bytes: 4 },
  money: { family: 'money', id: 60, bytes: 8 },
  decimal: { family: 'decimal', id: 106 },
  real: { family: 'float', id: 59, bytes: 4 },
  float: { family: 'float', id: 62, bytes: 8 },
  time: { family: 'time', id: 41, bytes: 3 },
  date: { family: 'date', id: 40, bytes: 3 },
  smalldatetime: { family: 'datetime', id: 58, bytes: 4 },
  datetime: { family: 'datetime', id: 61, bytes: 8 },
  datetime2: { family: 'datetime', id: 42, bytes: 6 },
  datetimeoffset: { family: 'offset', id: 43, bytes: 8 },
} as const satisfies Record<SqlType['name'], Facts>;
const precedence = Object.keys(facts);

export type Family = (typeof facts)[SqlType['name']]['family'];

export function familyOf(type: SqlType): Family {
  return facts[type.name].family;
}

/** Returns what is fixed about a type. */
export function factsOf(type: SqlType): Facts {
  return facts[type.name];
}

export function precedenceOf(type: SqlType): number {
  return precedence.indexOf(type.name);
}

export type CharacterType = Extract<SqlType, { readonly collation?: string }> & {
  readonly name: 'char' | 'varchar' | 'nchar' | 'nvarchar';
};
export type DecimalType = Extract<SqlType, { readonly precision: number }>;
export type SizedType = Extract<SqlType, { readonly length: number | 'max' }>;

export function isCharacter(type: SqlType): type is CharacterType {
  return familyOf(type) === 'character';
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

/** The decimal type that holds every value of an exact number type. */
export function asDecimal(type: SqlType): DecimalType {
  if (type.name === 'decimal') return type;
  if (type.name === 'money') return { name: 'decimal', precision: 19, scale: 4 };
  if (type.name === 'smallmoney') return { name: 'decimal', precision: 10, scale: 4 };
  return { name: 'decimal', precision: factsOf(type).digits ?? 38, scale: 0 };
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

/** System and user type ids of `sys.types`, by name. */
export const typeIds: ReadonlyMap<string, number> = new Map(
  Object.entries(facts)
    .map(([name, { id }]) => [name, id] as const)
    .sort(([, a], [, b]) => a - b),
);
