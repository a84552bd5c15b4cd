/** A result as a table of text. */

import { documentOf, type ResultSet, type SqlValue } from '../../shared/sql/values.ts';

/** Characters of a value, at most: longer ones are cut, but for what FOR JSON and FOR XML give. */
const maxWidth = 100;

/** Returns the rows below the names of their columns, and how many they are. */
export function formatResult({ columns, rows }: ResultSet): string {
  const document = documentOf({ columns, rows });
  const texts = document === undefined ? rows.map((row) => row.map(toText)) : [[document.text]];
  const widths = columns.map(({ name }, index) =>
    Math.max(name.length, ...texts.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const count = `(${rows.length} row${rows.length === 1 ? '' : 's'})`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(columns.map(({ name }) => name)), line(rule), ...texts.map(line), count, ''].join('\n');
}

function toText(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  const shown = String(value).replaceAll(/\s+/g, ' ');
  return shown.length > maxWidth ? `${shown.slice(0, maxWidth - 3)}...` : shown;
}
