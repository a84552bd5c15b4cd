/** Rows of a table, and the rules that they keep. */
import type { Expression } from '../../tsql/ast.ts';
import { parseBatch } from '../../tsql/parser/parser.ts';
import { type SqlError, sqlError } from '../../tsql/sql-error.ts';
import { quoteName, sameName, type Table, type TableColumn, type TableKey } from '../catalog.ts';
import { dataLength, maximumLength } from '../functions/data-length.ts';
import type { Connection, Row } from '../run/connection.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { hasRow, keyColumns } from '../storage/table-storage.ts';
import { tableSource } from '../translate/columns.ts';
import { Compilation, type Scope, type TranslationContext } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { translateQuery } from '../translate/queries.ts';
import { recursiveQuery } from '../translate/recursive-cte.ts';
import { converted } from '../translate/typed.ts';
import { updatableQuery } from '../translate/updatable.ts';
import { isCharacter, isUnicode } from '../types.ts';
import { isUtf8 } from '../values/collation.ts';

/** What the last part of a message calls the statement. */
export type ChangeName = 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE' | 'ALTER TABLE';

/** Bytes that the key of an index may have. */
function maxKeyLength({ clustered }: TableKey): number {
  return clustered ? 900 : 1700;
}

function maxLengthOfKey(table: Table, key: TableKey): number {
  const columns = table.columns.filter(({ name }) => key.columns.some((other) => sameName(other.name, name)));
  return columns.reduce((sum, { type }) => sum + maximumLength(type), 0);
}

/** Stores rows of one table, and holds its rules: NOT NULL, lengths, CHECK, keys, computed columns and defaults. */
export class TableWriter {
  readonly table: Table;
  readonly #connection: Connection;
  readonly #translationContext: TranslationContext;
  readonly #insertSql: string;
  readonly #longKeys: readonly TableKey[];
  readonly #checksSql: string | undefined;
  /** The place of a rowversion; -1 without one. */
  readonly #rowVersion: number;
  readonly #computed: readonly { readonly index: number; readonly sql: string; readonly type: SqlType }[];

  constructor(table: Table, connection: Connection, translationContext: TranslationContext) {
    this.table = table;
    this.#connection = connection;
    this.#translationContext = translationContext;
    const names = table.columns.map(({ name }) => quoteName(name));
    const placeholders = table.columns.map((_, index) => `?${index + 1}`);
    this.#insertSql = `INSERT INTO ${table.storage} ("%row", ${names.join(', ')}) VALUES (?${placeholders.length + 1}, ${placeholders.join(', ')}) RETURNING "%row"`;
    this.#longKeys = table.keys.filter((key) => maxLengthOfKey(table, key) > maxKeyLength(key));
    this.#checksSql = this.#compileChecks();
    this.#rowVersion = table.columns.findIndex(({ rowVersion }) => rowVersion);
    this.#computed = table.columns.flatMap((column, index) =>
      column.computed === undefined ? [] : [this.#compileComputed(column, index, column.computed)],
    );
  }

