/** Forms of JSON values: a field for each member of an object, or one for the value itself. Numbers keep their digits. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FieldErrors, Refusal } from '../../common/browser/api-client.ts';
import { Conflict } from '../../common/browser/conflict.tsx';
import { type ControlProps, type Controls, Fields, type Values } from '../../common/browser/fields.tsx';
import { isObject, numberSource, pretty } from '../../common/browser/json.ts';
import { useAttempt } from '../../common/browser/read.tsx';
import { language, word } from '../../common/browser/session.tsx';
import type { FormField } from '../../common/views/types.ts';
import { locales } from '../../common/views/when.ts';
import { wordsByName } from './reading.ts';
import { type EditedRows, jsonOfRows, textOfCell, toRows } from './rows.ts';
import { RowsControl } from './rows-control.tsx';
import { useTechnical } from './technical.tsx';
import { headOf, Moment, Text } from './value-view.tsx';

/** Elements that say what the elements of an empty array are, by the name of its member; of the value itself without one. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** Returns the fields of a value. The name of the value itself is empty. */
export function fieldsOf(value: unknown, samples: Samples = {}): FormField[] {
  if (!isObject(value)) return [{ name: '', label: word('value'), ...controlOf(value, samples['']) }];
  const labels = wordsByName(Object.keys(value));
  return Object.entries(value).map(([name, member]) => ({
    name,
    label: labels.get(name) ?? name,
    ...controlOf(member, samples[name]),
  }));
}

/** Checks whether a field takes JSON, which only who sees technical details is asked to write. */
export function isOfJson({ control }: FormField): boolean {
  return control === 'json';
}

function controlOf(value: unknown, samples?: readonly unknown[]): Pick<FormField, 'control' | 'initial'> {
  if (typeof value === 'string') return { control: 'text', initial: value };
  if (typeof value === 'boolean') return { control: 'check', initial: value };
  const rows = Array.isArray(value) ? toRows(value, samples) : undefined;
  if (rows !== undefined) return { control: 'rows', initial: rows };
  return { control: numberSource(value) === undefined ? 'json' : 'number', initial: pretty(value) };
}

/** Returns what a form of fields shows first. */
function initialValues(fields: readonly FormField[]): Values {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
}

/** Returns the JSON of fields with values; it is invalid where the text of a member is. */
function jsonOf(fields: readonly FormField[], values: Values): string {
  const members = fields.map(({ name, control }) => ({ name, literal: literalOf(control, values[name]) }));
  if (members[0]?.name === '') return members[0].literal;
  return `{${members.map(({ name, literal }) => `${JSON.stringify(name)}:${literal}`).join()}}`;
}

function literalOf(control: FormField['control'], value: unknown): string {
  if (control === 'text' || control === 'check') return JSON.stringify(value);
  if (control === 'rows') return jsonOfRows(value as EditedRows);
  const text = String(value).trim();
  if (text === '') return 'null';
  return control === 'day' ? JSON.stringify(text) : text;
}

/** A version of a value: its fields, and the function that stores JSON in its place. */
export interface Version {
  readonly fields: readonly FormField[];
  readonly save: (json: string) => Promise<unknown>;
}

interface ValueFormProps {
  readonly version: Version;
  /** Whether a save has the changed fields alone. */
  readonly isPatch: boolean;
  /** Reads the stored version again: after a save, and where another person has changed it. Without it a save closes the form. */
  readonly readAgain?: () => Promise<Version>;
  /** Called when a value was stored. */
  readonly stored: () => void;
  readonly close: () => void;
}

/** Returns the fields of a version with those that were changed here in their place. */
function merged(version: Version, changedFields: readonly FormField[]): readonly FormField[] {
  const whole = changedFields.find(({ name }) => name === '');
  if (whole !== undefined) return [whole];
  // Another person may have stored a value without members, or without one that was changed here.
  const others = version.fields.filter(({ name }) => name !== '' || changedFields.length === 0);
  const ofName = (all: readonly FormField[], { name }: FormField) => all.find((field) => field.name === name);
  return [
    ...others.map((field) => ofName(changedFields, field) ?? field),
    ...changedFields.filter((field) => ofName(others, field) === undefined),
  ];
}

