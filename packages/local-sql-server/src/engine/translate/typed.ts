/** SQLite expressions with their T-SQL types. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { commonType, databaseDefault, familyOf, int, isCharacter, typeName, typeText } from '../types.ts';
import { comparisonOf, isUtf8 } from '../values/collation.ts';
import { checkAllowed, type Usage } from '../values/convert.ts';

/** A SQLite expression and what T-SQL knows about it. */
export interface Typed {
  readonly sql: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** The word NULL, which has no type. */
  readonly isNull?: boolean;
  /** How strongly it holds its collation: by COLLATE (2), as a column (1), or not (0, literals and variables). */
  readonly collationRank?: 0 | 1 | 2;
  /** Digits of an integer literal, which take part in decimal arithmetic as they are. */
  readonly digits?: number;
  /** JSON that FOR JSON nests without quoting. */
  readonly isJson?: boolean;
  /** The name that a column gives to a select item. */
  readonly name?: string;
  readonly identity?: boolean;
}

/** One result column. */
export interface OutputColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  readonly identity?: boolean;
  readonly isJson?: boolean;
  /** NULL without a type. */
  readonly isNull?: boolean;
  readonly collationRank?: 0 | 1 | 2;
}

/** A new value made of another: what only a column, a literal or JSON itself has is gone. */
export function derived(from: Typed, change: Partial<Typed> & { readonly sql: string }): Typed {
  const {
    digits: _digits,
    identity: _identity,
    name: _name,
    isJson: _isJson,
    isNull: _isNull,
    ...kept
  } = from;
  return { ...kept, ...change };
}

/** A column of a query as the value that `sql` reads. */
export function columnValue(
  { type, nullable, isNull = false, isJson = false, collationRank = 0 }: OutputColumn,
  sql: string,
): Typed {
  return { sql, type, nullable, isNull, isJson, collationRank };
}

export const nullTyped: Typed = { sql: 'NULL', type: int, nullable: true, isNull: true };

const typesById: SqlType[] = [];
const idsByText = new Map<string, number>();

/** A small number that stands for a type in generated SQL. */
export function typeId(type: SqlType): number {
  const text = `${typeText(type)} ${'collation' in type ? type.collation : ''}`;
  const cached = idsByText.get(text);
  if (cached !== undefined) return cached;
  typesById.push(type);
  idsByText.set(text, typesById.length - 1);
  return typesById.length - 1;
}

export function typeById(id: number): SqlType {
  const type = typesById[id];
  if (!type) throw new RangeError(`No type has the id ${id}`);
  return type;
}

/** The expression in another type; the same expression where the conversion changes nothing. */
export function converted(typed: Typed, to: SqlType, usage: Usage = 'implicit', style?: string): Typed {
  if (typed.isNull) return { ...typed, type: to, isNull: false };
  checkAllowed(typed.type, to, usage);
  if (style === undefined && isUnchanged(typed.type, to))
    return { ...typed, type: keepCollation(typed.type, to) };
  const sql = `convert_value(${typed.sql}, ${typeId(typed.type)}, ${typeId(to)}, ${style ?? 'NULL'}, ${usage === 'explicit' ? 1 : 0})`;
  const type = keepCollation(typed.type, to);
  // What was no text holds no collation as a text.
  return derived(typed, isCharacter(typed.type) ? { sql, type } : { sql, type, collationRank: 0 });
}

function keepCollation(from: SqlType, to: SqlType): SqlType {
  return isCharacter(from) && isCharacter(to) && from.collation !== undefined
    ? { ...to, collation: from.collation }
    : to;
}

const order = ['bit', 'tinyint', 'smallint', 'int', 'bigint'];

