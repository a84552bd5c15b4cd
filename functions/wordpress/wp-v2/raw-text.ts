/** Texts as clients of WordPress send them: as they are, or as `{ "raw": "..." }`. */

/** Returns a text that a client sends; any other value as it is. */
export function rawText(value: unknown): unknown {
  return (value as { readonly raw?: unknown } | null)?.raw ?? value;
}
