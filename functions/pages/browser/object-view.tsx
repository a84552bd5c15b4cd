/** One object: its metadata, its bk-fields with what the customer calls them, and its custom data with where each value comes from. */

import { pretty } from './json.ts';
import { type Labels, Read, useLabels, useRead } from './read.tsx';
import { Table, text, type Values } from './table.tsx';

interface Source {
  readonly identifier: string;
  readonly kind: 'JSON' | 'REF' | 'REF_RO';
  readonly source: 'stored' | 'procedure' | 'view' | 'missing';
  readonly name: string | null;
}

export function ObjectView({ url }: { readonly url: string }) {
  const labels = useLabels(url.replace(/[^/]+$/, 'fields'));
  const data = useRead<Values>(`${url}/custom-data`);
  const values = data instanceof Error ? {} : (data ?? {});
  return (
    <article>
      <Read path={url}>{(record: Values) => <Metadata record={record} labels={labels} />}</Read>
      <h3>Custom data</h3>
      {data instanceof Error && <p class="failing">{data.message}</p>}
      <Read path={`${url}/custom-data/sources`}>
        {(sources: readonly Source[]) => (
          <>
            {sources.length === 0 && <p class="muted">None is registered.</p>}
            {sources.map((item) => (
              <CustomValue key={item.identifier} source={item} value={values[item.identifier]} />
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

/** A value as a table beside its JSON, with its kind and source. Objects are rows; what is none is the one cell of its row. */
function CustomValue({ source, value }: { readonly source: Source; readonly value: unknown }) {
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
    </section>
  );
}
