/** One object as a case page: its facts, the fields of the customer, and a section for each source of custom data. */

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { send } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { parseExactly, pretty } from '../../common/browser/json.ts';
import { useMore } from '../../common/browser/more.tsx';
import { Failure, type Field, Read, useAttempt, useFields, useRead } from '../../common/browser/read.tsx';
import { records, word } from '../../common/browser/session.tsx';
import { text } from '../../common/browser/table.tsx';
import type { FormField } from '../../common/views/types.ts';
import { isWord } from '../../common/views/words.ts';
import { wordsByName, wordsOf } from './reading.ts';
import { type Collection, isParentField, type Lineage, type Place } from './record-kinds.ts';
import { useTechnical } from './technical.tsx';
import { fieldsOf, isOfJson, ValueForm, type Version } from './value-form.tsx';
import { Facts, Moment, Text, Value } from './value-view.tsx';

interface Source {
  readonly identifier: string;
  readonly kind: 'JSON' | 'REF' | 'REF_RO';
  readonly source: 'stored' | 'procedure' | 'view' | 'missing';
  readonly name: string | null;
}

interface ObjectProps {
  readonly place: Place;
  readonly lineage: Lineage;
  readonly reload: () => void;
}

export function ObjectView({ place: { collection, id }, lineage, reload }: ObjectProps) {
  const { objects, path = '', failure } = lineage;
  const isTechnical = useTechnical();
  const url = `${records}${path}`;
  const fields = useFields(`${records}/${collection}/fields`);
  const data = useRead<Values>(`${url}/custom-data`);
  const values = data instanceof Error ? {} : (data ?? {});
  const record = objects[0]?.record;
  return (
    <article class="case">
      <Breadcrumbs lineage={lineage} />
      {record === undefined && failure === undefined && <p>{word('reading')}</p>}
      {(record || failure) && <Heading collection={collection} record={record ?? { id }} />}
      <Failure error={failure} />
      {record && (
        <>
          <Editing
            url={url}
            method="PATCH"
            toFields={(read) => metadataFields(fields, read)}
            label={text(record['title'] ?? '')}
            close={reload}
          />
          <Metadata lineage={lineage} fields={fields} />
        </>
      )}
      <Failure error={data} />
      <Read path={`${url}/custom-data/sources`}>
        {(sources: readonly Source[]) => (
          <>
            <CustomValues
              sources={sources}
              values={values}
              isReadAlone={data instanceof Error}
              url={url}
              reload={reload}
            />
            {isTechnical && <NewValue sources={sources} url={url} reload={reload} />}
          </>
        )}
      </Read>
      {isTechnical && (
        <Section label={word('request')}>
          <pre>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}${url}/custom-data`}</pre>
        </Section>
      )}
    </article>
  );
}

interface CustomValuesProps extends Omit<ValueProps, 'source' | 'label' | 'value'> {
  readonly sources: readonly Source[];
  readonly values: Values;
}

/** Values that are drawn at once. */
const valuesOfStep = 50;

function CustomValues({ sources, values, ...shared }: CustomValuesProps) {
  const { shown, more } = useMore(sources.length, valuesOfStep);
  const words = wordsByName(sources.map(({ identifier }) => identifier));
  return (
    <>
      {sources.slice(0, shown).map((source) => (
        <CustomValue
          key={source.identifier}
          source={source}
          label={words.get(source.identifier) ?? source.identifier}
          value={values[source.identifier]}
          {...shared}
        />
      ))}
      {more}
    </>
  );
}

/** The objects above, from the diary down. */
function Breadcrumbs({ lineage: { objects } }: { readonly lineage: Lineage }) {
  const above = objects.slice(1).toReversed();
  if (above.length === 0) return null;
  return (
    <nav class="breadcrumbs" aria-label={word('above')}>
      {above.map(({ path, id, record }) => (
        <a key={path} href={`#${path.slice(1)}`}>
          {text(record['title'] || id)}
        </a>
      ))}
    </nav>
  );
}