/** Returns what of the changes is not stored yet: what was typed while they were saved. */
function typedSince(changes: Values, saved: Values): Values {
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => value !== saved[name]));
}

/** Returns fields with the controls that they had where nothing says any more what they are: of a number that was emptied, and of the last row. */
function carried(fields: readonly FormField[], before: readonly FormField[]): readonly FormField[] {
  return fields.map((field) => {
    const known = before.find(({ name }) => name === field.name);
    if (known === undefined || !isOfJson(field) || isOfJson(known)) return field;
    const { columns = [] } = (known.initial ?? {}) as Partial<EditedRows>;
    if (field.initial === '[]' && known.control === 'rows')
      return { ...known, initial: { columns, rows: [] } };
    return field.initial === 'null' && known.control === 'number' ? { ...known, initial: '' } : field;
  });
}

const controls: Controls = { rows: RowsControl, text: TextControl };

/** A form that stores a value, and stays open: whoever has saved goes on where they were. */
export function ValueForm({ version, isPatch, readAgain, stored, close }: ValueFormProps) {
  const [{ fields, save }, setVersion] = useState(version);
  const [theirs, setTheirs] = useState<Version>();
  const [changes, setChanges] = useState<Values>({});
  const [savedAt, setSavedAt] = useState('');
  const [keepsRows, setKeepsRows] = useState(false);
  // Inputs are made again for the text of another person alone: after a save the focus stays in them.
  const [taken, setTaken] = useState(0);
  const [failure, attempt, isBusy] = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  const isTechnical = useTechnical();
  const shown = fields
    .filter((field) => isTechnical || !isOfJson(field))
    .map((field) => ({ ...field, label: headOf(field.label, field.name, isTechnical) }));
  const hidden = fields.filter((field) => !isTechnical && isOfJson(field));
  const values = { ...initialValues(fields), ...changes };
  const changedFields = fields.filter(({ name }) => Object.hasOwn(changes, name));
  // Whoever opens a form goes on in it.
  useLayoutEffect(
    () => form.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus(),
    [],
  );
  // A row that the register has not kept takes the focus with it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
  }, [fields]);
  const take = (newVersion: Version) => {
    setVersion(newVersion);
    setChanges({});
    setTheirs(undefined);
    setTaken(taken + 1);
  };
  const store = async (from: Version): Promise<void> => {
    const fieldsToSave = isPatch ? changedFields : merged(from, changedFields);
    const json = jsonOf(fieldsToSave, { ...initialValues(from.fields), ...changes });
    JSON.parse(json);
    try {
      await from.save(json);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 412 && readAgain)) throw error;
      return decide(from, await readAgain());
    }
    setTheirs(undefined);
    setSavedAt(timeNow());
    stored();
    if (readAgain === undefined) return close();
    // What cannot be read again is stored all the same; its next change begins with a read.
    const next = await readAgain().catch(() => undefined);
    if (next === undefined) return close();
    setVersion({ ...next, fields: carried(next.fields, fields) });
    setChanges((typed) => typedSince(typed, changes));
    setKeepsRows(
      changedFields.some(
        (field) => rowsIn(changes[field.name]) < rowsIn(initialValues(next.fields)[field.name]),
      ),
    );
  };
  /** What others have changed beside these fields needs no choice. */
  const decide = async (from: Version, newest: Version): Promise<void> => {
    const before = from.fields;
    const isSame = changedFields.every(({ name, control }) => {
      const literal = (all: readonly FormField[]) => {
        const field = all.find((other) => other.name === name);
        return field?.control === control ? literalOf(control, field.initial) : undefined;
      };
      return literal(before) === literal(newest.fields);
    });
    if (changedFields.length === 0) return take(newest);
    if (isSame) return store(newest);
    setTheirs(newest);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setSavedAt('');
    attempt(() => store({ fields, save }));
  };
  return (
    <form ref={form} class="values" onSubmit={submit}>
      {theirs && (
        <Conflict
          fields={changedFields.map((field) => ({
            label: field.label,
            yours: <Typed field={field} value={values[field.name]} />,
            theirs: <Typed field={field} value={initialValues(theirs.fields)[field.name]} />,
          }))}
          isBusy={isBusy}
          keep={() => attempt(() => store(theirs))}
          take={() => take(theirs)}
        />
      )}
      <div class="fields" key={taken}>
        <Fields
          fields={shown}
          values={values}
          failure={failure}
          controls={controls}
          set={(name, value) => setChanges((others) => ({ ...others, [name]: value }))}
        />
      </div>
      {hidden.length > 0 && (
        <p class="muted">
          {word('changeAsJson')}: {hidden.map(({ label }) => label).join(', ')}
        </p>
      )}
      <Refused error={failure} fields={fields} />
      <p class="buttons">
        <button type="submit" aria-disabled={isBusy}>
          {word('save')}
        </button>
        <button type="button" class="outline secondary" onClick={close}>
          {word('close')}
        </button>
        <span role="status">
          {isBusy ? word('saving') : savedAt !== '' && `${word('savedAt')} ${savedAt}`}
          {!isBusy && savedAt !== '' && keepsRows && `. ${word('rowsKept')}`}
        </span>
      </p>
    </form>
  );
}

