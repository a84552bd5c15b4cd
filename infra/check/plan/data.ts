/** A value of a plan. */
export type Data = string | number | boolean | null | Data[] | { [name: string]: Data };

/** The text of a value inside of a string. */
export function textOf(value: Data): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
