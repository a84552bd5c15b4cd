/** Route constraints of ASP.NET Core, with the readings of .NET: blanks at the ends and signs are taken, culture is invariant. */

export type Constraint = (value: string) => boolean;

const integer = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*$/;

/** Parses a whole number between two bounds as `long.TryParse` does. */
function wholeNumber(text: string, bits: 32 | 64): bigint | undefined {
  const [, sign = '', digits] = integer.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(sign === '-' ? `-${digits}` : digits);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

function bounded(minText: string | undefined, maxText: string | undefined): Constraint {
  const min = minText === undefined ? undefined : bound(minText);
  const max = maxText === undefined ? undefined : bound(maxText);
  return (value) => {
    const number = wholeNumber(value, 64);
    return (
      number !== undefined && (min === undefined || number >= min) && (max === undefined || number <= max)
    );
  };
}

function bound(text: string): bigint {
  const value = wholeNumber(text, 64);
  if (value === undefined)
    throw new TypeError(`Cannot read the route constraint: "${text}" is not a whole number.`);
  return value;
}

function length(minText: string, maxText: string | undefined): Constraint {
  const min = Number(bound(minText));
  const max = maxText === undefined ? undefined : Number(bound(maxText));
  return (value) => value.length >= min && (max === undefined || value.length <= max);
}

const hex = (count: number) => `[0-9a-f]{${count}}`;
const dashed = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
const byte = '0x[0-9a-f]{1,2}';
const guid = new RegExp(
  `^\\s*(${hex(32)}|${dashed}|\\{${dashed}\\}|\\(${dashed}\\)|\\{0x[0-9a-f]{1,8},0x[0-9a-f]{1,4},0x[0-9a-f]{1,4},\\{${byte}(,${byte}){7}\\}\\})\\s*$`,
  'i',
);

const decimal = /^\s*[+-]?(\d[\d,]*\.?\d*|\.\d+)[+-]?\s*$/;
const double = /^\s*([+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(infinity|∞)|[+-]?nan)\s*$/i;

function twoOf(argument: string, name: string): readonly [string, string] {
  const [min, max, ...more] = argument.split(',');
  if (min === undefined || max === undefined || more.length > 0)
    throw new TypeError(`Cannot read the route constraint "${name}(${argument})": it takes two numbers.`);
  return [min, max];
}

const makers: Readonly<Record<string, (argument: string) => Constraint>> = {
  int: () => (value) => wholeNumber(value, 32) !== undefined,
  long: () => (value) => wholeNumber(value, 64) !== undefined,
  guid: () => (value) => guid.test(value),
  bool: () => (value) => /^[\s\0]*(true|false)[\s\0]*$/i.test(value),
  decimal: () => (value) => decimal.test(value),
  double: () => (value) => double.test(value),
  float: () => (value) => double.test(value),
  alpha: () => (value) => /^[a-z]*$/i.test(value),
  required: () => (value) => value !== '',
  file: () => (value) => isFile(value),
  nonfile: () => (value) => !isFile(value),
  minlength: (min) => length(min, undefined),
  maxlength: (max) => length('0', max),
  length: (argument) =>
    argument.includes(',') ? length(...twoOf(argument, 'length')) : length(argument, argument),
  min: (min) => bounded(min, undefined),
  max: (max) => bounded(undefined, max),
  range: (argument) => bounded(...twoOf(argument, 'range')),
  regex: (pattern) => {
    const expression = new RegExp(pattern, 'i');
    return (value) => expression.test(value);
  },
};

/** Checks whether the last segment of a value has an extension. */
function isFile(value: string): boolean {
  return /\.[^.]+$/.test(value.slice(value.lastIndexOf('/') + 1));
}

/** Creates a constraint; throws a TypeError when it is unknown or its argument unusable. */
export function createConstraint(name: string, argument: string): Constraint {
  const make = makers[name.toLowerCase()];
  if (make === undefined)
    throw new TypeError(`Cannot read the route constraint "${name}": the emulator does not support it.`);
  return make(argument);
}
