/** What a table of fields says of a record: its parameters, its schemas, what is stored, and what is shown. */

import type { TSchema } from 'typebox';
import type { RawParameters } from '../calendar-context.ts';
import { languageOfText, textIn } from '../text/render-text.ts';
import type {
  Field,
  FieldTable,
  ParametersOf,
  SchemasOf,
  ShowContext,
  Shown,
  StoreContext,
} from './field.ts';

/** Returns the parameters of fields, those that are required first. */
export function parametersOf<Table extends FieldTable>(fields: Table): ParametersOf<Table> {
  const parameters = Object.entries(fields).flatMap(([name, { parameter }]) =>
    parameter === undefined ? [] : [[name, parameter] as const],
  );
  const first = parameters.filter(([, { required }]) => required);
  return Object.fromEntries([...first, ...parameters]) as ParametersOf<Table>;
}

/** Returns the schemas of what is shown of fields, by key. */
export function schemasOf<Table extends FieldTable>(fields: Table): SchemasOf<Table> {
  const schemas = keysOf(fields).map(({ key, shown }) => [key, shown.schema]);
  return Object.fromEntries(schemas) as SchemasOf<Table>;
}

/** Returns the values of fields to store, but for computed ones. A table whose fields have a `store` needs the context. */
export function storedOf(
  fields: FieldTable,
  raw: RawParameters,
  before: RawParameters,
  context?: StoreContext,
): RawParameters {
  const values = Object.entries(fields).flatMap(([name, field]) => {
    const given = raw[name];
    const stored = before[name];
    if (field.isComputed || (given === undefined && stored === undefined)) return [];
    const value = context && field.store ? field.store(given, stored, context) : (given ?? stored);
    return value === undefined || (field.isKept !== true && isEmpty(value)) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** Returns the names under which texts in several languages are stored, with those under which they are sent. */
export function translatedOf(fields: FieldTable): readonly (readonly [stored: string, sent: string])[] {
  return Object.entries(fields).flatMap(([name, { isTranslated, storedAs = name }]) =>
    isTranslated ? [[storedAs, name] as const] : [],
  );
}

/** Creates what shows the fields of a record, but for joined ones: with all keys, or without those that are empty. */
export function createView(
  fields: FieldTable,
  { isSparse }: { readonly isSparse: boolean },
): (context: ShowContext, isHidden?: boolean) => Readonly<Record<string, unknown>> {
  const keys = keysOf(fields).filter(({ field }) => field.isJoined !== true);
  const translated = translatedOf(fields);
  return (context, isHidden = false) => {
    const view: Record<string, unknown> = {};
    for (const { key, shown, name, field } of keys) {
      const isReplaced = isHidden && 'hidden' in shown;
      const value = isReplaced ? shown.hidden : shownValue(shown, name, field, context);
      if (!isSparse || field.isKept || !isAbsent(value)) view[key] = value;
    }
    const textLanguages = textLanguagesOf(translated, context);
    if (textLanguages !== undefined) view['text_languages'] = textLanguages;
    return view;
  };
}

/** Returns the languages of the texts of a record that has translations, as far as they are known. */
function textLanguagesOf(
  translated: readonly (readonly [stored: string, sent: string])[],
  { record, language }: ShowContext,
): Readonly<Record<string, string>> | undefined {
  if (record['translations'] === undefined) return undefined;
  const texts = record as Readonly<Record<string, string>>;
  const known = translated.flatMap(([stored, sent]) => {
    const textLanguage = languageOfText(texts, stored, language);
    return textLanguage === undefined ? [] : [[sent, textLanguage] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

interface ShownKey {
  readonly key: string;
  readonly shown: Shown<unknown> & { readonly schema: TSchema };
  readonly name: string;
  readonly field: Field;
}

/** Lists the keys that are shown of fields, in the order of the table. */
function keysOf(fields: FieldTable): readonly ShownKey[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    Object.entries({ [name]: field, ...field.also }).flatMap(([key, shown]) =>
      shown.schema === undefined ? [] : [{ key, shown: { ...shown, schema: shown.schema }, name, field }],
    ),
  );
}

function shownValue(
  { show }: Shown<unknown>,
  name: string,
  { storedAs = name, isTranslated }: Field,
  context: ShowContext,
): unknown {
  const { record, language } = context;
  const storedValue = isTranslated
    ? textIn(record as Record<string, string>, storedAs, language)
    : record[storedAs];
  return show === undefined ? storedValue : show(storedValue, context);
}

/** Checks whether a value reads the same when it is not stored: `""`, false, 0 and empty lists. */
function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

/** Checks whether a sparse view leaves a value out (docs/calendar-contract.md, "Venues"). */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || value === '0';
}
