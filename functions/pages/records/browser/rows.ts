/** Arrays as tables that are edited: rows with a cell for each property. What nobody touches is stored as it was read, digit for digit. */

import type { Values } from '../../common/browser/fields.tsx';
import { isObject, numberSource } from '../../common/browser/json.ts';
import { isDay } from '../../common/views/when.ts';

/** What a cell takes. One of JSON is kept as it is, since it has parts of its own. */
export type CellType = 'text' | 'number' | 'check' | 'day' | 'json';

export interface Column {
  /** The property; empty for elements that are no objects. */
  readonly name: string;
  readonly type: CellType;
}

export interface TableRow {
  /** Names the row while it is edited. */
  readonly key: number;
  /** What was read: a value for each property; nothing for a new row. */
  readonly source: Values;
  /** What was typed, by property. */
  readonly typed: Readonly<Record<string, string>>;
}

/** An array as it is edited. */
export interface EditedRows {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

/** Columns that a form has, at most. */
const maxColumns = 50;

/** Returns an array as a table; undefined where its elements are not all of one sort, or have very many properties. `samples` are elements that say what an empty one would have. */
export function toRows(values: readonly unknown[], samples: readonly unknown[] = []): EditedRows | undefined {
  const known = [...values, ...samples];
  const areObjects = known.every((value) => isObject(value) && Object.keys(value).length > 0);
  const areBare = known.every((value) => !isObject(value) && !Array.isArray(value));
  if (known.length === 0 || !(areObjects || areBare)) return undefined;
  const toCells = (value: unknown): Values => (isObject(value) ? value : { '': value });
  const names = [...new Set(known.flatMap((value) => Object.keys(toCells(value))))];
  if (names.length > maxColumns) return undefined;
  return {
    columns: names.map((name) => ({ name, type: typeOfColumn(known.map((value) => toCells(value)[name])) })),
    rows: values.map((value, key) => ({ key, source: toCells(value), typed: {} })),
  };
}

function typeOfColumn(values: readonly unknown[]): CellType {
  const types = values.flatMap((value) => typeOfValue(value) ?? []);
  const days = values.filter((value) => value !== null && value !== undefined);
  if (days.length > 0 && days.every((value) => typeof value === 'string' && isDay(value))) return 'day';
  return types[0] ?? 'text';
}

/** Returns what a value is; undefined for none. */
function typeOfValue(value: unknown): Exclude<CellType, 'day'> | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'check';
  return numberSource(value) === undefined ? 'json' : 'number';
}

/** Returns what a cell takes: what it has, or else what the others of its column have. */
export function typeOfCell({ source }: TableRow, { name, type }: Column): CellType {
  const own = typeOfValue(source[name]);
  return own === undefined || (own === 'text' && type === 'day') ? type : own;
}

/** Returns the text of a cell as its input has it. */
export function textOfCell({ source, typed }: TableRow, { name }: Column): string {
  return typed[name] ?? textOfValue(source[name]);
}

function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns rows with what was typed into one of their cells. */
export function withCell(table: EditedRows, row: TableRow, { name }: Column, text: string): EditedRows {
  const changed = { ...row, typed: { ...row.typed, [name]: text } };
  return { ...table, rows: table.rows.map((other) => (other.key === row.key ? changed : other)) };
}

/** Returns rows with an empty one behind them. */
export function withNewRow(table: EditedRows): EditedRows {
  const key = 1 + Math.max(-1, ...table.rows.map((row) => row.key));
  return { ...table, rows: [...table.rows, { key, source: {}, typed: {} }] };
}

/** Returns the JSON of rows. A number that is none makes it invalid, as in other fields. */
export function jsonOfRows({ columns, rows }: EditedRows): string {
  return `[${rows.map((row) => jsonOfRow(row, columns)).join()}]`;
}

function jsonOfRow(row: TableRow, columns: readonly Column[]): string {
  const isNew = Object.keys(row.source).length === 0;
  const own = Object.keys(row.source).map((name) => columns.find((column) => column.name === name));
  const others = columns.filter(
    ({ name, type }) =>
      !Object.hasOwn(row.source, name) && (Object.hasOwn(row.typed, name) || (isNew && type !== 'json')),
  );
  const members = [...own, ...others].flatMap((column) =>
    column === undefined ? [] : [{ name: column.name, json: jsonOfCell(row, column) }],
  );
  if (columns[0]?.name === '' && columns.length === 1) return members[0]?.json ?? 'null';
  return `{${members.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

function jsonOfCell(row: TableRow, column: Column): string {
  const original = row.source[column.name];
  const typed = row.typed[column.name];
  // What was typed and taken back is no change.
  if (typed === undefined || typed === textOfValue(original)) return JSON.stringify(original ?? null);
  const type = typeOfCell(row, column);
  if (type === 'text') return typed === '' && typeof original !== 'string' ? 'null' : JSON.stringify(typed);
  const text = typed.trim();
  if (text === '') return 'null';
  return type === 'day' ? JSON.stringify(text) : text;
}

/** Returns the text of a field of CSV: the names of columns in the first line. */
export function columnsOfCsv(csv: string): string[] {
  const [line = ''] = csv.replace(/^\uFEFF/, '').split(/\r?\n/);
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
    .filter((name) => name !== '');
}
