/** Forms of JSON values: a field for each member of an object, or one for the value itself. Numbers keep their digits. */

import { useState } from 'preact/hooks';
import { Refusal } from '../../common/browser/api-client.ts';
import { Conflict } from '../../common/browser/conflict.tsx';
import { Fields, type Values } from '../../common/browser/fields.tsx';
import { isObject, numberSource, pretty } from '../../common/browser/json.ts';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { word } from '../../common/browser/session.tsx';
import { text } from '../../common/browser/table.tsx';
import type { FormField } from '../../common/views/types.ts';
import { wordsByName } from './reading.ts';
import { useTechnical } from './technical.tsx';
import { headOf } from './value-view.tsx';

/** Returns the fields of a value. The name of the value itself is empty. */
export function fieldsOf(value: unknown): FormField[] {
  if (!isObject(value)) return [{ name: '', label: word('value'), ...controlOf(value) }];
  const labels = wordsByName(Object.keys(value));
  return Object.entries(value).map(([name, member]) => ({
    name,
    label: labels.get(name) ?? name,
    ...controlOf(member),
  }));
}

/** Checks whether a field takes JSON, which only who sees technical details is asked to write. */
export function isOfJson({ control }: FormField): boolean {
  return control === 'json';
}

function controlOf(value: unknown): Pick<FormField, 'control' | 'initial'> {
  if (typeof value === 'string') return { control: 'text', initial: value };
  if (typeof value === 'boolean') return { control: 'check', initial: value };
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
  /** Reads the stored version again, where another person has changed it. */
  readonly readAgain?: () => Promise<Version>;
  readonly close: () => void;
}

/** Returns the fields of another person's version with those that were changed here in their place. */
function merged(theirs: Version, changedFields: readonly FormField[]): readonly FormField[] {
  const names = ['', ...changedFields.map(({ name }) => name)];
  return [...changedFields, ...theirs.fields.filter(({ name }) => !names.includes(name))];
}

/** A form that stores a value. */
export function ValueForm({ version, isPatch, readAgain, close }: ValueFormProps) {
  const [{ fields, save }, setVersion] = useState(version);
  const [theirs, setTheirs] = useState<Version>();
  const [changes, setChanges] = useState<Values>({});
  const [failure, attempt, isBusy] = useAttempt();
  const isTechnical = useTechnical();
  const shown = fields
    .filter((field) => isTechnical || !isOfJson(field))
    .map((field) => ({ ...field, label: headOf(field.label, field.name, isTechnical) }));
  const hidden = fields.filter((field) => !isTechnical && isOfJson(field));
  const values = { ...initialValues(fields), ...changes };
  const changedFields = fields.filter(({ name }) => Object.hasOwn(changes, name));
  const store = async (fieldsToSave: readonly FormField[], from: Version): Promise<void> => {
    const json = jsonOf(fieldsToSave, { ...initialValues(from.fields), ...changes });
    JSON.parse(json);
    await from.save(json).then(close, async (error: unknown) => {
      if (!(error instanceof Refusal && error.status === 412 && readAgain)) throw error;
      setTheirs(await readAgain());
    });
  };
  const submit = (event: Event) => {
    event.preventDefault();
    attempt(() => store(isPatch ? changedFields : fields, { fields, save }));
  };
  const take = (newVersion: Version) => {
    setVersion(newVersion);
    setChanges({});
    setTheirs(undefined);
  };
  return (
    <form class="values" onSubmit={submit}>
      {theirs && (
        <Conflict
          fields={changedFields.map(({ name, label }) => ({
            label,
            yours: text(values[name]),
            theirs: text(initialValues(theirs.fields)[name]),
          }))}
          isBusy={isBusy}
          keep={() => attempt(() => store(isPatch ? changedFields : merged(theirs, changedFields), theirs))}
          take={() => take(theirs)}
        />
      )}
      <div class="fields" key={fields}>
        <Fields
          fields={shown}
          values={values}
          failure={failure}
          set={(name, value) => setChanges({ ...changes, [name]: value })}
        />
      </div>
      {hidden.length > 0 && (
        <p class="muted">
          {word('changeAsJson')}: {hidden.map(({ label }) => label).join(', ')}
        </p>
      )}
      <Failure error={failure} />
      <p class="buttons">
        <button type="submit" aria-disabled={isBusy}>
          {word('save')}
        </button>
        <button type="button" class="outline secondary" onClick={close}>
          {word('close')}
        </button>
      </p>
    </form>
  );
}
