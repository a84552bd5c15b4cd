/** JSON whose numbers are shown as they were written, digit for digit, where the browser can. */

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const json: { parse(text: string, reviver: Reviver): unknown; rawJSON?(source: string): unknown } = JSON;

/** Parses JSON; numbers that JavaScript has not exactly keep their source text. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, { source } = {}) => {
    const isChanged = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isChanged ? (json.rawJSON?.(source) ?? value) : value;
  });
}

/** Writes a value for reading. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}
