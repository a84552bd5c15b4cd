/** One object: its metadata, its bk-fields with what the customer calls them, and its custom data with where each value comes from. */

import { useState } from 'preact/hooks';
import { type Answer, send } from './api-client.ts';
import { pretty } from './json.ts';
import { type Field, type Labels, labelsOf, Read, useFields, useRead } from './read.tsx';
import { Table, text, type Values } from './table.tsx';
import { fieldsOf, type ValueField, ValueForm } from './value-form.tsx';

interface Source {
  readonly identifier: string;
  readonly kind: 'JSON' | 'REF' | 'REF_RO';
  readonly source: 'stored' | 'procedure' | 'view' | 'missing';
  readonly name: string | null;
}

export function ObjectView({ url }: { readonly url: string }) {
  const [round, setRound] = useState(0);
  return <ObjectParts key={round} url={url} reload={() => setRound(round + 1)} />;
}

interface PartsProps {
  readonly url: string;
  /** Reads all anew, as after a change. */
  readonly reload: () => void;
}

function ObjectParts({ url, reload }: PartsProps) {
  const fields = useFields(url.replace(/[^/]+$/, 'fields'));
  const labels = labelsOf(fields);
  const data = useRead<Values>(`${url}/custom-data`);
  const values = data instanceof Error ? {} : (data ?? {});
  return (
    <article>
      <Read path={url}>{(record: Values) => <Metadata record={record} labels={labels} />}</Read>
      <Editing url={url} method="PATCH" toFields={(record) => metadataFields(fields, record)} done={reload} />
      <h3>Custom data</h3>
      {data instanceof Error && <p class="failing">{data.message}</p>}
      <Read path={`${url}/custom-data/sources`}>
        {(sources: readonly Source[]) => (
          <>
            {sources.length === 0 && <p class="muted">None is registered.</p>}
            {sources.map((item) => (
              <CustomValue
                key={item.identifier}
                source={item}
                value={values[item.identifier]}
                url={url}
                reload={reload}
              />
            ))}
          </>
        )}
      </Read>
      <h3>The request</h3>
      <pre>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}${url}/custom-data`}</pre>
    </article>
  );
}

function Metadata({ record, labels }: { readonly record: Values; readonly labels: Labels }) {
  const set = Object.entries(record).filter(([, value]) => value !== null && value !== '');
  const { bk = [], metadata = [] } = Object.groupBy(set, ([name]) =>
    /^bk[A-Z]/.test(name) ? 'bk' : 'metadata',
  );
  return (
    <>
      <h2>{text(record['title'])}</h2>
      <Table caption="Metadata" rows={metadata.map(([Field, Value]) => ({ Field, Value }))} />
      <Table
        caption="bk-fields that are set"
        rows={bk.map(([Field, Value]) => ({ Field, Label: labels.get(Field), Value }))}
      />
    </>
  );
}

interface EditingProps {
  readonly url: string;
  readonly method: 'PUT' | 'PATCH';
  readonly toFields: (value: never) => readonly ValueField[];
  readonly done: () => void;
}

/** A button that opens a form of what is stored at an address, in the version that was read. */
function Editing({ url, method, toFields, done }: EditingProps) {
  const [read, setRead] = useState<Answer<never> | Error>();
  if (read instanceof Error) return <p class="failing">{read.message}</p>;
  if (read === undefined)
    return (
      <button type="button" class="outline" onClick={() => send<never>(url).then(setRead, setRead)}>
        Edit
      </button>
    );
  const save = (body: string) => send(url, { method, body, headers: { 'If-Match': read.etag } });
  return <ValueForm fields={toFields(read.value)} onlyChanged={method === 'PATCH'} save={save} done={done} />;
}

/** Returns the fields of metadata that can be changed: those that are set, have a label, or are none of the bk-fields. */
function metadataFields(fields: readonly Field[], record: Values): ValueField[] {
  return fields
    .filter(
      ({ name, label, readOnly: isFixed }) => !isFixed && (label || record[name] || !name.startsWith('bk')),
    )
    .map(({ name, label, type }) => ({
      name,
      label: label && `${name}: ${label}`,
      type,
      value: record[name] ?? '',
    }));
}

/** A value as a table beside its JSON, with its kind and source. Objects are rows; what is none is the one cell of its row. */
function CustomValue({
  source,
  value,
  url,
  reload,
}: PartsProps & { readonly source: Source; readonly value: unknown }) {
  const { identifier, kind, source: from, name } = source;
  const origins = {
    stored: 'Stored as JSON in tCustomData.',
    missing: `Neither the procedure pCustomData_${identifier}_Get nor the view CustomData_${identifier} exists.`,
    procedure: `From the procedure dbo.${name}.`,
    view: `From the view dbo.${name}.`,
  };
  const rows = [value].flat().map((row) => (pretty(row).startsWith('{') ? row : { Value: row }) as Values);
  return (
    <section class="custom" aria-label={identifier}>
      <h4>
        {identifier} <kbd>{kind}</kbd>
      </h4>
      <p class={from === 'missing' ? 'failing' : 'muted'}>{origins[from]}</p>
      {value !== undefined && (
        <div class="grid">
          <Table caption={identifier} rows={rows} />
          <pre>{pretty(value)}</pre>
        </div>
      )}
      {kind === 'REF_RO' ? (
        <p class="muted">Read-only.</p>
      ) : (
        <Editing
          url={`${url}/custom-data/${encodeURIComponent(identifier)}`}
          method="PUT"
          toFields={fieldsOf}
          done={reload}
        />
      )}
    </section>
  );
}
