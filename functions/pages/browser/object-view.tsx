/** One object: its metadata, its bk-fields with what the customer calls them, and its custom data with where each value comes from. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pretty } from './exact-json.ts';

/** Reads JSON of the records API; throws what the problem says. */
export type Get = <T>(path: string) => Promise<T>;

/** Kinds of objects, each below the one before. */
export const kinds = ['diaries', 'journalized-cases', 'deeds', 'documents'] as const;
export type Kind = (typeof kinds)[number];

export interface ObjectRecord {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

interface Field {
  readonly name: string;
  readonly label: string | null;
}

interface Source {
  readonly identifier: string;
  readonly kind: 'JSON' | 'REF' | 'REF_RO';
  readonly source: 'stored' | 'procedure' | 'view' | 'missing';
  readonly name: string | null;
}

interface ObjectViewProps {
  readonly get: Get;
  readonly kind: Kind;
  readonly id: string;
  /** Path of the records API. */
  readonly base: string;
}

const bkField = /^bk[A-Z]/;

/** What was read, or why it could not be. */
function useRead<T>(get: Get, path: string): T | Error | undefined {
  const [found, setFound] = useState<T | Error>();
  useEffect(() => {
    get<T>(path).then(setFound, (error: Error) => setFound(error));
  }, [path]);
  return found;
}

export function ObjectView({ get, kind, id, base }: ObjectViewProps) {
  const path = `/${kind}/${encodeURIComponent(id)}`;
  const record = useRead<ObjectRecord>(get, path);
  const fields = useRead<readonly Field[]>(get, `/${kind}/fields`);
  const sources = useRead<readonly Source[]>(get, `${path}/custom-data/sources`);
  const data = useRead<Readonly<Record<string, unknown>>>(get, `${path}/custom-data`);
  const labels = new Map(Array.isArray(fields) ? fields.map(({ name, label }) => [name, label]) : []);
  return (
    <article>
      <h2>{isFound(record) ? record.title : id}</h2>
      <Metadata record={record} labels={labels} />
      <h3>Custom data</h3>
      {data instanceof Error && <p class="failing">{data.message}</p>}
      {sources instanceof Error && <p class="failing">{sources.message}</p>}
      {isFound(sources) && sources.length === 0 && <p class="muted">None is registered.</p>}
      {isFound(sources) &&
        sources.map((source) => (
          <CustomValue
            key={source.identifier}
            source={source}
            value={isFound(data) ? data[source.identifier] : undefined}
          />
        ))}
      <h3>The request</h3>
      <pre>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}${base}${path}/custom-data`}</pre>
    </article>
  );
}

function isFound<T>(value: T | Error | undefined): value is T {
  return value !== undefined && !(value instanceof Error);
}

interface MetadataProps {
  readonly record: ObjectRecord | Error | undefined;
  readonly labels: ReadonlyMap<string, string | null>;
}

function Metadata({ record, labels }: MetadataProps) {
  if (record === undefined) return <p>Reading …</p>;
  if (record instanceof Error) return <p class="failing">{record.message}</p>;
  const filled = Object.entries(record).filter(([, value]) => value !== null && value !== '');
  const table = (caption: string, isHere: (name: string) => boolean) => {
    const rows = filled.filter(([name]) => isHere(name));
    const hasLabels = rows.some(([name]) => labels.get(name));
    const cells = rows.map(([name, value]) => [name, ...(hasLabels ? [labels.get(name)] : []), text(value)]);
    return (
      <Table caption={caption} heads={['Field', ...(hasLabels ? ['Label'] : []), 'Value']} rows={cells} />
    );
  };
  return (
    <>
      {table('Metadata', (name) => !bkField.test(name))}
      {table('bk-fields that are set', (name) => bkField.test(name))}
    </>
  );
}

/** A value as a table beside its JSON, with its kind and source. */
function CustomValue({ source, value }: { readonly source: Source; readonly value: unknown }) {
  const { identifier, kind, source: from, name } = source;
  return (
    <section class="custom" aria-label={identifier}>
      <h4>
        {identifier} <span class="kind">{kind}</span>
      </h4>
      <p class={from === 'missing' ? 'failing' : 'muted'}>
        {from === 'stored' && 'Stored as JSON in tCustomData.'}
        {from === 'missing' &&
          `Neither the procedure pCustomData_${identifier}_Get nor the view CustomData_${identifier} exists.`}
        {name !== null && `From the ${from} dbo.${name}.`}
      </p>
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
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const objects = list.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  if (objects.length !== list.length || list.length === 0)
    return <Table caption={caption} heads={['Value']} rows={list.map((one) => [text(one)])} />;
  const heads = [...new Set(objects.flatMap((one) => Object.keys(one as object)))];
  const rows = objects.map((one) => heads.map((head) => text((one as Record<string, unknown>)[head])));
  return <Table caption={caption} heads={heads} rows={rows} />;
}

function text(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface TableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
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
            <tr key={`${row} ${cells[0]}`}>
              {cells.map((cell, column) => (
                <td key={heads[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
