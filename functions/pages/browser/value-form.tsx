/** Forms of JSON values: a control for each member of an object, or one for the value itself. Numbers keep their digits. */

import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from './api-client.ts';
import { pretty } from './json.ts';

/** A field of a form; the name of the value itself is empty. */
export interface ValueField {
  readonly name: string;
  readonly label?: string | null | undefined;
  readonly type: string;
  readonly value: unknown;
}

/** Returns the fields of a value. */
export function fieldsOf(value: unknown): ValueField[] {
  const members = pretty(value).startsWith('{') ? Object.entries(value as object) : [['', value] as const];
  return members.map(([name, member]) => ({ name, type: typeOf(member), value: member }));
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return /^-?\d/.test(pretty(value)) ? 'number' : 'json';
}

/** Returns the JSON of the fields of a form, those alone that differ where that is wanted. Throws a SyntaxError. */
export function jsonOf(fields: readonly ValueField[], form: FormData, onlyChanged = false): string {
  const members = fields
    .filter((field) => !onlyChanged || form.get(inputName(field)) !== textOf(field))
    .map((field) => [field.name, literalOf(field.type, String(form.get(inputName(field)) ?? ''))] as const);
  for (const [, literal] of members) JSON.parse(literal);
  const [first] = members;
  if (first?.[0] === '') return first[1];
  return `{${members.map(([name, literal]) => `${JSON.stringify(name)}:${literal}`).join()}}`;
}

const inputName = ({ name }: ValueField) => `value ${name}`;
const textOf = ({ type, value }: ValueField) =>
  type === 'json' ? pretty(value) : typeof value === 'string' ? value : value === null ? '' : pretty(value);

function literalOf(type: string, text: string): string {
  if (type === 'text') return JSON.stringify(text);
  if (text.trim() === '') return 'null';
  return type === 'date' ? JSON.stringify(text) : text;
}

/** The controls of fields, with what the API refused of each. */
export function ValueFields({
  fields,
  refused = {},
}: {
  readonly fields: readonly ValueField[];
  readonly refused?: Readonly<Record<string, string>>;
}) {
  return (
    <div class="fields values">
      {fields.map((field) => {
        const { name, label, type } = field;
        const error = Object.entries(refused).find(
          ([at]) => at === `/${name}` || at.startsWith(`/${name}/`),
        )?.[1];
        return (
          <div key={name} class={type}>
            <label for={inputName(field)}>{label || name || 'Value'}</label>
            <ValueControl field={field} isRefused={error !== undefined} />
            {error && <small class="failing">{error}</small>}
          </div>
        );
      })}
    </div>
  );
}

function ValueControl({ field, isRefused }: { readonly field: ValueField; readonly isRefused: boolean }) {
  const [name, text] = [inputName(field), textOf(field)];
  const common = {
    id: name,
    name,
    defaultValue: text,
    ...(isRefused ? { 'aria-invalid': 'true' as const } : {}),
  };
  if (field.type === 'json') return <textarea {...common} rows={Math.min(12, text.split('\n').length + 1)} />;
  if (field.type !== 'boolean') return <input {...common} type={field.type === 'date' ? 'date' : 'text'} />;
  return (
    <select {...common}>
      {['true', 'false'].map((option) => (
        <option key={option} selected={option === text}>
          {option}
        </option>
      ))}
    </select>
  );
}

interface ValueFormProps {
  readonly fields: readonly ValueField[];
  readonly onlyChanged?: boolean;
  readonly save: (json: string) => Promise<unknown>;
  readonly done: () => void;
}

/** A form that stores a value; a refusal is shown at the field that it names. */
export function ValueForm({ fields, onlyChanged, save, done }: ValueFormProps) {
  const [failure, setFailure] = useState<Error>();
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    new Promise((resolve) => resolve(save(jsonOf(fields, form, onlyChanged)))).then(done, setFailure);
  };
  return (
    <form onSubmit={submit}>
      <ValueFields fields={fields} refused={failure instanceof Refusal ? failure.fields : {}} />
      {failure && <p class="failing">{failure.message}</p>}
      <p class="buttons">
        <button type="submit">Save</button>
        <button type="button" class="outline secondary" onClick={done}>
          Close
        </button>
      </p>
    </form>
  );
}
