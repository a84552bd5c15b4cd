/** One object: its metadata, its bk-fields with what the customer calls them, and its custom data with where each value comes from. */

import { pretty } from './exact-json.ts';
import { type Fields, type Get, labelsOf, Shown, useRead } from './read.tsx';

type Values = Readonly<Record<string, unknown>>;

interface Source {
  readonly identifier: string;
  readonly kind: 'JSON' | 'REF' | 'REF_RO';
  readonly source: 'stored' | 'procedure' | 'view' | 'missing';
  readonly name: string | null;
}

interface ObjectViewProps {
  readonly get: Get;
  /** Paths of the object, and of the API that it is in. */
  readonly path: string;
  readonly base: string;
}

export function ObjectView({ get, path, base }: ObjectViewProps) {
  const record = useRead<Values>(get, path);
  const fields = useRead<Fields>(get, path.replace(/[^/]+$/, 'fields'));
  const sources = useRead<readonly Source[]>(get, `${path}/custom-data/sources`);
  const data = useRead<Values>(get, `${path}/custom-data`);
  const values = data instanceof Error ? {} : (data ?? {});
  return (
    <article>
      <Shown found={record}>{(shown) => <Metadata record={shown} fields={fields} />}</Shown>
      <h3>Custom data</h3>
      {data instanceof Error && <p class="failing">{data.message}</p>}
      <Shown found={sources}>
        {(shown) =>
          shown.length === 0 ? (
            <p class="muted">None is registered.</p>
          ) : (
            shown.map((one) => (
              <CustomValue key={one.identifier} source={one} value={values[one.identifier]} />
            ))
          )
        }
      </Shown>
      <h3>The request</h3>
      <pre>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}${base}${path}/custom-data`}</pre>
    </article>
  );
}

interface MetadataProps {
  readonly record: Values;
  readonly fields: Fields | Error | undefined;
}

function Metadata({ record, fields }: MetadataProps) {
  const labels = labelsOf(fields);
  const table = (caption: string, isBk: boolean) => {
    const rows = Object.entries(record)
      .filter(([name, value]) => /^bk[A-Z]/.test(name) === isBk && value !== null && value !== '')
      .map(([name, value]) => [name, ...(isBk ? [labels.get(name) ?? ''] : []), text(value)]);
    return (
      <Table caption={caption} heads={isBk ? ['Field', 'Label', 'Value'] : ['Field', 'Value']} rows={rows} />
    );
  };
  return (
    <>
      <h2>{text(record['title'])}</h2>
      {table('Metadata', false)}
      {table('bk-fields that are set', true)}
    </>
  );
}

/** A value as a table beside its JSON, with its kind and source. */
function CustomValue({ source, value }: { readonly source: Source; readonly value: unknown }) {
  const { identifier, kind, source: from, name } = source;
  const origins = {
    stored: 'Stored as JSON in tCustomData.',
    missing: `Neither the procedure pCustomData_${identifier}_Get nor the view CustomData_${identifier} exists.`,
    procedure: `From the procedure dbo.${name}.`,
    view: `From the view dbo.${name}.`,
  };
  return (
    <section class="custom" aria-label={identifier}>
      <h4>
        {identifier} <span class="kind">{kind}</span>
      </h4>
      <p class={from === 'missing' ? 'failing' : 'muted'}>{origins[from]}</p>
      {value !== undefined && (
        <div class="beside">
          <Rows value={value} caption={identifier} />
          <pre>{pretty(value)}</pre>
        </div>
      )}
    </section>
  );
}

/** Objects are rows, an object its one row; what is neither is one cell. */
function Rows({ value, caption }: { readonly value: unknown; readonly caption: string }) {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!list.every(isObject))
    return <Table caption={caption} heads={['Value']} rows={list.map((one) => [text(one)])} />;
  const objects = list as readonly Values[];
  const heads = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  return (
    <Table
      caption={caption}
      heads={heads}
      rows={objects.map((one) => heads.map((head) => text(one[head])))}
    />
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

interface TableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function Table({ caption, heads, rows }: TableProps) {
  if (rows.length === 0) return <p class="muted">{caption}: none.</p>;
  return (
    <div class="scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
