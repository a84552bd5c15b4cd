/** What the columns of tables are called, for those who open them in a spreadsheet. */

/**
 * Returns the heads of columns: labels where there are some that are not blank. No two heads are equal, whatever their case and the blanks
 * around them: of columns that would have one head each has its name behind it.
 */
export function columnHeads(
  names: readonly string[],
  labels: Readonly<Record<string, string>>,
): { readonly name: string; readonly head: string }[] {
  const columns = names.map((name) => ({ name, head: labels[name]?.trim() || name }));
  const isShared = sharedHeads(columns);
  const withName = ({ name, head }: (typeof columns)[number]) => ({
    name,
    head: head === name ? head : `${head} (${name})`,
  });
  const heads = columns.map((column) => (isShared(column.head) ? withName(column) : column));
  // A label may be what another column is called with its name behind it.
  return heads.some(({ head }, _, all) => sharedHeads(all)(head)) ? columns.map(withName) : heads;
}

function sharedHeads(columns: readonly { readonly head: string }[]): (head: string) => boolean {
  const counts = Map.groupBy(columns, ({ head }) => head.toLowerCase());
  return (head) => (counts.get(head.toLowerCase())?.length ?? 0) > 1;
}
