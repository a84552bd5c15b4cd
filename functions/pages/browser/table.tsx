/** Tables of values. */

import type { Values } from './fields.tsx';

/** Returns a value for reading. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Rows with a column for each name that one of them has. */
export function Table({ caption, rows }: { readonly caption: string; readonly rows: readonly Values[] }) {
  if (rows.length === 0) return <p class="muted">{caption}: none.</p>;
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div class="overflow-auto">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {heads.map((head) => (
                <td key={head}>{text(row[head])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
