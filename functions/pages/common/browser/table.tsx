/** Tables, which scroll in themselves where the window is narrow; of very many columns some are drawn on demand. */

import type { ComponentChildren } from 'preact';
import { useMore } from './more.tsx';
import { word } from './session.tsx';

/** Returns a value for reading. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

interface TableProps {
  readonly caption: string;
  /** Whether the caption is there for who does not see the heading above alone. */
  readonly isCaptionHidden?: boolean;
  readonly rows: readonly Readonly<Record<string, ComponentChildren>>[];
  /** Columns of amounts, whose heads stand at their end too. */
  readonly amounts?: ReadonlySet<string>;
  /** Rows that there are in all. Default: those. */
  readonly rowCount?: number;
}

/** Columns that are drawn at once. */
const columnsOfStep = 100;

/** Rows with a column for each name that one of them has. */
export function Table({
  caption,
  isCaptionHidden = false,
  rows,
  amounts,
  rowCount = rows.length,
}: TableProps) {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { shown, more } = useMore(all.length, columnsOfStep, word('columns'));
  const heads = all.slice(0, shown);
  return (
    // What scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="overflow-auto" role="group" aria-label={caption} tabIndex={0}>
      {/* One more row is that of the heads. */}
      <table aria-rowcount={rowCount + 1} aria-colcount={all.length}>
        <caption class={isCaptionHidden ? 'hidden' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" class={amounts?.has(head) ? 'amounts' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {heads.map((head) => (
                <td key={head}>{row[head]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}
