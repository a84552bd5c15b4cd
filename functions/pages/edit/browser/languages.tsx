/** The texts of a record in other languages beside their originals: what is missing, and what is older than its original. */

import { useEffect, useState } from 'preact/hooks';
import { Fields, useRefusals, type Values } from '../../common/browser/fields.tsx';
import { plain } from '../../common/browser/lists.ts';
import { language, word } from '../../common/browser/session.tsx';
import type { FormField } from '../../common/views/types.ts';
import { type PageLanguage, words } from '../../common/views/words.ts';
import { confirmedField, forms, type Kind, textLanguages, translationName } from './edit-data.ts';
import { controls } from './edit-fields.tsx';
import type { Saving } from './edit-saving.ts';
import type { EditedRecord } from './edit-state.ts';

/** What a text is beside its original. */
export type TextState = 'current' | 'older' | 'missing';

/** Where a link from the list opens the texts. */
export const languagesHash = '#languages';

const ownNameOf = (code: PageLanguage) => words(code)('ownName');

interface TextsProps {
  readonly edited: EditedRecord;
  readonly saving: Saving;
}

/** Returns the fields of a form whose texts stand in several languages, in its order. */
function translatedFields(kind: Kind): readonly FormField[] {
  const names = new Set(forms[kind].flatMap(({ translates }) => translates ?? []));
  return forms[kind].filter(({ name }) => names.has(name));
}

export function LanguagesOf({ edited, saving }: TextsProps) {
  const { kind, values, changes } = edited;
  const [isOpen, setOpen] = useState(location.hash === languagesHash);
  const refusal = useRefusals(saving.failure, values).of('translations');
  useEffect(() => {
    if (refusal !== undefined) setOpen(true);
  }, [refusal]);
  const fields = translatedFields(kind);
  useEffect(() => {
    if (location.hash === languagesHash) document.querySelector('.languages summary')?.scrollIntoView();
  }, []);
  if (changes['copy_of'] !== undefined) return <p class="muted">{word('languagesCopied')}</p>;
  const shown = fields.filter((field) =>
    textLanguages.some(({ part }) => textIn(field, part, values) !== ''),
  );
  return (
    <details class="languages" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {word('otherLanguages')} <small class="muted">{summaryOf(edited)}</small>
      </summary>
      {refusal !== undefined && <p class="failing">{refusal}</p>}
      {shown.length === 0 && <p class="muted">{word('noTextsYet')}</p>}
      {isOpen &&
        shown.map((field) => (
          <section key={field.name} class="side-by-side" aria-label={field.label}>
            <h2>{field.label}</h2>
            <div>
              {textLanguages.map(({ part, code, isOriginal }) => (
                <div key={part}>
                  <h3>
                    {ownNameOf(code)} {isOriginal && <small class="muted">({word('originalText')})</small>}
                  </h3>
                  {code === language && part === ownPart() ? (
                    <Shown field={field} value={values[field.name]} />
                  ) : (
                    <div lang={code}>
                      <Fields
                        fields={forms[kind].filter(({ name }) => name === translationName(part, field.name))}
                        values={values}
                        set={edited.set}
                        failure={saving.failure}
                        controls={controls}
                      />
                    </div>
                  )}
                  {!isOriginal && <State edited={edited} part={part} field={field} />}
                </div>
              ))}
            </div>
          </section>
        ))}
    </details>
  );
}

/** The language of the texts that the form itself has. */
const ownPart = () => textLanguages.find(({ isOfForm }) => isOfForm)?.part;

function textIn(field: FormField, part: string, values: Values): string {
  const value = values[part === ownPart() ? field.name : translationName(part, field.name)];
  return plain(String(value ?? '')).trim();
}

/** The text that the form above has, to be read beside the others. */
function Shown({ field, value }: { readonly field: FormField; readonly value: unknown }) {
  const text = String(value ?? '');
  if (plain(text) === '') return <p class="muted">–</p>;
  return field.control === 'html' ? (
    <div class="text-shown" dangerouslySetInnerHTML={{ __html: text }} />
  ) : (
    <p class="text-shown">{text}</p>
  );
}

/** Returns what a text is, with the changes of the form that are not saved yet; undefined where there is nothing to translate. */
function stateOf(
  { record, values, changes }: EditedRecord,
  part: string,
  field: FormField,
): TextState | undefined {
  const original = textLanguages.find(({ isOriginal }) => isOriginal)?.part ?? 'default';
  const nameIn = (of: string) => (of === ownPart() ? field.name : translationName(of, field.name));
  const hasOriginal = textIn(field, original, values) !== '';
  const stored = record?.value.translation_states?.[part]?.[field.name];
  // What the form shows of its own language may be the original, which shows through.
  const isThrough = part === ownPart() && stored === 'missing' && !(nameIn(part) in changes);
  if (textIn(field, part, values) === '' || isThrough) return hasOriginal ? 'missing' : undefined;
  if (nameIn(part) in changes || isConfirmed(changes, part, field)) return 'current';
  if (nameIn(original) in changes) return 'older';
  return stored === 'older' ? 'older' : 'current';
}

const confirmedIn = (changes: Values) => (changes[confirmedField] ?? []) as readonly string[];
const isConfirmed = (changes: Values, part: string, { name }: FormField) =>
  confirmedIn(changes).includes(`${part}.${name}`);

interface StateProps {
  readonly edited: EditedRecord;
  readonly part: string;
  readonly field: FormField;
}

/** What a text is beside its original, and the button that says that it is right still. */
function State({ edited, part, field }: StateProps) {
  const { changes, set } = edited;
  const state = stateOf(edited, part, field);
  const text = `${part}.${field.name}`;
  const isSaid = isConfirmed(changes, part, field);
  const others = confirmedIn(changes).filter((other) => other !== text);
  const say = () =>
    set(confirmedField, isSaid && others.length === 0 ? undefined : isSaid ? others : [...others, text]);
  return (
    <p class="text-state">
      {(state === 'older' || state === 'missing') && <mark>{word(`text_${state}`)}</mark>}
      {(state === 'older' || isSaid) && (
        <button type="button" class="outline" aria-pressed={isSaid} onClick={say}>
          {word('stillRight')}
        </button>
      )}
    </p>
  );
}

/** Says how many texts of each language are missing or older. */
function summaryOf(edited: EditedRecord): string {
  const fields = translatedFields(edited.kind);
  return textLanguages
    .filter(({ isOriginal }) => !isOriginal)
    .flatMap(({ part, code }) => {
      const states = fields.map((field) => stateOf(edited, part, field));
      const counts = (['missing', 'older'] as const).flatMap((state) => {
        const count = states.filter((one) => one === state).length;
        return count === 0 ? [] : [`${count} ${word(`text_${state}`)}`];
      });
      return counts.length === 0 ? [] : [`${ownNameOf(code)}: ${counts.join(', ')}`];
    })
    .join(' · ');
}
