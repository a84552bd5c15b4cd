/** One object: its metadata, its bk-fields with the customer's names, and its custom data with the source of each value. */

import { useState } from 'preact/hooks';
import type { FormField } from '../views/types.ts';
import { send } from './api-client.ts';
import type { Values } from './fields.tsx';
import { parseExactly, pretty } from './json.ts';
import { Failure, type Field, Read, useAttempt, useFields, useRead } from './read.tsx';
import { Table, text } from './table.tsx';
import { fieldsOf, ValueForm, type Version } from './value-form.tsx';

interface Source {
  readonly identifier: string;
  readonly kind: 'JSON' | 'REF' | 'REF_RO';
  readonly source: 'stored' | 'procedure' | 'view' | 'missing';
  readonly name: string | null;
}

export function ObjectView({ url }: { readonly url: string }) {
  // After a change all parts are made again, and so read again.
  const [round, setRound] = useState(0);
  return <ObjectParts key={round} url={url} reload={() => setRound(round + 1)} />;
}

interface PartsProps {
  readonly url: string;
  readonly reload: () => void;
}

function ObjectParts({ url, reload }: PartsProps) {
  const { fields, labels } = useFields(url.replace(/[^/]+$/, 'fields'));
  const data = useRead<Values>(`${url}/custom-data`);
  const values = data instanceof Error ? {} : (data ?? {});
  return (
    <article>
      <Read path={url}>{(record: Values) => <Metadata record={record} labels={labels} />}</Read>
      <Editing
        url={url}
        method="PATCH"
        toFields={(record) => metadataFields(fields, record)}
        close={reload}
      />
      <h3>Custom data</h3>
      <Failure error={data} />
      <Read path={`${url}/custom-data/sources`}>
        {(sources: readonly Source[]) => (
          <>
            {sources.length === 0 && <p class="muted">None is registered.</p>}
            {sources.map((source) => (
              <CustomValue
                key={source.identifier}
                source={source}
                url={url}
                reload={reload}
                value={values[source.identifier]}
                isReadAlone={data instanceof Error}
              />
            ))}
            <NewValue sources={sources} url={url} reload={reload} />
          </>
        )}
      </Read>
      <h3>The request</h3>
      <pre>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}${url}/custom-data`}</pre>
    </article>
  );
}

type MetadataProps = { readonly record: Values; readonly labels: ReadonlyMap<string, string> };

function Metadata({ record, labels }: MetadataProps) {
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== '');
  const rows = entries.map(([Field, Value]) => ({ Field, Label: labels.get(Field), Value }));
  const isBk = ({ Field }: { Field: string }) => /^bk[A-Z]/.test(Field);
  const metadata = rows.filter((row) => !isBk(row)).map(({ Field, Value }) => ({ Field, Value }));
  return (
    <>
      <h2>{text(record['title'])}</h2>
      <Table caption="Metadata" rows={metadata} />
      <Table caption="bk-fields that are set" rows={rows.filter(isBk)} />
    </>
  );
}

interface EditingProps {
  readonly url: string;
  readonly method: 'PUT' | 'PATCH';
  readonly toFields: (value: never) => readonly FormField[];
  readonly close: () => void;
}

/** A button that opens a form of a stored value, in the version that was read. */
function Editing({ url, method, toFields, close }: EditingProps) {
  const [version, setVersion] = useState<Version>();
  const [failure, attempt] = useAttempt();
  const read = async (): Promise<Version> => {
    const { value, etag } = await send<never>(url);
    const save = (body: string) => send(url, { method, body, headers: { 'If-Match': etag } });
    return { fields: toFields(value), save };
  };
  if (version === undefined)
    return (
      <>
        <button type="button" class="outline" onClick={() => attempt(async () => setVersion(await read()))}>
          Edit
        </button>
        <Failure error={failure} />
      </>
    );
  return <ValueForm version={version} close={close} isPatch={method === 'PATCH'} readAgain={read} />;
}

const newValueFields: readonly FormField[] = [
  { name: 'identifier', label: 'Identifier', control: 'text', isRequired: true, initial: '' },
  { name: 'value', label: 'Value, as JSON', control: 'json', initial: '{}' },
];

/** A form that stores a value under an identifier that the object lacks. */
function NewValue({ sources, url, reload }: PartsProps & { readonly sources: readonly Source[] }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" class="outline" onClick={() => setOpen(true)}>
        Add a value
      </button>
    );
  const save = (json: string) => {
    const { identifier, value } = parseExactly(json) as Values;
    if (sources.some((source) => source.identifier === identifier))
      throw new Error(`The object has a value of the identifier ${identifier}.`);
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
      label: label ? `${name}: ${label}` : name,
      control: controls[type],
      initial: text(record[name] ?? ''),
    }));
}

interface ValueProps extends PartsProps {
  readonly source: Source;
  readonly value: unknown;
  /** Whether the values cannot be read together, so that this one is read without the others. */
  readonly isReadAlone: boolean;
}

/** A value with its kind and source, and the form that changes it. */
function CustomValue({ source: sourceOfValue, value, isReadAlone, url, reload }: ValueProps) {
  const { identifier, kind, source, name } = sourceOfValue;
  const origins = {
    stored: 'Stored as JSON in tCustomData.',
    missing: `Neither the procedure pCustomData_${identifier}_Get nor the view CustomData_${identifier} exists.`,
    procedure: `From the procedure dbo.${name}.`,
    view: `From the view dbo.${name}.`,
  };
  const valueUrl = `${url}/custom-data/${encodeURIComponent(identifier)}`;
  return (
    <section class="custom" aria-label={identifier}>
      <h4>
        {identifier} <kbd>{kind}</kbd>
      </h4>
      <p class={source === 'missing' ? 'failing' : 'muted'}>{origins[source]}</p>
      {isReadAlone && source !== 'missing' ? (
        <Read path={valueUrl}>{(alone: unknown) => <Shown caption={identifier} value={alone} />}</Read>
      ) : (
        value !== undefined && <Shown caption={identifier} value={value} />
      )}
      {kind === 'REF_RO' ? (
        <p class="muted">Read-only.</p>
      ) : (
        <Editing url={valueUrl} method="PUT" toFields={fieldsOf} close={reload} />
      )}
    </section>
  );
}

/** A value as a table beside its JSON. One that is no object is the one cell of a row. */
function Shown({ caption, value }: { readonly caption: string; readonly value: unknown }) {
  const rows = [value].flat().map((row) => (pretty(row).startsWith('{') ? row : { Value: row }) as Values);
  return (
    <div class="grid">
      <Table caption={caption} rows={rows} />
      <pre>{pretty(value)}</pre>
    </div>
  );
}
