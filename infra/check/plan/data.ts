/** A value of a plan. */
export type Data = string | number | boolean | null | Data[] | { [name: string]: Data };

/** The text of a value inside of a string. */
export function textOf(value: Data): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
