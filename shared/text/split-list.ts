/** Lists in the values of a query parameter. */

/** Splits the values of a query parameter at their commas, which may be encoded. */
export function splitList(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(','));
}
