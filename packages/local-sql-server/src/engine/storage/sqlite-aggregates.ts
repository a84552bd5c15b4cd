/** Aggregates that SQLite lacks. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { sqlError } from '../../tsql/sql-error.ts';
import { type Decimal, decimalArithmetic, formatDecimal, rescale, toDecimal } from '../values/decimal.ts';
import { recording } from './failures.ts';
import { writeJson } from './json-writer.ts';

interface Totals {
  readonly sum: Decimal;
  readonly count: number;
  readonly scale: number;
}

interface Best {
  readonly value: SQLOutputValue;
  readonly key: SQLOutputValue;
}

const nothing: Totals = { sum: { units: 0n, scale: 0 }, count: 0, scale: 6 };

function plus(totals: Totals, value: SQLOutputValue, scale: SQLOutputValue, sign: 1n | -1n): Totals {
  if (value === null) return totals;
  const next = toDecimal(value);
  const common = Math.max(totals.sum.scale, next.scale);
  const units = rescale(totals.sum, common).units + sign * rescale(next, common).units;
  return { sum: { units, scale: common }, count: totals.count + Number(sign), scale: Number(scale ?? 6) };
}

function average({ sum, count, scale }: Totals): string | null {
  if (!count) return null;
  return decimalArithmetic(
    '/',
    sum,
    { units: BigInt(count), scale: 0 },
    { name: 'decimal', precision: 38, scale },
  );
}

function sumText({ sum, count }: Totals): string | null {
  if (!count) return null;
  if (sum.units >= 10n ** 38n || sum.units <= -(10n ** 38n)) throw sqlError(8115, 'expression', 'numeric');
  return formatDecimal(sum);
}

interface Aggregate<State> {
  readonly useBigIntArguments?: boolean;
  readonly varargs: boolean;
  readonly start: State | (() => State);
  step(state: State, ...given: SQLOutputValue[]): State;
  inverse?(state: State, ...given: SQLOutputValue[]): State;
  result(state: State): SQLInputValue;
}

/** Node allows any value as the state of an aggregate; its declared type allows SQLite's values only. */
function define<State>(connection: DatabaseSync, name: string, aggregate: Aggregate<State>): void {
  const untyped = connection as unknown as { aggregate(name: string, options: Aggregate<State>): void };
  const { step, inverse, result } = aggregate;
  untyped.aggregate(name, {
    ...aggregate,
    step: recording(step, (state) => state),
    result: recording(result, () => null),
    ...(inverse ? { inverse: recording(inverse, (state) => state) } : {}),
  });
}

/** Defines an aggregate for groups, and as `..._over` for windows: that one keeps the rows of its frame, the first of which go first. */
function defineBoth<State>(connection: DatabaseSync, name: string, aggregate: Aggregate<State>): void {
  define(connection, name, aggregate);
  const { start, step, result, ...options } = aggregate;
  const first = (): State => (typeof start === 'function' ? (start as () => State)() : start);
  define<SQLOutputValue[][]>(connection, `${name}_over`, {
    ...options,
    start: () => [],
    step: (rows, ...row) => {
      rows.push(row);
      return rows;
    },
    inverse: (rows) => {
      rows.shift();
      return rows;
    },
    result: (rows) => result(rows.reduce((state, row) => step(state, ...row), first())),
  });
}

/** Returns a connection the aggregates that SQLite lacks. */
export function registerAggregates(connection: DatabaseSync): void {
  const options = { useBigIntArguments: true, varargs: true };
  const start = nothing;
  const steps = {
    start,
    step: (totals: Totals, value: SQLOutputValue = null, scale: SQLOutputValue = null) =>
      plus(totals, value, scale, 1n),
    inverse: (totals: Totals, value: SQLOutputValue = null, scale: SQLOutputValue = null) =>
      plus(totals, value, scale, -1n),
  };
  define<Totals>(connection, 'decimal_sum', { ...options, ...steps, result: sumText });
  define<Totals>(connection, 'decimal_average', { ...options, ...steps, result: average });
  for (const [name, direction] of [
    ['min_by_key', -1],
    ['max_by_key', 1],
  ] as const)
    registerExtreme(connection, name, direction);
  define<SQLOutputValue[][]>(connection, 'json_rows', {
    ...options,
    start: () => [],
    step: (rows, ...row) => {
      rows.push(row);
      return rows;
    },
    result: (rows) =>
      rows.length
        ? writeJson(
            String(rows[0]?.[0]),
            rows.map((row) => row.slice(1)),
          )
        : null,
  });
}

function registerExtreme(connection: DatabaseSync, name: string, direction: number): void {
  defineBoth<Best>(connection, name, {
    useBigIntArguments: true,
    varargs: true,
    start: { value: null, key: null },
    step: (best, value, key) => {
      if (value === null || value === undefined || key === null || key === undefined) return best;
      if (best.key === null || (direction > 0 ? key > best.key : key < best.key)) return { value, key };
      return best;
    },
    result: ({ value }) => value as SQLInputValue,
  });
}
