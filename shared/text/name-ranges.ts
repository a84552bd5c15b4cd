/** Names as messages list them. */

/** Returns names with commas between, where those that differ in their two last digits alone stand as a range: `id, title, bkStr01 to bkStr30`. */
export function nameRanges(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name.replace(/\d\d$/, '##'));
  return [...groups.values()]
    .map((group) => (group.length < 3 ? group.join(', ') : `${group[0]} to ${group.at(-1)}`))
    .join(', ');
}