/** Returns how many rows a value of a form has. */
function rowsIn(value: unknown): number {
  return (value as Partial<EditedRows> | undefined)?.rows?.length ?? 0;
}

/** The time of day, as the reader writes it. */
export function timeNow(): string {
  return new Date().toLocaleTimeString(locales[language], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

/** Why a save was refused, whole: each field, and each cell of its rows, with what is wrong there. */
function Refused({ error, fields }: { readonly error: unknown; readonly fields: readonly FormField[] }) {
  if (!(error instanceof Error)) return null;
  const faults = error instanceof FieldErrors ? fields.flatMap((field) => faultsOf(field, error)) : [];
  return (
    <div class="failing" role="alert">
      <p>{error.message}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function faultsOf({ name, label, initial, control }: FormField, error: FieldErrors): string[] {
  return error.within(name).map(([[index, cell], fault]) => {
    if (control !== 'rows' || index === undefined) return `${label}: ${fault}`;
    const heads = wordsByName((initial as EditedRows).columns.map((column) => column.name));
    const place = [`${word('rowHead')} ${Number(index) + 1}`, cell && (heads.get(cell) ?? cell)];
    return `${[name === '' ? '' : label, ...place].filter(Boolean).join(', ')}: ${fault}`;
  });
}

/** A value of a form as people read it, beside that of another person. */
function Typed({
  field: { control },
  value,
}: {
  readonly field: FormField;
  readonly value: unknown;
}): ComponentChildren {
  if (control === 'check') return word(value === true ? 'yes' : 'no');
  if (control === 'day' && value !== '') return <Moment text={String(value)} />;
  if (value === '' || value === undefined) return <span class="muted">{word('notSet')}</span>;
  if (control !== 'rows') return <Text text={String(value)} />;
  const { columns, rows } = value as EditedRows;
  const lines = rows.map((row) => columns.map((column) => textOfCell(row, column)).join(' · '));
  return <Text text={lines.length === 0 ? word('noValues') : lines.join('\n')} />;
}

/** Texts with several lines, and those that may have some: an input would join the lines. */
function TextControl({ field: { name, initial }, value, set, attributes }: ControlProps) {
  const text = String(value);
  const hasLines = name === 'description' || String(initial).includes('\n');
  if (!hasLines)
    return (
      <input
        {...attributes}
        type="text"
        value={text}
        autocomplete="off"
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  const rows = Math.min(12, text.split('\n').length + 1);
  return (
    <textarea
      {...attributes}
      rows={rows}
      value={text}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
