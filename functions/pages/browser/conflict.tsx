/** The choice between two texts, where another person has changed what a form edits. */

import { word } from './session.tsx';
import { Table } from './table.tsx';

interface ConflictProps {
  /** Both texts of each field that was changed here. */
  readonly fields: readonly { readonly label: string; readonly yours: string; readonly theirs: string }[];
  readonly keep: () => void;
  readonly take: () => void;
}

export function Conflict({ fields, keep, take }: ConflictProps) {
  const rows = fields.map(({ label, yours, theirs }) => ({
    [word('field')]: label,
    [word('yours')]: yours,
    [word('theirs')]: theirs,
  }));
  return (
    <section role="alert" class="preview">
      <h2>{word('conflict')}</h2>
      <Table caption={word('conflictWhy')} rows={rows} />
      <div class="buttons">
        <button type="button" onClick={keep}>
          {word('keepMine')}
        </button>
        <button type="button" class="outline" onClick={take}>
          {word('takeTheirs')}
        </button>
      </div>
    </section>
  );
}
