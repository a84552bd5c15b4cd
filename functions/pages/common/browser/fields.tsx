/** The fields of a form: a control for each, with its label and what the API refused of it. */

import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Options } from '../views/controls.tsx';
import type { FormField } from '../views/types.ts';
import { FieldErrors } from './api-client.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Properties of a control: the value to show, the values of the whole form, and the function that takes another value. */
export interface ControlProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly values: Values;
  readonly set: (value: unknown) => void;
  /** Why the last save was refused. */
  readonly failure?: Error | undefined;
  /** Attributes of the element that takes the value. */
  readonly attributes: { readonly id: string };
}

type Control = (props: ControlProps) => ComponentChildren;
export type Controls = Partial<Readonly<Record<FormField['control'], Control>>>;

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly set: (name: string, value: unknown) => void;
  readonly failure?: Error | undefined;
  /** Controls beside those of every form. */
  readonly controls?: Controls;
  /** Names of fields whose values mean something together. */
  readonly together?: readonly string[];
}

/**
 * Returns what was refused and is as it was refused still: a refusal goes once its value is another one, or one of those that mean something
 * with it, whose names `together` has.
 */
export function useRefusals(failure: Error | undefined, values: Values, together: readonly string[] = []) {
  const refused = useRef<{ readonly failure: Error | undefined; readonly values: Values }>();
  if (refused.current?.failure !== failure) refused.current = { failure, values };
  const before = refused.current?.values ?? values;
  const isMended = (name: string) => {
    const names = together.includes(name) ? together : [name];
    return names.some((other) => values[other] !== before[other]);
  };
  const errors = failure instanceof FieldErrors ? failure : undefined;
  return {
    of: (name: string) => (isMended(name) ? undefined : errors?.ofField(name)),
    /** Whether all that was refused by its fields is mended. */
    areMended: errors !== undefined && errors.names.length > 0 && errors.names.every(isMended),
  };
}

/** Controls of several elements, which a legend names together. */
const groups: readonly FormField['control'][] = ['terms', 'links', 'picture', 'html', 'rows', 'repeat'];

export function Fields({ fields, values, set, failure, controls, together }: FieldsProps) {
  const form = useId();
  const refusals = useRefusals(failure, values, together);
  return fields.map((field) => {
    const { name, label, control, isWide = false } = field;
    const Element = controls?.[control] ?? basicControls[control] ?? InputControl;
    const id = `${form}-${name}`;
    const refusal = refusals.of(name);
    const invalid = refusal === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-error` };
    const props = { field, values, failure, value: values[name], set: (value: unknown) => set(name, value) };
    const element = <Element key="element" {...props} attributes={{ id, ...invalid }} />;
    const error = refusal !== undefined && (
      <small key="error" id={`${id}-error`} class="failing">
        {refusal}
      </small>
    );
    if (groups.includes(control))
      return (
        <fieldset key={name} class={control}>
          <legend id={`${id}-label`}>{label}</legend>
          {element}
          {error}
        </fieldset>
      );
    const text = (
      <label key="label" for={id}>
        {label}
      </label>
    );
    return (
      <div key={name} class={isWide ? `${control} wide` : control}>
        {control === 'check' ? [element, text, error] : [text, element, error]}
      </div>
    );
  });
}

/** Types of the inputs of controls that are called otherwise. People write addresses without their scheme. */
const inputTypes: Partial<Readonly<Record<FormField['control'], string>>> = { url: 'text', day: 'date' };

function InputControl({ field: { control, isRequired: required }, value, set, attributes }: ControlProps) {
  return (
    <input
      {...attributes}
      type={inputTypes[control] ?? control}
      required={required}
      value={String(value)}
      {...(control === 'number' ? { step: 'any' } : {})}
      {...(control === 'url' ? { inputMode: 'url' as const } : {})}
      autocomplete="off"
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

function CheckControl({ value, set, attributes }: ControlProps) {
  const toggle = () => set(value !== true);
  return <input {...attributes} type="checkbox" checked={value === true} onChange={toggle} />;
}

function JsonControl({ value, set, attributes }: ControlProps) {
  const text = String(value);
  const rows = Math.min(12, text.split('\n').length + 1);
  const input = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => set(currentTarget.value);
  return <textarea {...attributes} rows={rows} value={text} onInput={input} />;
}

function ChoiceControl({ field, value, set, attributes }: ControlProps) {
  return (
    <select {...attributes} value={String(value)} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <Options options={field.options ?? []} />
    </select>
  );
}

const basicControls: Controls = { choice: ChoiceControl, check: CheckControl, json: JsonControl };
