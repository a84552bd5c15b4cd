/** What goes into a statement and what comes back, in plain values: no type of the driver leaves this folder. */

/** A value of a result row. bigint, uniqueidentifier and all character types are text; dates and times are instants in UTC. */
export type SqlValue = null | boolean | number | string | Date | Uint8Array;

/** The types of the only column of FOR JSON and FOR XML: its only row has the whole text, which is empty where there were no rows. */
export const forJson = 'for json';
export const forXml = 'for xml';

/** A column of a result. `type` is the name of the SQL Server type, such as `decimal`, or one of the two above. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** Decimals of decimal, time, datetime2 and datetimeoffset. */
  readonly scale: number;
}

/** The rows of one SELECT, each with one value per column, in the columns' order. */
export interface ResultSet {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly SqlValue[])[];
}

/** What FOR JSON or FOR XML has given; undefined for a result of columns. */
export function documentOf({
  columns: [column],
  rows: [row],
}: ResultSet): { readonly type: string; readonly text: string } | undefined {
  if (column?.type !== forJson && column?.type !== forXml) return undefined;
  return { type: column.type, text: String(row?.[0] ?? '') };
}

/**
 * These five types carry every other one exactly: bigint, decimal, money, dates and times are passed as text. SQL Server converts it digit
 * for digit where a statement uses it.
 */
export type SqlParameter =
  | { readonly type: 'int' | 'float'; readonly value: number | null }
  | { readonly type: 'bit'; readonly value: boolean | null }
  /** `length` in characters; more than 4,000 is nvarchar(max). */
  /** A text that is large is given as a function, and made when the statement has its connection. */
  | { readonly type: 'nvarchar'; readonly length: number; readonly value: string | null | (() => string) }
  | { readonly type: 'varbinary'; readonly value: Uint8Array | null };

/** The parameters of a statement by name, without the @. */
export type Parameters = Readonly<Record<string, SqlParameter>>;

/** Creates an `int` parameter. */
export function int(value: number | null): SqlParameter {
  return { type: 'int', value };
}

/** Creates an `nvarchar(length)` parameter; without a length it is `nvarchar(max)`. */
export function nvarchar(
  value: string | null | (() => string),
  length = Number.POSITIVE_INFINITY,
): SqlParameter {
  return { type: 'nvarchar', length, value };
}

/** A row as an object, keyed by column. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Returns the rows of a result as objects; meant for our own statements, whose columns have plain, different names. */
export function rowsOf(result: ResultSet | undefined): Row[] {
  if (result === undefined) return [];
  return result.rows.map((values) =>
    Object.fromEntries(result.columns.map(({ name }, index) => [name, values[index] ?? null])),
  );
}

/** Returns the value of an integer column. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`Column ${column} is not a number`);
  return value;
}

/** Returns the value of a text column. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} is not text`);
  return value;
}
