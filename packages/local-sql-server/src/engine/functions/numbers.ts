/** Mathematical functions. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { nullTyped, type Typed } from '../translate/typed.ts';
import { asDecimal, bigint, type DecimalType, familyOf, float, int } from '../types.ts';
import { convert } from '../values/convert.ts';
import { fitDecimal, formatDecimal, rescale, toDecimal } from '../values/decimal.ts';
import { fitInteger } from '../values/integer.ts';
import { type FunctionLibrary, type ScalarFunction, scalar } from './definition.ts';

/** The type of a number function's result: small integers become int, text becomes float. */
function numeric([typed]: readonly Typed[]): SqlType {
  const type = typed?.type ?? int;
  if (familyOf(type) === 'integer') return type.name === 'bigint' ? type : int;
  return ['decimal', 'money'].includes(familyOf(type)) ? type : float;
}

function isExact(type: SqlType | undefined): boolean {
  return type !== undefined && ['decimal', 'money'].includes(familyOf(type));
}

function onFloat(calculate: (x: number, y: number) => number, arity = 1): ScalarFunction {
  return {
    parameters: Array.from({ length: arity }, () => float),
    returns: float,
    run: (_, [x, y]) => {
      const result = calculate(Number(x), Number(y));
      if (!Number.isFinite(result)) throw sqlError(3623);
      return result;
    },
  };
}

/** A function of floats whose result has the type of its argument. */
function inItsType(calculate: (x: number) => number): ScalarFunction {
  return scalar(['number'], numeric, (_, [value], [type = float]) =>
    convert(calculate(Number(value)), float, numeric([{ ...nullTyped, type }])),
  );
}

function wholeNumber(value: SqlValue, type: SqlType | undefined, round: 'ceil' | 'floor'): SqlValue {
  if (!isExact(type)) return typeof value === 'bigint' ? value : Math[round](Number(value));
  const decimal = toDecimal(value);
  const cut = rescale(decimal, 0, true);
  const back = rescale(cut, decimal.scale).units;
  const step = round === 'ceil' ? (decimal.units > back ? 1n : 0n) : decimal.units < back ? -1n : 0n;
  const whole = { units: cut.units + step, scale: 0 };
  return formatDecimal(type && familyOf(type) === 'money' ? rescale(whole, 4) : whole);
}

function withoutScale(given: readonly Typed[]): SqlType {
  const type = numeric(given);
  return type.name === 'decimal' ? { ...type, scale: 0 } : type;
}

function absolute(value: SqlValue, type: SqlType | undefined): SqlValue {
  if (isExact(type)) return String(value).replace(/^-/, '');
  if (typeof value === 'bigint') return fitInteger(value < 0n ? -value : value, bigint);
  const result = Math.abs(Number(value));
  if (type?.name === 'int' && result > 2_147_483_647) throw sqlError(8115, 'expression', 'int');
  return result;
}

function round([value = null, length, mode]: readonly SqlValue[], type: SqlType | undefined): SqlValue {
  const places = Number(length);
  const truncate = mode !== undefined && Number(mode) !== 0;
  if (type && familyOf(type) === 'float') return roundFloat(Number(value), places, truncate);
  const decimal = toDecimal(value);
  const target = Math.max(places, -40);
  const short =
    target >= decimal.scale
      ? decimal
      : target >= 0
        ? rescale(rescale(decimal, target, truncate), decimal.scale)
        : roundWhole(decimal, -target, truncate);
  if (isExact(type)) return fitDecimal(short, asDecimal(type as SqlType));
  const whole = rescale(short, 0).units;
  if (type?.name === 'bigint') return whole;
  if (whole > 2_147_483_647n || whole < -2_147_483_648n) throw sqlError(8115, 'expression', 'int');
  return Number(whole);
}

function roundWhole(decimal: { units: bigint; scale: number }, zeros: number, truncate: boolean) {
  const shifted = rescale({ units: decimal.units, scale: decimal.scale + zeros }, 0, truncate);
  return { units: shifted.units * 10n ** BigInt(zeros + decimal.scale), scale: decimal.scale };
}

function roundFloat(value: number, places: number, truncate: boolean): number {
  const factor = 10 ** Math.abs(places);
  const scaled = places >= 0 ? value * factor : value / factor;
  if (!Number.isFinite(scaled)) return value;
  const rounded = truncate ? Math.trunc(scaled) : Math.sign(scaled) * Math.round(Math.abs(scaled));
  return places >= 0 ? rounded / factor : rounded * factor;
}

/** Mathematical functions. */
export const numberFunctions: FunctionLibrary = {
  ABS: scalar(['number'], numeric, (_, [value = null], [type]) => absolute(value, type)),
  CEILING: scalar(['number'], withoutScale, (_, [value = null], [type]) => wholeNumber(value, type, 'ceil')),
  FLOOR: scalar(['number'], withoutScale, (_, [value = null], [type]) => wholeNumber(value, type, 'floor')),
  ROUND: scalar(['number', int, int], numeric, (_, given, [type]) => round(given, type), 1),
  SIGN: scalar(['number'], numeric, (_, [value = null], [type]) => {
    const sign = Math.sign(Number(value));
    return isExact(type)
      ? fitDecimal({ units: BigInt(sign), scale: 0 }, asDecimal(type as DecimalType))
      : sign;
  }),
  POWER: scalar(['number', float], numeric, (_, [value, exponent], [type = float]) => {
    const result = Number(value) ** Number(exponent);
    if (!Number.isFinite(result)) throw sqlError(3623);
    return convert(result, float, numeric([{ ...nullTyped, type }]));
  }),
  SQRT: onFloat(Math.sqrt),
  SQUARE: onFloat((x) => x * x),
  EXP: onFloat((x) => finite(Math.exp(x), 8115, 'expression', 'float')),
  LOG: { ...onFloat((x, y) => (Number.isNaN(y) ? Math.log(x) : Math.log(x) / Math.log(y)), 2), optional: 1 },
  LOG10: onFloat(Math.log10),
  SIN: onFloat(Math.sin),
  COS: onFloat(Math.cos),
  TAN: onFloat(Math.tan),
  COT: onFloat((x) => 1 / Math.tan(x)),
  ASIN: onFloat(Math.asin),
  ACOS: onFloat(Math.acos),
  ATAN: onFloat(Math.atan),
  ATN2: onFloat(Math.atan2, 2),
  RADIANS: inItsType((x) => (x * Math.PI) / 180),
  DEGREES: inItsType((x) => (x * 180) / Math.PI),
  PI: { parameters: [], returns: float, run: () => Math.PI },
  RAND: { parameters: [], returns: float, run: () => Math.random() },
};

function finite(result: number, error: number, ...values: readonly string[]): number {
  if (!Number.isFinite(result)) throw sqlError(error, ...values);
  return result;
}