function Heading({ collection, record }: { readonly collection: Collection; readonly record: Values }) {
  const { title, number, id, description } = record;
  return (
    <header>
      <p class="muted">{[word(`kind_${collection}`), number].filter(Boolean).join(' ')}</p>
      <h2>{text(title || id)}</h2>
      {typeof description === 'string' && description !== '' && (
        <p class="description">
          <Text text={description} />
        </p>
      )}
    </header>
  );
}

interface SectionProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A part of the page under its heading. */
function Section({ label, children }: SectionProps) {
  const id = useId();
  return (
    <section class="source" aria-labelledby={id}>
      <h3 id={id}>{label}</h3>
      {children}
    </section>
  );
}

/** A customer's field: the type in its name, and its number. */
const bkPattern = /^bk(Str|Int|Date|Float)(\d+)$/;

/** Returns what a field of the metadata is called: by the customer, or else by the page. */
function labelOf(name: string, label: string | null | undefined): string {
  if (label) return label;
  const [, type, number] = bkPattern.exec(name) ?? [];
  const key = type === undefined ? `fact_${name}` : `bk_${type}`;
  if (!isWord(key)) return wordsOf(name);
  return number === undefined ? word(key) : `${word(key)} ${Number(number)}`;
}

interface MetadataProps {
  readonly lineage: Lineage;
  readonly fields: readonly Field[];
}

/** What the heading has already. */
const inHeading = ['id', 'title', 'description', 'number'];

/** The facts of the object, and the fields that the customer has named. What is empty is left out. */
function Metadata({ lineage: { objects }, fields }: MetadataProps) {
  const isTechnical = useTechnical();
  const [{ record = {} } = {}, parent] = objects;
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const shownOf = (name: string, value: unknown, label: string) => {
    if (isParentField(name) && parent !== undefined)
      return <a href={`#${parent.path.slice(1)}`}>{text(parent.record['title'] || value)}</a>;
    if (/^(created|updated)At$/.test(name)) return <Moment text={text(value)} to="minute" />;
    // A text is shown as it was written, even where it looks like a date.
    if (typeof value === 'string' && !name.startsWith('bkDate')) return <Text text={value} />;
    return <Value name={label} value={value} />;
  };
  const facts = Object.entries(record)
    .filter(([, value]) => value !== null && value !== '')
    .filter(([name]) => isTechnical || !inHeading.includes(name))
    .map(([name, value]) => {
      const label = labelOf(name, labels.get(name));
      return { name, label, value: shownOf(name, value, label) };
    });
  const isBk = ({ name }: { readonly name: string }) => bkPattern.test(name);
  return (
    <>
      <Section label={word('facts')}>
        <Facts facts={facts.filter((fact) => !isBk(fact))} />
      </Section>
      <Section label={word('ownFields')}>
        <p class="muted">{word('ownFieldsWhy')}</p>
        {facts.some(isBk) ? <Facts facts={facts.filter(isBk)} /> : <p class="muted">{word('noValues')}</p>}
      </Section>
    </>
  );
}

interface EditingProps {
  readonly url: string;
  readonly method: 'PUT' | 'PATCH';
  /** Name of what is changed. */
  readonly label: string;
  readonly toFields: (value: never) => readonly FormField[];
  readonly close: () => void;
}

/** A button that opens a form of a stored value, in the version that was read. */
function Editing({ url, method, label, toFields, close }: EditingProps) {
  const [version, setVersion] = useState<Version>();
  const [failure, attempt] = useAttempt();
  const read = async (): Promise<Version> => {
    const { value, etag } = await send<never>(url);
    const save = (body: string) => send(url, { method, body, headers: { 'If-Match': etag } });
    return { fields: toFields(value), save };
  };
  if (version === undefined)
    return (
      <p class="buttons">
        <button
          type="button"
          class="outline"
          aria-label={`${word('change')}: ${label}`}
          onClick={() => attempt(async () => setVersion(await read()))}
        >
          {word('change')}
        </button>
        <Failure error={failure} />
      </p>
    );
  return <ValueForm version={version} close={close} isPatch={method === 'PATCH'} readAgain={read} />;
}

