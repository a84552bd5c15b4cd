/** The metadata of an object: what callers send, what they get back, and the columns between. */

import { CodedError } from '../../../shared/errors.ts';
import {
  nvarchar,
  type Parameters,
  type Row,
  type SqlParameter,
  type SqlValue,
} from '../../../shared/sql/values.ts';
import { isStorable, unstorable } from '../../../shared/text/storable-text.ts';
import { toCsv } from '../csv/csv.ts';
import {
  type BkValue,
  bkFieldNames,
  bkParameter,
  bkStrLength,
  bkTypeOf,
  bkValue,
  withTwoDigits,
} from './bk-fields.ts';
import type { BkType, ObjectKind, objectKinds } from './kinds.ts';

/** Metadata that callers write: `title`, `description`, bk-fields, and `year` of a diary. null clears. */
export type Fields = Readonly<Record<string, BkValue>>;

/** An object as callers read it: `id`, `parentId`, own fields, `createdAt` and `updatedAt` (UTC), and every bk-field. */
export type ObjectRecord = Readonly<Record<string, BkValue>>;

/** Characters of a description, at most: a list has up to 1,000 of them. */
export const descriptionLength = 100_000;

/** Characters of a title, at most. */
export const titleLength = 400;

/** Returns the columns of a kind's table that its fields are kept in. */
export function columnsOf(kind: ObjectKind): string[] {
  return ['title', 'description', ...kind.ownFields, ...bkFieldNames(kind)];
}

const typesOfFields: Readonly<Record<string, BkType>> = {
  title: 'Str',
  description: 'Str',
  number: 'Str',
  year: 'Int',
};

/** Returns the type by which a field is searched: that of a bk-field, or of the bk-fields that are compared in the same way. */
export function searchTypeOf(name: string): BkType | undefined {
  return bkTypeOf(name) ?? typesOfFields[name];
}

/** Returns the names of all fields of an object that callers read, in their order. */
export function recordFields(kind: ObjectKind): string[] {
  return [
    'id',
    ...(kind.parent === undefined ? [] : [parentField(kind.parent)]),
    'title',
    'description',
    ...kind.ownFields,
    'createdAt',
    'updatedAt',
    ...bkFieldNames(kind),
  ];
}

/** Columns under which the identifiers of an object and its parent are read. */
export const idColumns = { id: 'id', parent: 'parentId' } as const;

/** Returns the column that a field of an object is read from. */
export function columnOf(kind: ObjectKind, field: string): string {
  return kind.parent !== undefined && field === parentField(kind.parent) ? idColumns.parent : field;
}

/** Returns the SELECT that reads fields of objects of a kind: `WHERE` on `o` (tObjProperties) and `t` (the kind's table) is to follow. */
export function selectObjects(
  kind: ObjectKind,
  fields: readonly string[] = recordFields(kind),
  expressions: readonly string[] = [],
): string {
  const columns = [...fields.map((field) => tableColumn(columnOf(kind, field))), ...expressions];
  const parent = fields.some((field) => columnOf(kind, field) === idColumns.parent)
    ? 'JOIN dbo.tObjProperties p ON p.propID = t.parentPropID'
    : '';
  return `SELECT ${columns.join(', ')}
FROM dbo.${kind.table} t JOIN dbo.tObjProperties o ON o.propID = t.propID ${parent}`;
}

/** Returns the SELECT that reads all fields of objects of a kind, and their versions. */
export function selectVersioned(kind: ObjectKind): string {
  return selectObjects(kind, [...recordFields(kind), 'version']);
}

function tableColumn(column: string): string {
  if (column === idColumns.id) return `o.objectID AS ${column}`;
  return column === idColumns.parent ? `p.objectID AS ${column}` : `t.${column}`;
}

/** Turns a row of `selectObjects` into what callers read: the fields that were selected, in their order. */
export function toObjectRecord(
  kind: ObjectKind,
  row: Row,
  fields: readonly string[] = recordFields(kind),
): ObjectRecord {
  return Object.fromEntries(fields.map((field) => [field, fieldValue(field, row[columnOf(kind, field)])]));
}

function fieldValue(field: string, value: SqlValue = null): BkValue {
  const isMoment = field === 'createdAt' || field === 'updatedAt';
  return isMoment && value instanceof Date ? value.toISOString() : bkValue(value);
}

/** Returns objects as CSV: a column for each field, under its head. */
export function objectsToCsv(
  columns: readonly { readonly name: string; readonly head: string }[],
  records: readonly ObjectRecord[],
): Promise<string> {
  return toCsv(
    columns.map(({ head }) => head),
    records,
    (record) => columns.map(({ name }) => JSON.stringify(record[name] ?? null)),
  );
}

/** Returns the name of the field that holds the parent's identifier, such as `diaryId`. */
export function parentField(parent: keyof typeof objectKinds): string {
  return `${parent}Id`;
}

/** What errors are called, by where the fields came from: a body, or a query that they narrow. */
const errorNames = {
  body: { code: 'invalid-body', pointer: (name: string) => `/${name}` },
  query: { code: 'invalid-parameters', pointer: (name: string) => `query:${name}` },
} as const;

/** Checks what schemas cannot, and returns the fields under the names of their columns. Throws `invalid-body` or `invalid-parameters`. */
export function toColumns(fields: Fields, from: keyof typeof errorNames): Fields {
  const { columns, twice } = withTwoDigits(fields);
  const { code, pointer } = errorNames[from];
  const errors = [
    ...twice.map((name) => ({
      pointer: pointer(name),
      detail: 'is given twice, with one digit and with two',
    })),
    ...Object.entries(columns).flatMap(([name, value]) =>
      textErrors(name, value).map((detail) => ({ pointer: pointer(name), detail })),
    ),
  ];
  if (errors.length === 0) return columns;
  throw new CodedError(code, 'Cannot accept the fields: some values are not valid.', { errors });
}

/** Returns what is wrong with a text. The server counts UTF-16 code units, a JSON schema counts characters. `maxLength` is that of other fields. */
export function textErrors(
  name: string,
  value: BkValue,
  maxLength: number = Number.POSITIVE_INFINITY,
): string[] {
  if (typeof value !== 'string') return [];
  if (!isStorable(value)) return [unstorable];
  const limit = name === 'title' ? titleLength : bkTypeOf(name) === 'Str' ? bkStrLength : maxLength;
  return value.length <= limit ? [] : [`must not have more than ${limit} UTF-16 code units`];
}

/** Creates one parameter per column, named after it. */
export function fieldParameters(columns: Fields): Parameters {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, parameter(name, value)]));
}

function parameter(name: string, value: BkValue): SqlParameter {
  if (bkTypeOf(name) !== undefined) return bkParameter(name, value);
  if (name === 'year') return { type: 'int', value: value as number };
  return nvarchar(value as string | null, name === 'title' ? titleLength : Number.POSITIVE_INFINITY);
}