  /** A default, evaluated for one row. */
  default(column: TableColumn): SqlValue {
    if (!column.default) return null;
    const translator = new ExpressionTranslator(newCompilation(this.#translationContext), noScope);
    const sql = `SELECT ${converted(translator.value(parseExpression(column.default.text)), storedType(column.type)).sql}`;
    return this.#connection.query(sql, [], [column.type])[0]?.[0] ?? null;
  }

  /** The row with its computed columns, in the exact form of its columns. Throws 515, 547, 2628. */
  complete(values: Row, change: ChangeName): Row {
    const fitted = values.map((value, index) => this.#fit(value, index));
    if (this.#rowVersion >= 0 && (change !== 'ALTER TABLE' || fitted[this.#rowVersion] === null))
      fitted[this.#rowVersion] = this.#connection.database.nextRowVersion();
    for (const { index, sql, type } of this.#computed)
      fitted[index] = this.#connection.query(sql, fitted, [type])[0]?.[0] ?? null;
    this.table.columns.forEach((column, index) => {
      if (fitted[index] === null && !column.nullable)
        throw sqlError(515, column.name, this.fullName, change === 'ALTER TABLE' ? 'UPDATE' : change);
    });
    this.#check(fitted, change);
    for (const key of this.#longKeys) this.#checkLength(key, fitted);
    return fitted;
  }

  /** Stores a complete row. Throws 2601 or 2627. */
  insert(values: Row, row: bigint | null = null): bigint {
    try {
      const [inserted] = this.#connection.query(this.#insertSql, [...values, row], [{ name: 'bigint' }]);
      return BigInt(inserted?.[0] as bigint);
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555))
        throw this.#duplicate(values);
      throw error;
    }
  }

  /** Throws 1946 for values that together are longer than the key of an index may be. */
  #checkLength(key: TableKey, values: Row): void {
    const length = key.columns.reduce((sum, { name }) => {
      const index = this.table.columns.findIndex((column) => sameName(column.name, name));
      const column = this.table.columns[index];
      const value = values[index] ?? null;
      return sum + (column && value !== null ? dataLength(value, column.type) : 0);
    }, 0);
    if (length > maxKeyLength(key))
      throw sqlError(1946, length, key.name, maxKeyLength(key), key.clustered ? 'clustered' : 'nonclustered');
  }

  delete(row: bigint): void {
    this.#connection.run(`DELETE FROM ${this.table.storage} WHERE "%row" = ?1`, [row]);
  }

  /** The name in messages: `database.schema.table`, or the variable's. */
  get fullName(): string {
    const { table } = this;
    if (table.temporary === 'variable') return table.name;
    const database = table.temporary ? 'tempdb' : this.#connection.database.name;
    return `${database}.${table.schema}.${table.name}`;
  }

  #fit(value: SqlValue, index: number): SqlValue {
    const column = this.table.columns[index];
    if (!column || value === null || !('length' in column.type) || column.type.length === 'max') return value;
    const { type } = column;
    const size = Number(type.length);
    const isInBytes = 'collation' in type && isUtf8(type.collation) && !isUnicode(type);
    const length =
      value instanceof Uint8Array
        ? value.length
        : isInBytes
          ? Buffer.byteLength(String(value))
          : String(value).length;
    if (length > size) return this.#cut(value, column, length - size);
    if (type.name.includes('var') || length === size) return value;
    if (!(value instanceof Uint8Array)) return String(value) + ' '.repeat(size - length);
    const padded = new Uint8Array(size);
    padded.set(value);
    return padded;
  }

  /** Trailing spaces and zero bytes may be cut; all else is an error. */
  #cut(value: SqlValue, column: TableColumn, excess: number): SqlValue {
    if (value instanceof Uint8Array) {
      if (value.slice(-excess).every((byte) => byte === 0)) return value.slice(0, -excess);
      throw sqlError(2628, this.fullName, column.name, '');
    }
    const text = String(value);
    if (text.endsWith(' '.repeat(excess))) return text.slice(0, -excess);
    throw sqlError(2628, this.fullName, column.name, text.slice(0, -excess));
  }

  #compileChecks(): string | undefined {
    if (!this.table.checks.length) return undefined;
    const translator = this.#rowTranslator();
    const failures = this.table.checks.map(
      ({ text }, index) => `WHEN NOT ${translator.condition(parseCondition(text))} THEN ${index}`,
    );
    return overRow(`SELECT CASE ${failures.join(' ')} END`, this.table.columns.length);
  }

  #compileComputed(
    column: TableColumn,
    index: number,
    text: string,
  ): { index: number; sql: string; type: SqlType } {
    const typed = this.#rowTranslator().value(parseExpression(text));
    return {
      index,
      sql: overRow(`SELECT ${converted(typed, column.type).sql}`, this.table.columns.length),
      type: column.type,
    };
  }

