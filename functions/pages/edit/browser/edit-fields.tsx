/** The controls of fields of the calendar: dates with zones, categories, venues and organizers. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ControlProps, Controls } from '../../common/browser/fields.tsx';
import { plain } from '../../common/browser/lists.ts';
import { language, word } from '../../common/browser/session.tsx';
import { Options } from '../../common/views/controls.tsx';
import { countries, countryIn } from '../../common/views/countries.ts';
import type { ContactView, TermView } from '../../common/views/types.ts';
import { timeOf } from '../../common/views/when.ts';
import { timeOnClocks } from './clocks.ts';
import { collections, readList, zone } from './edit-data.ts';
import { HtmlControl } from './edit-html.tsx';
import { PictureControl } from './edit-picture.tsx';
import { RepeatControl } from './repeat.tsx';

/** A day and time in the zone of the event, with a note where no clock shows it there; a day for an event of whole days. */
function DateControl({ field, value, set, values, attributes }: ControlProps) {
  const isDay = values['all_day'] === true;
  const text = String(value);
  const shown = isDay ? text.slice(0, 10) : text === '' ? '' : text.padEnd(16, 'T00:00');
  const shownLater = isDay || shown === '' ? shown : timeOnClocks(shown, String(values['timezone']));
  return (
    <>
      <input
        {...attributes}
        type={isDay ? 'date' : 'datetime-local'}
        value={shown}
        max={isDay ? '9999-12-31' : '9999-12-31T23:59'}
        required={field.isRequired}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <small role="status">
        {shownLater !== shown && `${word('skippedTime')} ${timeOf(`${shownLater}:00`, language)}.`}
      </small>
    </>
  );
}

/** A day and time in the zone of the calendar. */
function MomentControl({ value, set, attributes }: ControlProps) {
  const note = `${attributes.id}-note`;
  return (
    <>
      <input
        {...attributes}
        type="datetime-local"
        value={String(value)}
        max="9999-12-31T23:59"
        aria-describedby={note}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <small id={note} class="muted">
        {word('publicationNote')} {zone}
      </small>
    </>
  );
}

const countryOptions = countries(language);

/** A country, whatever the language that it was written in; what is none stays as it is. */
function CountryControl({ value, set, attributes }: ControlProps) {
  const written = String(value ?? '');
  const known = countryOptions.find(([, shown]) => shown === countryIn(written, language));
  const options = known === undefined && written !== '' ? [[written, written] as const] : [];
  return (
    <select
      {...attributes}
      value={known?.[0] ?? written}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      <Options options={[['', word('choose')], ...options, ...countryOptions]} />
    </select>
  );
}

function ZoneControl({ value, set, attributes }: ControlProps) {
  const zones = [...new Set([String(value), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <select {...attributes} value={String(value)} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <Options options={zones.map((zone) => [zone, zone])} />
    </select>
  );
}

/** Names, with commas between them; those before the last are chips that can be removed. */
function NamesControl({ value, set, attributes }: ControlProps) {
  const [chosen, setChosen] = useState(value as readonly Partial<TermView>[]);
  const [text, setText] = useState('');
  const written = useRef(JSON.stringify(value));
  const current = JSON.stringify(value);
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (current === written.current) return;
    // Other names than the typed ones: those that were saved.
    written.current = current;
    setChosen(value as readonly Partial<TermView>[]);
    setText('');
  }, [current]);
  const write = (terms: readonly Partial<TermView>[], typed: string) => {
    const names = [...terms, ...namesIn(typed).map((name) => ({ name }))];
    setText(typed);
    written.current = JSON.stringify(names);
    set(names);
  };
  const choose = (terms: readonly Partial<TermView>[]) => {
    setChosen(terms);
    write(terms, '');
  };
  const addTyped = () => choose([...chosen, ...namesIn(text).map((name) => ({ name }))]);
  return (
    <>
      {chosen.length > 0 && (
        <ul class="chips">
          {chosen.map((term) => (
            <li key={term.name}>
              {term.name}
              <button
                type="button"
                class="outline secondary"
                aria-label={`${word('removeName')}: ${term.name}`}
                onClick={() => choose(chosen.filter((other) => other !== term))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        {...attributes}
        value={text}
        autocomplete="off"
        onInput={({ currentTarget }) => write(chosen, currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          event.preventDefault();
          addTyped();
        }}
      />
    </>
  );
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

/** Categories to choose from. */
function TermsControl({ value, set }: ControlProps) {
  const terms = useList<TermView>('categories');
  const selection = value as readonly TermView[];
  return terms.map((term) => {
    const otherTerms = selection.filter(({ id }) => id !== term.id);
    const isSelected = otherTerms.length < selection.length;
    const toggle = () => set(isSelected ? otherTerms : [...otherTerms, term]);
    return (
      <label key={term.id}>
        <input type="checkbox" checked={isSelected} onChange={toggle} />
        {plain(term.name)}
      </label>
    );
  });
}

/** Fields of a new venue or organizer here; its form has more. */
const newFields = { venue: ['venue', 'address', 'zip', 'city'], organizer: ['organizer', 'email'] } as const;

/** Venues or organizers: a choice for each, and another one behind the last; or the name of a new one. */
function LinksControl({ field, value, set }: ControlProps) {
  const kind = field.name as keyof typeof newFields;
  const records = useList<ContactView>(collections[kind]);
  const links = value as readonly Partial<ContactView>[];
  const unlisted = links.filter(({ id }) => id && records.every((record) => record.id !== id));
  const options = [...records, ...unlisted].map(
    ({ id = 0, [kind]: name = '' }) => [id, plain(name)] as const,
  );
  const replace = (index: number, link?: Partial<ContactView>) =>
    set(links.toSpliced(index, 1, ...(link ? [link] : [])));
  const select = (index: number, id: string) =>
    replace(index, id === 'new' ? { [kind]: '' } : records.find((record) => String(record.id) === id));
  return [...links, undefined].map((link, index) => (
    <div key={index} class="link">
      <select
        aria-label={`${field.label} ${index + 1}`}
        value={link ? String(link.id ?? 'new') : ''}
        onChange={({ currentTarget }) => select(index, currentTarget.value)}
      >
        <Options options={[['', word('choose')], ['new', word('newOne')], ...options]} />
      </select>
      {link &&
        link.id === undefined &&
        newFields[kind].map((name) => {
          const label = word(name === kind ? 'field_name' : `field_${name}`);
          return (
            <input
              key={name}
              value={link[name] ?? ''}
              required={name === kind}
              aria-label={label}
              placeholder={label}
              onInput={({ currentTarget }) => replace(index, { ...link, [name]: currentTarget.value })}
            />
          );
        })}
    </div>
  ));
}

/** Reads a list; empty until it was read, and where it cannot be. */
function useList<View>(list: Parameters<typeof readList>[0]): readonly View[] {
  const [items, setItems] = useState<readonly View[]>([]);
  useEffect(() => void readList<View>(list).then(setItems, () => setItems([])), []);
  return items;
}

export const controls: Controls = {
  country: CountryControl,
  date: DateControl,
  moment: MomentControl,
  zone: ZoneControl,
  names: NamesControl,
  terms: TermsControl,
  links: LinksControl,
  html: HtmlControl,
  picture: PictureControl,
  repeat: RepeatControl,
};
