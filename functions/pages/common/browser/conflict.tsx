/** The choice between two texts, where another person has changed what a form edits. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { word } from './session.tsx';
import { Table } from './table.tsx';

export interface ConflictField {
  readonly label: string;
  /** The text of this person; undefined for a field that they did not change. */
  readonly yours: ComponentChildren;
  readonly theirs: ComponentChildren;
}

interface ConflictProps {
  /** Both texts of each field that was changed here, and of those that mean something with it. */
  readonly fields: readonly ConflictField[];
  /** Whether an action is running, during which no other begins. */
  readonly isBusy: boolean;
  readonly keep: () => void;
  readonly take: () => void;
}

export function Conflict({ fields, isBusy, keep, take }: ConflictProps) {
  const section = useRef<HTMLElement>(null);
  // Whoever has pressed a button looks at it, and must not take the refusal for a save.
  useEffect(() => section.current?.focus(), []);
  const rows = fields.map(({ label, yours = word('notChanged'), theirs }) => ({
    [word('field')]: label,
    [word('yours')]: yours,
    [word('theirs')]: theirs,
  }));
  return (
    <section ref={section} role="alert" tabIndex={-1} class="preview">
      <h2>{word('conflict')}</h2>
      <Table caption={word('conflictWhy')} rows={rows} />
      <div class="buttons">
        <button type="button" aria-disabled={isBusy} onClick={keep}>
          {word('keepMine')}
        </button>
        <button type="button" class="outline" aria-disabled={isBusy} onClick={take}>
          {word('takeTheirs')}
        </button>
      </div>
    </section>
  );
}
