/** INFORMATION_SCHEMA. */
import type { Module } from '../catalog.ts';

/** What a column or parameter tells of its type; `described` has the columns of sys.columns that describe one. */
const shape = `t AS DATA_TYPE,
  CAST(CASE WHEN t IN ('nchar', 'nvarchar') AND max_length > 0 THEN max_length / 2
    WHEN t LIKE '%char' OR t LIKE '%binary' THEN max_length END AS int) AS CHARACTER_MAXIMUM_LENGTH,
  CAST(CASE WHEN t LIKE '%char' OR t LIKE '%binary' THEN max_length END AS int) AS CHARACTER_OCTET_LENGTH,
  CASE WHEN t IN ('float', 'real') OR is_exact = 1 THEN precision END AS NUMERIC_PRECISION,
  CAST(CASE WHEN is_exact = 1 THEN 10 WHEN t IN ('float', 'real') THEN 2 END AS smallint) AS NUMERIC_PRECISION_RADIX,
  CAST(CASE WHEN is_exact = 1 THEN scale END AS int) AS NUMERIC_SCALE,
  CAST(CASE WHEN t LIKE '%date%' OR t = 'time' THEN scale END AS smallint) AS DATETIME_PRECISION,
  CAST(CASE WHEN t LIKE 'n%char' THEN 'UNICODE' WHEN t LIKE '%char' THEN 'iso_1' END AS sysname) AS CHARACTER_SET_NAME,
  collation_name AS COLLATION_NAME`;

function described(view: string): string {
  return `(SELECT c.*, TYPE_NAME(c.system_type_id) AS t, CASE WHEN TYPE_NAME(c.system_type_id)
    IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'money', 'smallmoney') THEN 1 ELSE 0 END AS is_exact FROM ${view} AS c)`;
}

/** The three parts of an object's name. */
function objectColumn(prefix: string, alias: string): string {
  return `DB_NAME() AS ${prefix}_CATALOG, SCHEMA_NAME(${alias}.schema_id) AS ${prefix}_SCHEMA, ${alias}.name AS ${prefix}_NAME`;
}

/** The views of schema INFORMATION_SCHEMA, in T-SQL over those of sys; scripts ask for the columns of tables. */
const queries: Readonly<Record<string, string>> = {
  COLUMNS: `SELECT ${objectColumn('TABLE', 'o')}, c.name AS COLUMN_NAME,
    CAST(ROW_NUMBER() OVER (PARTITION BY c.object_id ORDER BY c.column_id) AS int) AS ORDINAL_POSITION,
    d.definition AS COLUMN_DEFAULT, CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END AS IS_NULLABLE, ${shape}
    FROM sys.objects AS o JOIN ${described('sys.columns')} AS c ON c.object_id = o.object_id
    LEFT JOIN (SELECT parent_object_id, parent_column_id, definition FROM sys.default_constraints) AS d
      ON d.parent_object_id = c.object_id AND d.parent_column_id = c.column_id`,
};

const schema = 'INFORMATION_SCHEMA';
const modules = new Map(
  Object.entries(queries).map(([name, query], index): [string, Module] => {
    const text = `CREATE VIEW ${schema}.${name} AS ${query}`;
    const time = '2020-01-01 00:00:00.000';
    return [name, { kind: 'view', id: -1 - index, schema, name, created: time, modified: time, text }];
  }),
);

/** The view of schema INFORMATION_SCHEMA of a qualified name, if it is one. */
export function informationSchemaView(parts: readonly string[]): Module | undefined {
  return parts.at(-2)?.toUpperCase() === schema ? modules.get(parts.at(-1)?.toUpperCase() ?? '') : undefined;
}
