/** Reads the objects of schema dbo from the catalog of a database, as far as the login may see them. */

import type { Database } from '../../shared/sql/database.ts';
import { SqlFailure } from '../../shared/sql/failure.ts';
import { integer, nvarchar, type Row, rowsOf, text } from '../../shared/sql/values.ts';
import { foldCase } from '../../shared/text/fold-case.ts';

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  /** Length of a text in characters; `max` without a limit; undefined for all types without text. */
  readonly length: number | 'max' | undefined;
  /** Whether an INSERT must name the column. */
  readonly required: boolean;
}

export interface CatalogObject {
  readonly name: string;
  readonly form: 'table' | 'view' | 'procedure' | 'synonym';
  readonly columns: readonly CatalogColumn[];
  /** Parameters of a procedure; empty for all forms without parameters. */
  readonly parameters: readonly CatalogColumn[];
}

const select = `
SELECT o.name AS object, o.type AS form, c.name, t.name AS type, c.max_length AS bytes,
    CASE WHEN c.is_nullable = 0 AND c.is_identity = 0 AND c.is_computed = 0 AND c.default_object_id = 0 THEN 1 ELSE 0 END AS required
FROM sys.objects o
    LEFT JOIN sys.columns c ON c.object_id = o.object_id
    LEFT JOIN sys.types t ON t.user_type_id = c.system_type_id
WHERE o.schema_id = SCHEMA_ID(N'dbo') AND o.type IN ('U', 'V', 'P', 'SN');
SELECT o.name AS object, p.name, t.name AS type, p.max_length AS bytes, 1 AS required
FROM sys.objects o
    JOIN sys.parameters p ON p.object_id = o.object_id
    JOIN sys.types t ON t.user_type_id = p.system_type_id
WHERE o.schema_id = SCHEMA_ID(N'dbo') AND o.type = 'P' AND p.parameter_id > 0 ORDER BY p.parameter_id;`;

/** Reads tables, views and procedures. Returns them by name in lower case. */
export async function readCatalog(database: Database): Promise<ReadonlyMap<string, CatalogObject>> {
  const [objects, parameters] = await database.query(select);
  const parametersOf = Map.groupBy(rowsOf(parameters), (row) => text(row, 'object'));
  const catalogObjects = [...Map.groupBy(rowsOf(objects), (row) => text(row, 'object'))].map(
    ([name, rows]): CatalogObject => ({
      name,
      form: formOf(rows[0]),
      columns: rows.filter((row) => row['name'] !== null).map(toColumn),
      parameters: (parametersOf.get(name) ?? []).map(toColumn),
    }),
  );
  return new Map(catalogObjects.map((object) => [foldCase(object.name), object]));
}

const forms: Readonly<Record<string, CatalogObject['form']>> = {
  U: 'table',
  V: 'view',
  P: 'procedure',
  SN: 'synonym',
};

function formOf(row: Row | undefined): CatalogObject['form'] {
  return forms[String(row?.['form']).trim()] ?? 'procedure';
}

/** Checks whether the collation of a database is case-sensitive. */
export async function isCaseSensitive(database: Database): Promise<boolean> {
  const [result] = await database.query('SELECT collation_name FROM sys.databases WHERE name = DB_NAME();');
  return /_(CS_|BIN)/.test(String(rowsOf(result)[0]?.['collation_name']));
}

function toColumn(row: Row): CatalogColumn {
  // The type of a column is NULL here for a type that users have defined.
  const type = row['type'] === null ? 'a type of its own' : text(row, 'type');
  const bytes = row['bytes'] === null ? 0 : integer(row, 'bytes');
  const size = type.startsWith('n') ? bytes / 2 : bytes;
  const length = /char$/.test(type) ? (bytes === -1 ? 'max' : size) : undefined;
  return { name: text(row, 'name'), type, length, required: row['required'] === 1 };
}

const permissionDenied = 229;

/** Checks whether an object exists that the catalog hides, since the login has no right on it. */
export async function isDenied(
  database: Database,
  { name, form }: { readonly name: string; readonly form: 'rows' | 'table' | 'view' | 'procedure' },
): Promise<boolean> {
  const statement =
    form === 'procedure' ? `EXEC dbo.${name} @propID = 0;` : `SELECT TOP (0) 1 AS one FROM dbo.${name};`;
  try {
    await database.query(statement);
  } catch (error) {
    if (error instanceof SqlFailure) return error.number === permissionDenied;
    throw error;
  }
  return false;
}

/** Checks whether the login may see all objects of schema dbo. */
export async function seesAll(database: Database): Promise<boolean> {
  const [result] = await database.query(
    "SELECT HAS_PERMS_BY_NAME(N'dbo', N'SCHEMA', N'VIEW DEFINITION') AS allowed;",
  );
  return rowsOf(result)[0]?.['allowed'] === 1;
}

/** Checks whether the login has a right on an object of schema dbo. */
export async function hasRight(database: Database, object: string, right: string): Promise<boolean> {
  const [result] = await database.query(
    "SELECT HAS_PERMS_BY_NAME(N'dbo.' + QUOTENAME(@object), N'OBJECT', @right) AS allowed;",
    { object: nvarchar(object, 128), right: nvarchar(right, 60) },
  );
  return rowsOf(result)[0]?.['allowed'] === 1;
}
