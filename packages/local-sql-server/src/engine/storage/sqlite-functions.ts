/** The functions that generated SQL calls. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { FunctionContext, ScalarFunction } from '../functions/definition.ts';
import { library, sqliteName } from '../functions/library.ts';
import { isLike } from '../functions/like.ts';
import { rowFunctions } from '../functions/rows.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { typeById } from '../translate/typed.ts';
import { type DecimalType, isCharacter, isNumeric, withCollation } from '../types.ts';
import { collationKey, comparisonOf, comparisons } from '../values/collation.ts';
import { converter } from '../values/convert.ts';
import { atOffset, day1900, momentText, readMoment, roundTo, ticksPerDay } from '../values/datetime.ts';
import { decimalArithmetic, decimalKey, toDecimal } from '../values/decimal.ts';
import { fitInteger, integerArithmetic } from '../values/integer.ts';
import { guidKey } from '../values/to-guid.ts';
import { recording } from './failures.ts';

type Given = readonly SQLOutputValue[];

/** Functions of SQLite that generated SQL calls. All are pure: NULL in gives NULL out, unless they ask for NULLs. */
const helpers: Readonly<Record<string, (...given: SQLOutputValue[]) => SQLInputValue>> = {
  convert_value: (value, from, to, style, explicit) => convertValue(value, from, to, style, explicit),
  try_convert_value: (value, from, to, style, explicit) => {
    try {
      return convertValue(value, from, to, style, explicit);
    } catch (error) {
      if (error instanceof SqlError && error.number !== 529) return null;
      throw error;
    }
  },
  limited_text: (text = null, length = null) => {
    if (text !== null && String(text).length > Number(length)) throw sqlError(9829);
    return text;
  },
  ...Object.fromEntries(
    comparisons.map((comparison) => [
      `fold_${comparison}`,
      (text: SQLOutputValue = null) => (text === null ? null : collationKey(String(text), comparison)),
    ]),
  ),
  decimal_key: (value) => (value === null ? null : decimalKey(String(value))),
  guid_key: (value) => (value === null ? null : guidKey(String(value))),
  offset_key: (value) =>
    value === null
      ? null
      : momentText(atOffset(readMoment(String(value)), 0), { name: 'datetime2', scale: 7 }),
  integer_arithmetic: (operator, left, right, type) =>
    left === null || right === null
      ? null
      : integerArithmetic(
          String(operator),
          BigInt(left as bigint),
          BigInt(right as bigint),
          typeById(Number(type)),
        ),
  fit_integer: (value, type) =>
    value === null ? null : fitInteger(BigInt(value as bigint), typeById(Number(type))),
  float_arithmetic: (operator, left, right) =>
    left === null || right === null ? null : floatArithmetic(String(operator), Number(left), Number(right)),
  decimal_arithmetic: (operator, left, right, precision, scale) => {
    if (left === null || right === null) return null;
    const type: DecimalType = { name: 'decimal', precision: Number(precision), scale: Number(scale) };
    return decimalArithmetic(String(operator), toDecimal(left), toDecimal(right), type);
  },
  datetime_arithmetic: (operator, left, right, type) =>
    left === null || right === null
      ? null
      : datetimeArithmetic(String(operator), String(left), String(right), typeById(Number(type))),
  is_numeric: (value, type) => Number(isNumericValue(value, typeById(Number(type)))),
  row_limit: (value) => limitOf(value, 1060, 0n),
  percent_limit: (percent = null, total = null) => {
    if (Number(percent) < 0 || Number(percent) > 100) throw sqlError(1031);
    return Math.ceil((Number(percent) * Number(total)) / 100);
  },
  join_bytes: (left, right) =>
    left === null || right === null
      ? null
      : Uint8Array.from(Buffer.concat([left as Uint8Array, right as Uint8Array])),
  fetch_limit: (value) => limitOf(value, 10744, 1n),
  row_offset: (value) => limitOf(value, 10742, 0n),
  only_value: (count, value) => {
    if (Number(count) > 1) throw sqlError(512);
    return value ?? null;
  },
  recursion_depth: (depth, max) => {
    if (Number(max) !== 0 && Number(depth) > Number(max)) throw sqlError(530, Number(max));
    return depth;
  },
};

function convertValue(
  value: SQLOutputValue = null,
  from: SQLOutputValue = 0,
  to: SQLOutputValue = 0,
  style: SQLOutputValue = null,
  explicit: SQLOutputValue = 0,
): SQLInputValue {
  if (value === null) return null;
  const usage = Number(explicit) ? 'explicit' : 'implicit';
  return converter(
    typeById(Number(from)),
    typeById(Number(to)),
    style === null ? undefined : Number(style),
    usage,
  )(value) as SQLInputValue;
}

