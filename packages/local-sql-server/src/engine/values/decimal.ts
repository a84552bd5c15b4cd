/** Exact decimals. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { DecimalType } from '../types.ts';

/** An exact number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const powers = Array.from({ length: 80 }, (_, exponent) => 10n ** BigInt(exponent));

function power(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** Reads the canonical text of a decimal (`-1.10`), or undefined when it is none. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

export function toDecimal(value: unknown): Decimal {
  const decimal = parseDecimal(String(value));
  if (!decimal) throw new RangeError(`Not a decimal: ${String(value)}`);
  return decimal;
}

/** Brings a decimal to another scale, rounding half away from zero, or cutting when `truncate`. */
export function rescale({ units, scale }: Decimal, target: number, truncate = false): Decimal {
  if (target >= scale) return { units: units * power(target - scale), scale: target };
  return { units: divide(units, power(scale - target), truncate), scale: target };
}

function divide(dividend: bigint, divisor: bigint, truncate: boolean): bigint {
  const quotient = dividend / divisor;
  if (truncate) return quotient;
  const rest = dividend % divisor;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  if (twice < (divisor < 0n ? -divisor : divisor)) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

export function formatDecimal({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const text = scale ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
  return units < 0n ? `-${text}` : text;
}

/** The canonical text in a type, or 8115 when it does not fit. */
export function fitDecimal(decimal: Decimal, type: DecimalType, truncate = false, from = 'numeric'): string {
  const fitted = rescale(decimal, type.scale, truncate);
  const limit = power(type.precision);
  if (fitted.units >= limit || fitted.units <= -limit) throw sqlError(8115, from, 'numeric');
  return formatDecimal(fitted);
}

/** `left operator right`, exact, in the type of the result. Throws 8134 and 8115. */
export function decimalArithmetic(
  operator: string,
  left: Decimal,
  right: Decimal,
  type: DecimalType,
): string {
  const scale = Math.max(left.scale, right.scale);
  const a = rescale(left, scale).units;
  const b = rescale(right, scale).units;
  if (operator === '+') return fitDecimal({ units: a + b, scale }, type);
  if (operator === '-') return fitDecimal({ units: a - b, scale }, type);
  if (operator === '*')
    return fitDecimal({ units: left.units * right.units, scale: left.scale + right.scale }, type);
  if (b === 0n) throw sqlError(8134);
  if (operator === '%') return fitDecimal({ units: a % b, scale }, type);
  return fitDecimal({ units: (a * power(type.scale)) / b, scale: type.scale }, type);
}

/** The type of an arithmetic result ("Precision, scale, and length"). */
export function decimalResult(operator: string, left: DecimalType, right: DecimalType): DecimalType {
  const whole = Math.max(left.precision - left.scale, right.precision - right.scale);
  const scale = Math.max(left.scale, right.scale);
  if (operator === '*') return limited(left.precision + right.precision + 1, left.scale + right.scale);
  if (operator === '/') {
    const fine = Math.max(6, left.scale + right.precision + 1);
    return limited(left.precision - left.scale + right.scale + fine, fine);
  }
  if (operator === '%')
    return limited(Math.min(left.precision - left.scale, right.precision - right.scale) + scale, scale);
  const precision = Math.min(whole + scale + 1, 38);
  return { name: 'decimal', precision, scale: Math.min(scale, 38 - whole) };
}

function limited(precision: number, scale: number): DecimalType {
  if (precision <= 38) return { name: 'decimal', precision, scale };
  return { name: 'decimal', precision: 38, scale: Math.max(38 - (precision - scale), Math.min(scale, 6)) };
}

/** Text that sorts as its number does: for ORDER BY, comparisons and keys. Works across scales. */
export function decimalKey(text: string): string {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const digits = `${whole.padStart(40, '0')}${fraction.padEnd(38, '0')}`;
  if (!/[1-9]/.test(digits)) return `1${digits}`;
  if (!negative) return `1${digits}`;
  return `0${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}`;
}
