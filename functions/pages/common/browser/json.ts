/** JSON whose numbers are shown as they were written, digit for digit, where the browser can. */

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
interface ExactJson {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON?(source: string): unknown;
  isRawJSON?(value: unknown): value is { readonly rawJSON: string };
}
const json: ExactJson = JSON;

/** Parses JSON; numbers that JavaScript has not exactly keep their source text. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, { source } = {}) => {
    const isChanged = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isChanged ? (json.rawJSON?.(source) ?? value) : value;
  });
}

/** Returns the text of a number that was parsed exactly; undefined for another value. */
export function numberSource(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return json.isRawJSON?.(value) ? value.rawJSON : undefined;
}

/** Checks whether a value that was parsed exactly is an object with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && numberSource(value) === undefined
  );
}

/** Writes a value for reading. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}
