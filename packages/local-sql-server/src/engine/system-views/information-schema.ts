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
  ${nulls('CHARACTER_SET_CATALOG CHARACTER_SET_SCHEMA')},
  CAST(CASE WHEN t LIKE 'n%char' THEN 'UNICODE' WHEN t LIKE '%char' THEN 'iso_1' END AS sysname) AS CHARACTER_SET_NAME,
  ${nulls('COLLATION_CATALOG COLLATION_SCHEMA')}, collation_name AS COLLATION_NAME`;

/** Columns that are always NULL. */
function nulls(names: string): string {
  return names
    .split(' ')
    .map((name) => `CAST(NULL AS sysname) AS ${name}`)
    .join(', ');
}

function described(view: string): string {
  return `(SELECT c.*, TYPE_NAME(c.system_type_id) AS t, CASE WHEN TYPE_NAME(c.system_type_id)
    IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'money', 'smallmoney') THEN 1 ELSE 0 END AS is_exact FROM ${view} AS c)`;
}

const returnCollation =
  "CASE WHEN t LIKE '%char' THEN CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS sysname) END";

/** The three parts of an object's name. */
function objectColumn(prefix: string, alias: string): string {
  return `DB_NAME() AS ${prefix}_CATALOG, SCHEMA_NAME(${alias}.schema_id) AS ${prefix}_SCHEMA, ${alias}.name AS ${prefix}_NAME`;
}

/** The views of schema INFORMATION_SCHEMA, in T-SQL over those of sys. */
const queries: Readonly<Record<string, string>> = {
  COLUMNS: `SELECT ${objectColumn('TABLE', 'o')}, c.name AS COLUMN_NAME,
    CAST(ROW_NUMBER() OVER (PARTITION BY c.object_id ORDER BY c.column_id) AS int) AS ORDINAL_POSITION,
    d.definition AS COLUMN_DEFAULT, CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END AS IS_NULLABLE, ${shape},
    ${nulls('DOMAIN_CATALOG DOMAIN_SCHEMA DOMAIN_NAME')}
    FROM sys.objects AS o JOIN ${described('sys.columns')} AS c ON c.object_id = o.object_id
    LEFT JOIN (SELECT parent_object_id, parent_column_id, definition FROM sys.default_constraints) AS d
      ON d.parent_object_id = c.object_id AND d.parent_column_id = c.column_id`,
  TABLES: `SELECT ${objectColumn('TABLE', 'o')}, CASE o.type WHEN 'U' THEN 'BASE TABLE' ELSE 'VIEW' END AS TABLE_TYPE
    FROM sys.objects AS o WHERE o.type IN ('U', 'V')`,
  VIEWS: `SELECT ${objectColumn('TABLE', 'o')}, m.definition AS VIEW_DEFINITION, 'NONE' AS CHECK_OPTION, 'NO' AS IS_UPDATABLE
    FROM sys.views AS o JOIN sys.sql_modules AS m ON m.object_id = o.object_id`,
  ROUTINES: `SELECT ${objectColumn('SPECIFIC', 'o')}, ${objectColumn('ROUTINE', 'o')},
    CASE o.type WHEN 'P' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS ROUTINE_TYPE,
    ${shape.replace('t AS', "CASE o.type WHEN 'IF' THEN 'TABLE' ELSE t END AS").replace('collation_name', returnCollation)},
    'SQL' AS ROUTINE_BODY, m.definition AS ROUTINE_DEFINITION, o.create_date AS CREATED, o.modify_date AS LAST_ALTERED
    FROM sys.objects AS o JOIN sys.sql_modules AS m ON m.object_id = o.object_id
    LEFT JOIN ${described('sys.parameters')} AS p ON p.object_id = o.object_id AND p.parameter_id = 0 WHERE o.type <> 'V'`,
  PARAMETERS: `SELECT ${objectColumn('SPECIFIC', 'o')}, p.parameter_id AS ORDINAL_POSITION,
    CASE WHEN p.parameter_id = 0 THEN 'OUT' WHEN p.is_output = 1 THEN 'INOUT' ELSE 'IN' END AS PARAMETER_MODE,
    CASE p.parameter_id WHEN 0 THEN 'YES' ELSE 'NO' END AS IS_RESULT, 'NO' AS AS_LOCATOR, p.name AS PARAMETER_NAME,
    ${shape.replace('collation_name', returnCollation)},
    ${nulls('INTERVAL_TYPE INTERVAL_PRECISION USER_DEFINED_TYPE_CATALOG USER_DEFINED_TYPE_SCHEMA USER_DEFINED_TYPE_NAME')}
    FROM sys.objects AS o JOIN ${described('sys.parameters')} AS p ON p.object_id = o.object_id`,
  SCHEMATA: `SELECT DB_NAME() AS CATALOG_NAME, name AS SCHEMA_NAME, CAST('dbo' AS sysname) AS SCHEMA_OWNER FROM sys.schemas`,
  TABLE_CONSTRAINTS: `SELECT ${objectColumn('CONSTRAINT', 'k')}, ${objectColumn('TABLE', 'o')}, CASE k.type WHEN 'PK' THEN 'PRIMARY KEY'
      WHEN 'UQ' THEN 'UNIQUE' WHEN 'C' THEN 'CHECK' ELSE 'FOREIGN KEY' END AS CONSTRAINT_TYPE,
    'NO' AS IS_DEFERRABLE, 'NO' AS INITIALLY_DEFERRED
    FROM sys.objects AS k JOIN sys.tables AS o ON o.object_id = k.parent_object_id WHERE k.type IN ('PK', 'UQ', 'C', 'F')`,
  CHECK_CONSTRAINTS: `SELECT ${objectColumn('CONSTRAINT', 'k')}, k.definition AS CHECK_CLAUSE FROM sys.check_constraints AS k`,
  KEY_COLUMN_USAGE: `SELECT ${objectColumn('CONSTRAINT', 'k')}, ${objectColumn('TABLE', 'o')}, c.name AS COLUMN_NAME, u.place AS ORDINAL_POSITION
    FROM (SELECT k.object_id, i.column_id, CAST(i.key_ordinal AS int) AS place FROM sys.key_constraints AS k
        JOIN sys.indexes AS x ON x.object_id = k.parent_object_id AND x.name = k.name
        JOIN sys.index_columns AS i ON i.object_id = x.object_id AND i.index_id = x.index_id
      UNION ALL SELECT constraint_object_id, parent_column_id, constraint_column_id FROM sys.foreign_key_columns) AS u
    JOIN sys.objects AS k ON k.object_id = u.object_id JOIN sys.tables AS o ON o.object_id = k.parent_object_id
    JOIN sys.columns AS c ON c.object_id = o.object_id AND c.column_id = u.column_id`,
  REFERENTIAL_CONSTRAINTS: `SELECT ${objectColumn('CONSTRAINT', 'f')}, ${objectColumn('UNIQUE_CONSTRAINT', 'x')}, 'SIMPLE' AS MATCH_OPTION,
    REPLACE(f.update_referential_action_desc, '_', ' ') AS UPDATE_RULE, REPLACE(f.delete_referential_action_desc, '_', ' ') AS DELETE_RULE
    FROM sys.foreign_keys AS f LEFT JOIN sys.key_constraints AS x ON x.parent_object_id = f.referenced_object_id AND NOT EXISTS (
      SELECT c.referenced_column_id FROM sys.foreign_key_columns AS c WHERE c.constraint_object_id = f.object_id
      EXCEPT SELECT i.column_id FROM sys.indexes AS n JOIN sys.index_columns AS i ON i.object_id = n.object_id
        AND i.index_id = n.index_id WHERE n.object_id = x.parent_object_id AND n.name = x.name)`,
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
