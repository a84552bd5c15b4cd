/** Readings of a record that is edited: as its page would be, and beside the text of another person. */

import { Article } from '../views/article.tsx';
import type { FormField } from '../views/types.ts';
import { colors, type Entry, type Kind, valueIn } from './edit-data.ts';
import type { Values } from './fields.tsx';
import { plain } from './lists.ts';
import { calendar, language, site, word } from './session.tsx';
import { Table } from './table.tsx';

interface PreviewProps {
  readonly kind: Kind;
  readonly values: Values;
  readonly record: Entry | undefined;
}

/** The page of a record with its unsaved changes. */
export function Preview({ kind, values, record }: PreviewProps) {
  const title = String(values['title'] ?? values[kind] ?? '');
  const [start_date, end_date] = ['start_date', 'end_date'].map((name) => wallTime(String(values[name])));
  const dates = { start_date, end_date, utc_start_date: start_date, utc_end_date: end_date };
  const ofEvent = { ...dates, timezone_abbr: values['timezone'], tags: [] };
  const view = { ...record, ...values, ...(kind === 'event' ? ofEvent : {}) } as unknown as Entry;
  const context = { site, calendar, language, query: '', word, plain, target: '_blank' } as const;
  return (
    <section class="preview" aria-label={word('preview')}>
      <Article {...{ record: view, title, context }} colorOf={({ id }) => colors[id] ?? ''} />
    </section>
  );
}

/** Returns a time of a form as the API shows it: `2030-06-01 19:00:00`; the present one for none. */
function wallTime(text: string): string {
  const minutes = (text || new Date().toISOString()).slice(0, 16).replace('T', ' ');
  return `${minutes.padEnd(16, ' 00:00')}:00`;
}

interface ConflictProps {
  /** The fields that were changed here. */
  readonly fields: readonly FormField[];
  readonly values: Values;
  /** The record as it is stored now. */
  readonly theirs: Entry;
  readonly keep: () => void;
  readonly take: () => void;
}

/** Both texts of each changed field, and the choice between them. */
export function Conflict({ fields, values, theirs, keep, take }: ConflictProps) {
  const rows = fields.map((field) => ({
    [word('field')]: field.label,
    [word('yours')]: textOf(values[field.name]),
    [word('theirs')]: textOf(valueIn(theirs, field)),
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

/** Returns the value of a field for reading: the name of a linked record. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return plain(String(value ?? ''));
  const { name, venue, organizer, url } = value as Partial<Record<string, string>>;
  return plain(name ?? venue ?? organizer ?? url ?? '');
}
