/** The values in plans. */

/** A value of a plan; a Runtime is known to Azure only. */
export type Data = string | number | boolean | null | Runtime | Data[] | { [name: string]: Data };

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

/** A property of a value; null without one. */
export function member(value: Data, name: string): Data {
  if (value instanceof Runtime) return value.member(name);
  if (Array.isArray(value)) return value[Number(name)] ?? null;
  if (typeof value === 'object' && value !== null)
    return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  return null;
}
