/** Aggregates that SQLite lacks. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { sqlError } from '../../tsql/sql-error.ts';
import { type Decimal, formatDecimal, rescale, toDecimal } from '../values/decimal.ts';
import { recording } from './failures.ts';
import { writeJson } from './json-writer.ts';

interface Totals {
  readonly sum: Decimal;
  readonly count: number;
}

interface Best {
  readonly value: SQLOutputValue;
  readonly key: SQLOutputValue;
}

interface Aggregate<State> {
  readonly start: State | (() => State);
  step(state: State, ...given: SQLOutputValue[]): State;
  inverse?(state: State, ...given: SQLOutputValue[]): State;
  result(state: State): SQLInputValue;
}

/** Node allows any value as the state of an aggregate; its declared type allows SQLite's values only. */
function define<State>(connection: DatabaseSync, name: string, aggregate: Aggregate<State>): void {
  const untyped = connection as unknown as { aggregate(name: string, options: Aggregate<State>): void };
  const { step, inverse, result } = aggregate;
  const options = { ...aggregate, useBigIntArguments: true, varargs: true };
  untyped.aggregate(name, {
    ...options,
    step: recording(step, (state) => state),
    result: recording(result, () => null),
    ...(inverse ? { inverse: recording(inverse, (state) => state) } : {}),
  });
}

/** Gives a connection the aggregates that SQLite lacks. */
export function registerAggregates(connection: DatabaseSync): void {
  define<Totals>(connection, 'decimal_sum', {
    start: { sum: { units: 0n, scale: 0 }, count: 0 },
    step: (totals, value = null) => plus(totals, value, 1n),
    inverse: (totals, value = null) => plus(totals, value, -1n),
    result: sumText,
  });
  for (const [name, direction] of [
    ['min_by_key', -1],
    ['max_by_key', 1],
  ] as const)
    registerExtreme(connection, name, direction);
  registerStatistics(connection);
  define<SQLOutputValue[][]>(connection, 'json_rows', {
    start: () => [],
    step: (rows, ...row) => {
      rows.push(row);
      return rows;
    },
    result: (rows) => {
      const values = rows.map((row) => row.slice(1));
      return rows.length ? writeJson(String(rows[0]?.[0]), values) : null;
    },
  });
}

/** STDEV and its kin: for groups, and as `..._over` for windows, which keep the values of their frame. */
function registerStatistics(connection: DatabaseSync): void {
  const results: Readonly<Record<string, (values: readonly number[]) => number | null>> = {
    var_of: (values) => variance(values, values.length - 1),
    varp_of: (values) => variance(values, values.length),
    stdev_of: (values) => root(variance(values, values.length - 1)),
    stdevp_of: (values) => root(variance(values, values.length)),
  };
  for (const [name, result] of Object.entries(results))
    define<number[]>(connection, name, {
      start: () => [],
      step: (values, value = null) => {
        if (value !== null) values.push(Number(value));
        return values;
      },
      inverse: (values, value = null) => {
        if (value !== null) values.shift();
        return values;
      },
      result,
    });
}

function variance(values: readonly number[], divisor: number): number | null {
  if (divisor <= 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / divisor;
}

function root(value: number | null): number | null {
  return value === null ? null : Math.sqrt(value);
}

function plus(totals: Totals, value: SQLOutputValue, sign: 1n | -1n): Totals {
  if (value === null) return totals;
  const next = toDecimal(value);
  const scale = Math.max(totals.sum.scale, next.scale);
  const units = rescale(totals.sum, scale).units + sign * rescale(next, scale).units;
  return { sum: { units, scale }, count: totals.count + Number(sign) };
}

function sumText({ sum, count }: Totals): string | null {
  if (!count) return null;
  if (sum.units >= 10n ** 38n || sum.units <= -(10n ** 38n)) throw sqlError(8115, 'expression', 'numeric');
  return formatDecimal(sum);
}

/** The value with the least or greatest key: for groups, and as `..._over` for windows, which keep the rows of their frame. */
function registerExtreme(connection: DatabaseSync, name: string, direction: number): void {
  const none: Best = { value: null, key: null };
  const better = (best: Best, next: Best): Best => {
    if (next.value === null || next.key === null) return best;
    return best.key === null || (direction > 0 ? next.key > best.key : next.key < best.key) ? next : best;
  };
  define<Best>(connection, name, {
    start: none,
    step: (best, value = null, key = null) => better(best, { value, key }),
    result: ({ value }) => value,
  });
  define<Best[]>(connection, `${name}_over`, {
    start: () => [],
    step: (rows, value = null, key = null) => {
      rows.push({ value, key });
      return rows;
    },
    inverse: (rows) => {
      rows.shift();
      return rows;
    },
    result: (rows) => rows.reduce(better, none).value,
  });
}
