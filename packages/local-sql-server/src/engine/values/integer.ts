/** Integers and their ranges. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';

/** The least and greatest value of each integer type. */
export const integerRanges: Readonly<Record<string, readonly [low: bigint, high: bigint]>> = {
  bit: [0n, 1n],
  tinyint: [0n, 255n],
  smallint: [-32_768n, 32_767n],
  int: [-2_147_483_648n, 2_147_483_647n],
  bigint: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
};

/** The value in an integer type: a bigint for bigint, else a number. Throws 8115 when it does not fit. */
export function fitInteger(value: bigint, type: SqlType): number | bigint {
  const [low, high] = integerRanges[type.name] ?? [0n, 0n];
  if (value < low || value > high) throw sqlError(8115, 'expression', type.name);
  return type.name === 'bigint' ? value : Number(value);
}

/** `left operator right`; division cuts towards zero. Throws 8134 and 8115. */
export function integerArithmetic(
  operator: string,
  left: bigint,
  right: bigint,
  type: SqlType,
): number | bigint {
  if ((operator === '/' || operator === '%') && right === 0n) throw sqlError(8134);
  const results: Readonly<Record<string, () => bigint>> = {
    '+': () => left + right,
    '-': () => left - right,
    '*': () => left * right,
    '/': () => left / right,
    '%': () => left % right,
    '&': () => left & right,
    '|': () => left | right,
    '^': () => left ^ right,
    '~': () => (type.name === 'bit' ? 1n - right : type.name === 'tinyint' ? 255n - right : ~right),
  };
  const calculate = results[operator];
  if (!calculate) throw new RangeError(`No such operator: ${operator}`);
  return fitInteger(calculate(), type);
}
