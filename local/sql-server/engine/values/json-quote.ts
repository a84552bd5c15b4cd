/** A JSON string as SQL Server escapes it: the solidus too. */
export function quoteJson(text: string): string {
  return JSON.stringify(text).replaceAll('/', '\\/');
}
