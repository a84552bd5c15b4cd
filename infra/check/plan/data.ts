/** The values that expressions of templates compute, and what can be done with them. */

/** What an expression computes. Functions are lambdas of Bicep; a Runtime is known to Azure only. */
export type Data = string | number | boolean | null | Runtime | Lambda | Data[] | { [name: string]: Data };
export type Lambda = (...values: Data[]) => Data;

/** A value that only Azure knows; its label says which: `<id-dev:clientId>`. */
export abstract class Runtime {
  /** A property of what this stands for. */
  abstract member(name: string): Data;
  abstract toString(): string;
}

/** The text of a value inside of a string. */
export function textOf(value: Data): string {
  if (typeof value === 'object' && value !== null && !(value instanceof Runtime))
    return JSON.stringify(value);
  return String(value);
}

const parsed = new Map<string, Data>();

/** Parses a text of JSON, unless it was parsed before: each use of a module asks for the same files. */
export function parseJson(text: string): Data {
  const value = parsed.get(text) ?? (JSON.parse(text) as Data);
  parsed.set(text, value);
  return value;
}

/** The elements of a list, or the values of an object. */
export function elements(value: Data): Data[] {
  return entriesOf(value).map(([, item]) => item);
}

/** Elements with their positions, or values with their names in order. */
export function entriesOf(value: Data): [Data, Data][] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  if (value === null || typeof value !== 'object' || value instanceof Runtime)
    throw new TypeError(`${textOf(value)} is no list`);
  return Object.entries(value).sort(([item], [other]) => (item < other ? -1 : 1));
}

/** A property of a value; null without one. */
export function member(value: Data, name: string): Data {
  if (value instanceof Runtime) return value.member(name);
  if (Array.isArray(value)) return value[Number(name)] ?? null;
  if (typeof value === 'object' && value !== null)
    return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  return null;
}

/** What a binary operator computes; the right side is asked only where it matters. Throws a SyntaxError for an unknown one. */
export function operate(operator: string, left: () => Data, right: () => Data): Data {
  if (operator === '&&') return left() === true && right() === true;
  if (operator === '||') return left() === true || right() === true;
  if (operator === '??') return left() ?? right();
  const [item, other] = [left(), right()];
  const same = () => textOf(item) === textOf(other);
  if (operator === '==') return same();
  if (operator === '!=') return !same();
  if (operator === '=~') return textOf(item).toLowerCase() === textOf(other).toLowerCase();
  if (operator === '!~') return textOf(item).toLowerCase() !== textOf(other).toLowerCase();
  const [a, b] = [Number(item), Number(other)];
  const compute: Readonly<Record<string, () => Data>> = {
    '<': () => a < b,
    '<=': () => a <= b,
    '>': () => a > b,
    '>=': () => a >= b,
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => a / b,
    '%': () => a % b,
  };
  const made = compute[operator];
  if (!made) throw new SyntaxError(`There is no operator ${operator}`);
  return made();
}

/** Values by the names at the same place. */
export const keyed = (names: readonly string[], values: readonly Data[]) =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
