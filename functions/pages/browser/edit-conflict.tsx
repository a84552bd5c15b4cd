/** Both texts of each field that two people have changed, and the choice between them. */

import type { Answer } from './api-client.ts';
import { type Entry, forms, type Kind, type Values, valueIn } from './edit-data.ts';
import { plain } from './plain.ts';
import { word } from './session.tsx';
import { Table } from './table.tsx';

interface ConflictProps {
  readonly kind: Kind;
  readonly values: Values;
  readonly changed: readonly string[];
  /** The record as it is stored now. */
  readonly theirs: Answer<Entry>;
  readonly keep: () => void;
  readonly take: () => void;
}

export function Conflict({ kind, values, changed, theirs, keep, take }: ConflictProps) {
  const fields = forms[kind].filter(({ name }) => changed.includes(name));
  const rows = fields.map((field) => ({
    [word('field')]: field.label,
    [word('yours')]: textOf(values[field.name]),
    [word('theirs')]: textOf(valueIn(theirs.value, field)),
  }));
  return (
    <section role="alert" class="conflict">
      <h2>{word('conflict')}</h2>
      <Table caption={word('conflictWhy')} rows={rows} />
      <div class="actions">
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

/** Returns the value of a field for reading: the name of what it links to. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return plain(String(value ?? ''));
  const { name, venue, organizer, url } = value as Partial<Record<string, string>>;
  return plain(name ?? venue ?? organizer ?? url ?? '');
}