function floatArithmetic(operator: string, left: number, right: number): number {
  if (operator === '/' && right === 0) throw sqlError(8134);
  const result =
    operator === '+'
      ? left + right
      : operator === '-'
        ? left - right
        : operator === '*'
          ? left * right
          : left / right;
  if (!Number.isFinite(result)) throw sqlError(8115, 'expression', 'float');
  return result;
}

/** Days since 1900 are what datetimes add up in. */
function datetimeArithmetic(operator: string, left: string, right: string, type: SqlType): string {
  const a = readMoment(left);
  const b = readMoment(right);
  const sign = operator === '-' ? -1 : 1;
  const ticks = a.ticks + sign * b.ticks;
  const carried = Math.floor(ticks / ticksPerDay);
  const moment = {
    days: a.days + sign * (b.days - day1900) + carried,
    ticks: ticks - carried * ticksPerDay,
    offset: 0,
  };
  const rounded = roundTo(moment, type);
  if (!rounded) throw sqlError(8115, 'expression', type.name);
  return momentText(rounded, type);
}

function isNumericValue(value: SQLOutputValue | undefined, type: SqlType): boolean {
  if (value === null || value === undefined) return false;
  if (isNumeric(type)) return true;
  if (!isCharacter(type)) return false;
  return (
    /^\s*[-+$€£]{0,2}\s*(\d[\d,]*\.?\d*|\.\d+)([eEdD][+-]?\d+)?\s*$/.test(String(value)) ||
    /^\s*[-+.,$€£]\s*$/.test(String(value))
  );
}

function limitOf(value: SQLOutputValue | undefined, error: number, min: bigint): bigint {
  if (value === null || value === undefined || (typeof value !== 'bigint' && typeof value !== 'number'))
    throw sqlError(1060);
  const count = BigInt(Math.trunc(Number(value)));
  if (count < min) throw sqlError(error === 1060 ? 127 : error);
  return count;
}

/** Functions that compare as the database does, where a type does not say otherwise. */
function comparing(collation: string): typeof helpers {
  const comparison = comparisonOf(collation);
  return {
    fold_default: (text = null) => (text === null ? null : collationKey(String(text), comparison)),
    is_like: (text, pattern, escaping, type) => {
      if (text === null || pattern === null || escaping === null) return null;
      const character = escaping === '' ? undefined : String(escaping);
      const wanted = withCollation(typeById(Number(type)), collation);
      return Number(isLike(String(text), String(pattern), character, wanted));
    },
  };
}

/** What a connection's functions can reach of its session. */
export interface ConnectionContext {
  /** The collation of the database. */
  readonly collation: string;
  readonly functions: FunctionContext;
  variable(name: string): SqlValue;
  /** Calls a scalar function of a schema. */
  callFunction(id: number, given: readonly SqlValue[]): SqlValue;
  /** The rows of a system view, as JSON. */
  systemRows(view: string): string;
}

/** Returns a new connection all functions that generated SQL may call. */
export function registerFunctions(connection: DatabaseSync, context: ConnectionContext): void {
  const pure = { deterministic: true, useBigIntArguments: true, varargs: true };
  for (const [name, run] of Object.entries({ ...helpers, ...comparing(context.collation), ...rowFunctions }))
    connection.function(name, pure, recording(run));
  for (const [name, definition] of Object.entries(library))
    connection.function(
      sqliteName(name),
      { ...pure, deterministic: !definition.volatile },
      recording(callable(definition, context)),
    );
  const changing = { useBigIntArguments: true, varargs: true };
  connection.function('variable_value', changing, (name) => context.variable(String(name)) as SQLInputValue);
  connection.function(
    'call_function',
    changing,
    recording(
      (id: SQLOutputValue = 0, ...given: SQLOutputValue[]) =>
        context.callFunction(Number(id), given as SqlValue[]) as SQLInputValue,
    ),
  );
  connection.function('system_rows', changing, (view) => context.systemRows(String(view)));
}

const typeLists = new Map<string, readonly SqlType[]>();

/** Types come as the first argument, where a function wants them. */
function callable(
  definition: ScalarFunction,
  context: ConnectionContext,
): (...given: SQLOutputValue[]) => SQLInputValue {
  const wantsTypes = definition.run.length > 2;
  return (...given) => {
    const values = (wantsTypes ? given.slice(1) : given) as Given;
    if (!definition.takesNull && values.includes(null)) return null;
    const types = wantsTypes
      ? typesOf(String(given[0])).map((type) => withCollation(type, context.collation))
      : [];
    return definition.run(context.functions, values as readonly SqlValue[], types) as SQLInputValue;
  };
}

function typesOf(list: string): readonly SqlType[] {
  const cached = typeLists.get(list);
  if (cached) return cached;
  const types = list === '' ? [] : list.split(',').map((id) => typeById(Number(id)));
  typeLists.set(list, types);
  return types;
}