/** Whether every value of one type is, as it is stored, a value of the other. */
function isUnchanged(from: SqlType, to: SqlType): boolean {
  if (typeText(from) === typeText(to)) return true;
  if (familyOf(from) === 'integer') {
    if (familyOf(to) === 'float') return from.name !== 'bigint' && to.name === 'float';
    return (
      to.name !== 'bit' && familyOf(to) === 'integer' && order.indexOf(from.name) <= order.indexOf(to.name)
    );
  }
  if (from.name === 'real' && to.name === 'float') return true;
  if (!('length' in from) || !('length' in to) || !to.name.includes('var')) return false;
  if (isCharacter(from) !== isCharacter(to)) return false;
  const sameAlphabet =
    to.name.startsWith('n') || from.name.startsWith('n') === to.name.startsWith('n') || isUtf8(to.collation);
  return sameAlphabet && (to.length === 'max' || (from.length !== 'max' && from.length <= to.length));
}

/** Brings two operands to one type, with one collation. */
export function unified(left: Typed, right: Typed, operation: string): readonly [Typed, Typed, SqlType] {
  if (left.isNull) return [converted(left, right.type), right, right.type];
  if (right.isNull) return [left, converted(right, left.type), left.type];
  const type = withCollation(commonType(left.type, right.type), left, right, operation);
  return [converted(left, type), converted(right, type), type];
}

/** The collation of a result by the rules of coercion. Throws 468 where two columns disagree. */
export function withCollation(type: SqlType, left: Typed, right: Typed, operation: string): SqlType {
  if (!isCharacter(type)) return type;
  return { ...type, collation: sharedCollation(left, right, operation) };
}

export function sharedCollation(left: Typed, right: Typed, operation: string): string {
  const a = collationOf(left);
  const b = collationOf(right);
  const rankA = rankOf(left);
  const rankB = rankOf(right);
  if (rankA <= 0 && rankB <= 0) return databaseDefault;
  if (a !== b && rankA === rankB) throw sqlError(468, b, a, operation);
  return rankB > rankA ? b : a;
}

function rankOf(typed: Typed): number {
  return isCharacter(typed.type) ? (typed.collationRank ?? 0) : -1;
}

function collationOf(typed: Typed): string {
  return (isCharacter(typed.type) ? typed.type.collation : undefined) ?? databaseDefault;
}

export function rankOfBoth(left: Typed, right: Typed): 0 | 1 | 2 {
  return Math.max(rankOf(left), rankOf(right), 0) as 0 | 1 | 2;
}

/** An expression whose SQLite equality is the equality of the T-SQL type. It is also what keys and indexes are made of. */
export function equalityKey(sql: string, type: SqlType): string {
  switch (familyOf(type)) {
    case 'character':
      return characterKey(sql, isCharacter(type) ? type.collation : undefined);
    case 'decimal':
    case 'money':
      return `decimal_key(${sql})`;
    case 'offset':
      return `offset_key(${sql})`;
    default:
      return sql;
  }
}

/** The same for order. */
export function orderKey(sql: string, type: SqlType): string {
  return type.name === 'uniqueidentifier' ? `guid_key(${sql})` : equalityKey(sql, type);
}

export function hasPlainKey(type: SqlType): boolean {
  return equalityKey('x', type) === 'x';
}

function characterKey(sql: string, collation = databaseDefault): string {
  if (collation === databaseDefault) return `fold_default(${sql})`;
  const comparison = comparisonOf(collation);
  return comparison === 'binary' ? `rtrim(${sql})` : `fold_${comparison}(${sql})`;
}

/** A constant of SQLite. */
export function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toExponential();
  if (typeof value === 'bigint') return String(value);
  if (value.includes('\0')) return `CAST(x'${Buffer.from(value, 'utf8').toString('hex')}' AS TEXT)`;
  return `'${value.replaceAll("'", "''")}'`;
}

/** A text of at most `length` UTF-16 units. */
export function cutText(sql: string, length: number | 'max'): string {
  return length === 'max' ? sql : `fn_left(${sql}, ${length})`;
}

/** Throws 8117 where an operator or aggregate does not take a type. */
export function refuseOperand(type: SqlType, operator: string): never {
  throw sqlError(8117, typeName(type), operator);
}
