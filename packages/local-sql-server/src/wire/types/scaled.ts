/** Exact decimal text to and from a whole number of the smallest unit: `-1.10` at scale 2 is -110. */

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Returns the number of units of 10^-scale; throws a `TypeError` when the text is no decimal or has more digits. */
export function toUnits(text: string, scale: number): bigint {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '' || /[1-9]/.test(fraction.slice(scale))) {
    throw new TypeError(`Cannot encode ${JSON.stringify(text)} as a decimal of scale ${scale}`);
  }
  const units = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return sign === '-' ? -units : units;
}

/** Returns decimal text with all digits of the scale. */
export function fromUnits(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${text}` : text;
}
