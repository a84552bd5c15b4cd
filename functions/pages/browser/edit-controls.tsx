/** The controls of a form, one for each way in which a field is entered. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ContactView, FormField, TermView } from '../views/types.ts';
import { type ControlProps, collections, type Kind, readList, type Values } from './edit-data.ts';
import { HtmlControl } from './edit-html.tsx';
import { PictureControl } from './edit-picture.tsx';
import { plain } from './plain.ts';
import { word } from './session.tsx';

interface FieldProps extends ControlProps {
  readonly kind: Kind;
  readonly values: Values;
  /** Why the API refused the value. */
  readonly error: string | undefined;
}

/** A field with its label, and why it was refused. */
export function FieldView({ field, error, ...props }: FieldProps) {
  const { name, label, control } = field;
  const Control = controls[control] ?? InputControl;
  const id = `field-${name}`;
  const isGroup = ['terms', 'links', 'picture', 'html'].includes(control);
  const inner = <Control {...{ field, ...props }} attributes={{ id, ...errorOf(id, error) }} />;
  const refused = error && (
    <small id={`${id}-error`} class="failing">
      {error}
    </small>
  );
  if (isGroup)
    return (
      <fieldset class={control}>
        <legend id={`${id}-label`}>{label}</legend>
        {inner}
        {refused}
      </fieldset>
    );
  const text = <label for={id}>{label}</label>;
  return <div class={control}>{control === 'check' ? [inner, text, refused] : [text, inner, refused]}</div>;
}

const errorOf = (id: string, error: string | undefined) =>
  error === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-error` };

interface AnyControlProps extends ControlProps {
  readonly values: Values;
  readonly attributes: { readonly id: string };
}

type AnyControl = (props: AnyControlProps) => ComponentChildren;

function InputControl({ field, value, set, attributes }: AnyControlProps) {
  const type = field.control === 'names' ? 'text' : field.control;
  const more = field.control === 'number' ? { step: 'any' } : {};
  return (
    <input
      {...{ ...attributes, ...more, type, value: String(value), required: field.isRequired }}
      autocomplete="off"
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

function CheckControl({ value, set, attributes }: AnyControlProps) {
  return (
    <input
      {...attributes}
      type="checkbox"
      checked={value === true}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  );
}

/** A day and time in the zone of the event; a day for an event of whole days. */
function DateControl({ field, value, set, values, attributes }: AnyControlProps) {
  const isDay = values['all_day'] === true;
  const text = String(value);
  return (
    <input
      {...attributes}
      type={isDay ? 'date' : 'datetime-local'}
      value={isDay ? text.slice(0, 10) : text === '' ? '' : text.padEnd(16, 'T00:00')}
      required={field.isRequired}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

function ZoneControl({ value, set, attributes }: AnyControlProps) {
  const zones = [...new Set([String(value), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <select {...attributes} value={String(value)} onChange={({ currentTarget }) => set(currentTarget.value)}>
      {zones.map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </select>
  );
}

/** Categories to choose from. */
function TermsControl({ value, set }: AnyControlProps) {
  const terms = useList<TermView>('categories');
  const chosen = value as readonly TermView[];
  return terms.map((term) => {
    const otherTerms = chosen.filter(({ id }) => id !== term.id);
    const isChosen = otherTerms.length < chosen.length;
    return (
      <label key={term.id}>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={() => set(isChosen ? otherTerms : [...otherTerms, term])}
        />
        {plain(term.name)}
      </label>
    );
  });
}

/** What a new venue or organizer is made of here; its form has the rest. */
const newFields = { venue: ['address', 'zip', 'city'], organizer: ['email'] } as const;

/** Venues or organizers: a choice for each, and another one behind the last; or the name of a new one. */
function LinksControl({ field, value, set }: AnyControlProps) {
  const kind = field.name as keyof typeof newFields;
  const items = useList<ContactView>(collections[kind]);
  const choices = value as readonly Partial<ContactView>[];
  const choose = (index: number, chosen: string) => {
    const item = chosen === 'new' ? { [kind]: '' } : items.find(({ id }) => String(id) === chosen);
    set(choices.toSpliced(index, 1, ...(item ? [item] : [])));
  };
  return [...choices, undefined].map((choice, index) => (
    <div key={index} class="link">
      <select
        aria-label={`${field.label} ${index + 1}`}
        value={choice ? String(choice.id ?? 'new') : ''}
        onChange={({ currentTarget }) => choose(index, currentTarget.value)}
      >
        <option value="">{word('choose')}</option>
        <option value="new">{word('newOne')}</option>
        {[...items, ...choices.filter(({ id }) => id && items.every((item) => item.id !== id))].map(
          ({ id, [kind]: name = '' }) => (
            <option key={id} value={id}>
              {plain(name)}
            </option>
          ),
        )}
      </select>
      {choice &&
        choice.id === undefined &&
        ([kind, ...newFields[kind]] as const).map((name) => (
          <input
            key={name}
            value={choice[name] ?? ''}
            required={name === kind}
            {...{ 'aria-label': labelOf(name, kind), placeholder: labelOf(name, kind) }}
            onInput={({ currentTarget }) =>
              set(choices.toSpliced(index, 1, { ...choice, [name]: currentTarget.value }))
            }
          />
        ))}
    </div>
  ));
}

const labelOf = (name: 'venue' | 'organizer' | 'address' | 'zip' | 'city' | 'email', kind: string) =>
  word(name === kind ? 'name' : `field_${name}`);

/** Reads a list; empty until it was read, and where it cannot be. */
function useList<View>(list: Parameters<typeof readList>[0]): readonly View[] {
  const [items, setItems] = useState<readonly View[]>([]);
  useEffect(() => void readList<View>(list).then(setItems, () => setItems([])), []);
  return items;
}

const controls: Partial<Readonly<Record<FormField['control'], AnyControl>>> = {
  ...{ check: CheckControl, date: DateControl, zone: ZoneControl, terms: TermsControl, links: LinksControl },
  ...{ html: HtmlControl, picture: PictureControl },
};
