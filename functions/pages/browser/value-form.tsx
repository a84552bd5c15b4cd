/** Forms of JSON values: a field for each member of an object, or one for the value itself. Numbers keep their digits. */

import { useState } from 'preact/hooks';
import type { FormField } from '../views/types.ts';
import { Fields, type Values } from './fields.tsx';
import { pretty } from './json.ts';
import { Failure, useAttempt } from './read.tsx';

/** Returns the fields of a value. The name of the value itself is empty. */
export function fieldsOf(value: unknown): FormField[] {
  const members = pretty(value).startsWith('{') ? Object.entries(value as object) : [['', value] as const];
  return members.map(([name, member]) => ({ name, label: name || 'Value', ...controlOf(member) }));
}

function controlOf(value: unknown): Pick<FormField, 'control' | 'initial'> {
  if (typeof value === 'string') return { control: 'text', initial: value };
  if (typeof value === 'boolean') return { control: 'check', initial: value };
  const initial = pretty(value);
  return { control: /^-?\d/.test(initial) ? 'number' : 'json', initial };
}

/** Returns what a form of fields shows first. */
export function initialValues(fields: readonly FormField[]): Values {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
}

/** Returns the JSON of fields with values; it is invalid where the text of a member is. */
export function jsonOf(fields: readonly FormField[], values: Values): string {
  const members = fields.map(({ name, control }) => ({ name, literal: literalOf(control, values[name]) }));
  if (members[0]?.name === '') return members[0].literal;
  return `{${members.map(({ name, literal }) => `${JSON.stringify(name)}:${literal}`).join()}}`;
}

function literalOf(control: FormField['control'], value: unknown): string {
  if (control === 'text' || control === 'check') return JSON.stringify(value);
  const text = String(value).trim();
  if (text === '') return 'null';
  return control === 'day' ? JSON.stringify(text) : text;
}

interface ValueFormProps {
  readonly fields: readonly FormField[];
  /** Whether a save has the changed fields alone. */
  readonly isPatch: boolean;
  readonly save: (json: string) => Promise<unknown>;
  readonly close: () => void;
}

/** A form that stores a value. */
export function ValueForm({ fields, isPatch, save, close }: ValueFormProps) {
  const [changes, setChanges] = useState<Values>({});
  const [failure, attempt] = useAttempt();
  const values = { ...initialValues(fields), ...changes };
  const submit = (event: Event) => {
    event.preventDefault();
    const fieldsToSave = fields.filter(({ name }) => !isPatch || Object.hasOwn(changes, name));
    attempt(async () => {
      const json = jsonOf(fieldsToSave, values);
      JSON.parse(json);
      await save(json);
      close();
    });
  };
  return (
    <form class="values" onSubmit={submit}>
      <div class="fields">
        <Fields
          {...{ fields, values, failure }}
          set={(name, value) => setChanges({ ...changes, [name]: value })}
        />
      </div>
      <Failure error={failure} />
      <p class="buttons">
        <button type="submit">Save</button>
        <button type="button" class="outline secondary" onClick={close}>
          Close
        </button>
      </p>
    </form>
  );
}