const newValueFields: readonly FormField[] = [
  { name: 'identifier', label: word('identifier'), control: 'text', isRequired: true, initial: '' },
  { name: 'value', label: word('valueAsJson'), control: 'json', initial: '{}' },
];

interface NewValueProps {
  readonly sources: readonly Source[];
  readonly url: string;
  readonly reload: () => void;
}

/** A form that stores a value under an identifier that the object lacks. */
function NewValue({ sources, url, reload }: NewValueProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" class="outline" onClick={() => setOpen(true)}>
        {word('addValue')}
      </button>
    );
  const save = (json: string) => {
    const { identifier, value } = parseExactly(json) as Values;
    if (sources.some((source) => source.identifier === identifier))
      throw new Error(`${word('identifierTaken')} ${identifier}`);
    const path = `${url}/custom-data/${encodeURIComponent(text(identifier))}`;
    // Another person may have stored one of the same identifier since the page was read.
    return send(path, { method: 'PUT', body: pretty(value), headers: { 'If-None-Match': '*' } });
  };
  return <ValueForm version={{ fields: newValueFields, save }} isPatch={false} close={reload} />;
}

const controls = { text: 'text', integer: 'number', number: 'number', date: 'day' } as const;

/** Returns the fields of metadata that can be changed, with those bk-fields alone that have a value or a label. */
function metadataFields(fields: readonly Field[], record: Values): FormField[] {
  return fields
    .filter((field) => !field.readOnly && (field.label || record[field.name] || !field.name.startsWith('bk')))
    .map(({ name, label, type }) => ({
      name,
      label: labelOf(name, label),
      control: controls[type],
      initial: text(record[name] ?? ''),
    }));
}

interface ValueProps {
  readonly source: Source;
  readonly label: string;
  readonly url: string;
  readonly reload: () => void;
  readonly value: unknown;
  /** Whether the values cannot be read together, so that this one is read without the others. */
  readonly isReadAlone: boolean;
}

/** A value with where it comes from, and the form that changes it. */
function CustomValue({ source, label, value, isReadAlone, url, reload }: ValueProps) {
  const { identifier, kind } = source;
  const isMissing = source.source === 'missing';
  const isTechnical = useTechnical();
  const valueUrl = `${url}/custom-data/${encodeURIComponent(identifier)}`;
  // A value that is yet to be read may have fields.
  const hasFields = isTechnical || value === undefined || fieldsOf(value).some((field) => !isOfJson(field));
  return (
    <Section label={label}>
      <p class={isMissing ? 'failing' : 'muted'}>{word(isMissing ? 'origin_missing' : `origin_${kind}`)}</p>
      {isTechnical && <Origin {...source} />}
      {isReadAlone && !isMissing ? (
        <Read path={valueUrl}>{(alone: unknown) => <Shown label={label} value={alone} />}</Read>
      ) : (
        value !== undefined && <Shown label={label} value={value} />
      )}
      {kind !== 'REF_RO' && hasFields && (
        <Editing url={valueUrl} method="PUT" label={label} toFields={fieldsOf} close={reload} />
      )}
      {kind !== 'REF_RO' && !hasFields && <p class="muted">{word('changeAsJson')}</p>}
    </Section>
  );
}

/** What stands behind a value in the databases. */
function Origin({ identifier, kind, source, name }: Source) {
  const names = {
    stored: ['tCustomData'],
    missing: [`pCustomData_${identifier}_Get`, `CustomData_${identifier}`],
    procedure: [name],
    view: [name],
  }[source];
  return (
    <p>
      <code>{identifier}</code> <kbd>{kind}</kbd> {word(`source_${source}`)}{' '}
      {names.map((itsName) => (
        <code key={itsName}>dbo.{itsName} </code>
      ))}
    </p>
  );
}

function Shown({ label, value }: { readonly label: string; readonly value: unknown }) {
  const isTechnical = useTechnical();
  return (
    <>
      <div class="value">
        <Value name={label} value={value} />
      </div>
      {isTechnical && <pre>{pretty(value)}</pre>}
    </>
  );
}