  /** Translates expressions over one row whose values are bound in the order of the columns. */
  #rowTranslator(): ExpressionTranslator {
    const source = tableSource(this.table, (_, index) => `?${index + 1}`);
    return new ExpressionTranslator(newCompilation(this.#translationContext), {
      ...noScope,
      sources: [source],
    });
  }

  #check(values: Row, change: ChangeName): void {
    if (this.#checksSql === undefined) return;
    const failed = this.#connection.query(this.#checksSql, values, [])[0]?.[0];
    const check = typeof failed === 'number' ? this.table.checks[failed] : undefined;
    if (!check) return;
    throw brokenRule(this.#connection, change, 'CHECK', check.name, this.table, check.column);
  }

  /** Finds the key that a row breaks, for the message. */
  #duplicate(values: Row): unknown {
    const broken =
      this.table.keys.find((key) => key.unique && this.#exists(key, values)) ??
      this.table.keys.find((key) => key.unique);
    if (!broken) return new TypeError(`No key of ${this.table.name} is unique`);
    const shown = keyColumns(this.table, broken).map((column) =>
      shownValue(values[this.table.columns.indexOf(column)] ?? null),
    );
    const name = this.table.temporary ? `dbo.${this.table.name}` : `${this.table.schema}.${this.table.name}`;
    if (broken.form === 'INDEX') return sqlError(2601, name, broken.name, shown.join(', '));
    return sqlError(2627, broken.form, broken.name, name, shown.join(', '));
  }

  #exists(key: TableKey, values: Row): boolean {
    const names = key.columns.map(({ name }) => name);
    const given = keyColumns(this.table, key).map(
      (column) => values[this.table.columns.indexOf(column)] ?? null,
    );
    return hasRow(this.#connection, this.table, names, given, 'IS');
  }
}

/** 547: a change breaks a CHECK or a foreign key. */
export function brokenRule(
  { database }: Connection,
  change: ChangeName,
  kind: string,
  name: string,
  table: Table,
  column: string | undefined,
): SqlError {
  const place = column === undefined ? '' : `, column '${column}'`;
  return sqlError(547, change, kind, name, database.name, `${table.schema}.${table.name}`, place);
}

/** A SELECT over a bound row, which mentions the last parameter: SQLite refuses values for parameters that are not there. */
export function overRow(sql: string, width: number): string {
  return `${sql} WHERE ?${width} IS ?${width}`;
}

/** Values in messages about keys: text as it is, NULL as a word. */
function shownValue(value: SqlValue): string {
  if (value === null) return '<NULL>';
  return value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : String(value).trimEnd();
}

/** The type to which a value is converted before its length is checked against the column. */
export function storedType(type: SqlType): SqlType {
  if (!('length' in type)) return type;
  const name = isCharacter(type) ? (type.name.startsWith('n') ? 'nvarchar' : 'varchar') : 'varbinary';
  return { ...type, name, length: 'max' } as SqlType;
}

export const noScope: Scope = { sources: [], parent: undefined, ctes: undefined };

export function newCompilation(translationContext: TranslationContext): Compilation {
  const compilation = new Compilation(translationContext);
  compilation.translators = {
    query: (query, scope) => translateQuery(compilation, query, scope),
    recursive: (scope) => recursiveQuery(compilation, scope),
    updatable: (query, scope, target) => updatableQuery(compilation, query, scope, target),
  };
  return compilation;
}

/** Parses the text of a default or computed column. */
function parseExpression(text: string): Expression {
  const [statement] = parseBatch(`SELECT ${text}`).statements;
  const item =
    statement?.kind === 'select' && statement.query.body.kind === 'select'
      ? statement.query.body.items[0]
      : undefined;
  if (item?.kind !== 'expression') throw new TypeError(`Not an expression: ${text}`);
  return item.expression;
}

/** Parses the text of a check or filter. */
export function parseCondition(text: string): Expression {
  const [statement] = parseBatch(`IF ${text} RETURN`).statements;
  if (statement?.kind !== 'if') throw new TypeError(`Not a condition: ${text}`);
  return statement.condition;
}
