/** One object as a case page: its facts, the fields of the customer, and a section for each source of custom data. */

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { send } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { isObject, parseExactly, pretty } from '../../common/browser/json.ts';
import { useMore } from '../../common/browser/more.tsx';
import { Failure, type Field, Read, useAttempt, useFields, useRead } from '../../common/browser/read.tsx';
import { base, records, user, word } from '../../common/browser/session.tsx';
import { text } from '../../common/browser/table.tsx';
import type { FormField } from '../../common/views/types.ts';
import { bkPattern, labelOf } from './labels.ts';
import { ObjectLinks } from './object-list.tsx';
import { wordsByName } from './reading.ts';
import { type Collection, collectionBelow, isParentField, type Lineage, type Place } from './record-kinds.ts';
import { columnsOfCsv } from './rows.ts';
import { useTechnical } from './technical.tsx';
import { fieldsOf, isOfJson, type Samples, timeNow, ValueForm, type Version } from './value-form.tsx';
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
  /** Whether it was chosen where no focus stays, and so gets it. */
  readonly isChosen: boolean;
  /** How often something of it was stored here: after each time it is read again. */
  readonly round: number;
  readonly reload: () => void;
}

export function ObjectView({ place: { collection, id }, lineage, isChosen, round, reload }: ObjectProps) {
  const { objects, path = '', failure } = lineage;
  const isTechnical = useTechnical();
  const url = `${records}${path}`;
  const fields = useFields(`${records}/${collection}/fields`);
  const data = useRead<Values>(`${url}/custom-data`, round);
  const changes = useRead<readonly Change[]>(`${url}/changes`, round);
  const below = collectionBelow(collection);
  const values = data instanceof Error ? {} : (data ?? {});
  const record = objects[0]?.record;
  return (
    <article class="case">
      <Breadcrumbs lineage={lineage} />
      {record === undefined && failure === undefined && <p>{word('reading')}</p>}
      {(record || failure) && (
        <Heading collection={collection} record={record ?? { id }} isChosen={isChosen} />
      )}
      <Failure error={failure} />
      {record && (
        <>
          <Editing
            url={url}
            method="PATCH"
            toFields={(read) => metadataFields(fields, read)}
            label={text(record['title'] ?? '')}
            stored={reload}
          />
          <Metadata
            lineage={lineage}
            fields={fields}
            changes={changes instanceof Error ? [] : (changes ?? [])}
          />
          {below && (
            <Section label={word(`collection_${below}`)}>
              <ObjectLinks list={`${path}/${below}`} collection={below} round={round} />
            </Section>
          )}
        </>
      )}
      <Failure error={data} />
      <Read path={`${url}/custom-data/sources`} round={round}>
        {(sources: readonly Source[]) => (
          <>
            <CustomValues
              sources={sources}
              values={values}
              isReadAlone={data instanceof Error}
              url={url}
              collection={collection}
              round={round}
              reload={reload}
            />
            {isTechnical && <NewValue sources={sources} url={url} reload={reload} />}
          </>
        )}
      </Read>
      {isTechnical && (
        <Section label={word('request')}>
          <p>
            <a href={`${base}/swagger`}>{word('explorer')}</a>
          </p>
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

interface HeadingProps {
  readonly collection: Collection;
  readonly record: Values;
  readonly isChosen: boolean;
}

function Heading({ collection, record, isChosen }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (isChosen) heading.current?.focus();
  }, [isChosen]);
  const { title, number, id, description } = record;
  return (
    <header>
      <p class="muted">{[word(`kind_${collection}`), number].filter(Boolean).join(' ')}</p>
      <h2 ref={heading} tabIndex={-1}>
        {text(title || id)}
      </h2>
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

/** The last change of metadata, or of custom data, through the service. */
interface Change {
  readonly what: 'metadata' | 'custom-data';
  readonly changedBy: string | null;
  readonly changedAt: string;
}

/** Milliseconds by which a change and its entry in the journal lie apart, at most. */
const journalDelay = 5_000;

/** When something was changed, and by whom. Who has changed it past the service is not known. */
function Changed({ at, change }: { readonly at: string; readonly change: Change | undefined }) {
  const isKnown = change && Math.abs(Date.parse(change.changedAt) - Date.parse(at)) < journalDelay;
  return (
    <>
      <Moment text={at} to="minute" />
      {isKnown && ` ${word('by')} ${change.changedBy ?? word('userGone')}`}
    </>
  );
}

interface MetadataProps {
  readonly lineage: Lineage;
  readonly fields: readonly Field[];
  readonly changes: readonly Change[];
}

/** What the heading has already. */
const inHeading = ['id', 'title', 'description', 'number'];

/** The facts of the object, and the fields that the customer has named. What is empty is left out. */
function Metadata({ lineage: { objects }, fields, changes }: MetadataProps) {
  const isTechnical = useTechnical();
  const [{ record = {} } = {}, parent] = objects;
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const shownOf = (name: string, value: unknown, label: string) => {
    if (isParentField(name) && parent !== undefined)
      return <a href={`#${parent.path.slice(1)}`}>{text(parent.record['title'] || value)}</a>;
    if (name === 'createdAt') return <Moment text={text(value)} to="minute" />;
    if (name === 'updatedAt') return <Changed at={text(value)} change={changeOf('metadata')} />;
    // A text is shown as it was written, even where it looks like a date.
    if (typeof value === 'string' && !name.startsWith('bkDate')) return <Text text={value} />;
    return <Value name={label} value={value} isAmount={name.startsWith('bkFloat')} />;
  };
  const changeOf = (what: Change['what']) => changes.find((change) => change.what === what);
  const ofValues = changeOf('custom-data');
  const valuesChanged = ofValues && {
    name: 'valuesChanged',
    label: word('fact_valuesChanged'),
    value: <Changed at={ofValues.changedAt} change={ofValues} />,
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
        <Facts facts={[...facts.filter((fact) => !isBk(fact)), ...(valuesChanged ? [valuesChanged] : [])]} />
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
  readonly toFields: (value: never, samples: Samples) => readonly FormField[];
  /** Reads what the elements of an empty array would be. */
  readonly readSamples?: (value: unknown) => Promise<Samples>;
  readonly stored: () => void;
}

/** A button that opens a form of a stored value, in the version that was read. Whoever closes it is at the button again. */
function Editing({ url, method, label, toFields, readSamples, stored }: EditingProps) {
  const [version, setVersion] = useState<Version>();
  const [failure, attempt] = useAttempt();
  const button = useRef<HTMLButtonElement>(null);
  const [isClosed, setClosed] = useState(false);
  useLayoutEffect(() => {
    if (isClosed) button.current?.focus();
  }, [isClosed]);
  const read = async (): Promise<Version> => {
    const { value, etag } = await send<never>(url);
    const samples = (await readSamples?.(value)) ?? {};
    const save = (body: string) => send(url, { method, body, headers: { 'If-Match': etag } });
    return { fields: toFields(value, samples), save };
  };
  const open = async () => {
    setVersion(await read());
    setClosed(false);
  };
  const close = () => {
    setVersion(undefined);
    setClosed(true);
  };
  if (version === undefined)
    return (
      <p class="buttons">
        <button
          ref={button}
          type="button"
          class="outline"
          aria-label={`${word('change')}: ${label}`}
          onClick={() => attempt(open)}
        >
          {word('change')}
        </button>
        <Failure error={failure} />
      </p>
    );
  return (
    <ValueForm
      version={version}
      stored={stored}
      close={close}
      isPatch={method === 'PATCH'}
      readAgain={read}
    />
  );
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
  const [savedAt, setSavedAt] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (savedAt !== '') button.current?.focus();
  }, [savedAt]);
  if (!isOpen)
    return (
      <p class="buttons">
        <button ref={button} type="button" class="outline" onClick={() => setOpen(true)}>
          {word('addValue')}
        </button>
        <span role="status">{savedAt !== '' && `${word('savedAt')} ${savedAt}`}</span>
      </p>
    );
  const save = (json: string) => {
    const { identifier, value } = parseExactly(json) as Values;
    if (sources.some((source) => source.identifier === identifier))
      throw new Error(`${word('identifierTaken')} ${identifier}`);
    const path = `${url}/custom-data/${encodeURIComponent(text(identifier))}`;
    // Another person may have stored one of the same identifier since the page was read.
    return send(path, { method: 'PUT', body: pretty(value), headers: { 'If-None-Match': '*' } });
  };
  const stored = () => {
    setSavedAt(timeNow());
    reload();
  };
  return (
    <ValueForm
      version={{ fields: newValueFields, save }}
      isPatch={false}
      stored={stored}
      close={() => setOpen(false)}
    />
  );
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
  readonly collection: Collection;
  readonly round: number;
  readonly reload: () => void;
  readonly value: unknown;
  /** Whether the values cannot be read together, so that this one is read without the others. */
  readonly isReadAlone: boolean;
}

/** A value with where it comes from, and the form that changes it. */
function CustomValue({ source, label, value, isReadAlone, url, collection, round, reload }: ValueProps) {
  const { identifier, kind } = source;
  const isMissing = source.source === 'missing';
  const isTechnical = useTechnical();
  const valueUrl = `${url}/custom-data/${encodeURIComponent(identifier)}`;
  // A value that is yet to be read may have fields, and the rows of an empty one are looked for when it is opened.
  const isEmpty = Array.isArray(value) && value.length === 0;
  // A form that was once there stays, also where the value says no more what its fields are.
  const hadFields = useRef(false);
  const hasFields =
    hadFields.current ||
    isTechnical ||
    value === undefined ||
    isEmpty ||
    fieldsOf(value).some((field) => !isOfJson(field));
  hadFields.current = hasFields && value !== undefined;
  return (
    <Section label={label}>
      <p class={isMissing ? 'failing' : 'muted'}>{word(isMissing ? 'origin_missing' : `origin_${kind}`)}</p>
      {isTechnical && <Origin {...source} />}
      {isReadAlone && !isMissing ? (
        <Read path={valueUrl} round={round}>
          {(alone: unknown) => <Shown label={label} value={alone} />}
        </Read>
      ) : (
        value !== undefined && <Shown label={label} value={value} />
      )}
      {kind !== 'REF_RO' && hasFields && (
        <Editing
          url={valueUrl}
          method="PUT"
          label={label}
          toFields={fieldsOf}
          readSamples={(read) => samplesFor(read, collection, identifier, valueUrl)}
          stored={reload}
        />
      )}
      {kind !== 'REF_RO' && !hasFields && <p class="muted">{word('changeAsJson')}</p>}
    </Section>
  );
}

/** Objects whose values say what the rows of an empty one are. */
const sampledObjects = 20;

/** Reads what the elements of a value, or of its members, are where it has none: as those of other objects, else with the columns of the source. */
async function samplesFor(
  value: unknown,
  collection: Collection,
  identifier: string,
  url: string,
): Promise<Samples> {
  const isEmpty = (found: unknown) => Array.isArray(found) && found.length === 0;
  const empty = isEmpty(value)
    ? ['']
    : Object.entries(isObject(value) ? value : {}).flatMap(([name, member]) =>
        isEmpty(member) ? [name] : [],
      );
  if (empty.length === 0) return {};
  const list = `${records}/${collection}/custom-data/${encodeURIComponent(identifier)}?limit=${sampledObjects}`;
  // Without them there is a form as well, but none for rows.
  const others = await send<readonly { readonly value: unknown }[]>(list).then(
    (reply) => reply.value.map((item) => item.value),
    () => [],
  );
  const memberOf = (found: unknown, name: string) =>
    name === '' ? found : isObject(found) ? found[name] : [];
  const samples = Object.fromEntries(
    empty.map((name) => [
      name,
      others.flatMap((other) => [memberOf(other, name)].filter(Array.isArray).flat()),
    ]),
  );
  if (empty[0] !== '' || samples['']?.length !== 0) return samples;
  const headers = { Accept: 'text/csv', Authorization: `Bearer ${user?.access_token}` };
  const reply = await fetch(url, { headers });
  const columns = reply.ok ? columnsOfCsv(await reply.text()) : [];
  return columns.length === 0 ? {} : { '': [Object.fromEntries(columns.map((name) => [name, null]))] };
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
