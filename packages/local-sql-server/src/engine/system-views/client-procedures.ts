/** The procedures of schema sys that .NET's client calls for metadata (GetSchema, DeriveParameters), in T-SQL over the views. */
import type { Module } from '../catalog.ts';

const indexColumns = `sys.tables AS o JOIN sys.indexes AS x ON x.object_id = o.object_id
  JOIN sys.index_columns AS i ON i.object_id = x.object_id AND i.index_id = x.index_id
  JOIN sys.columns AS c ON c.object_id = i.object_id AND c.column_id = i.column_id`;
const indexNames = `DB_NAME() AS constraint_catalog, SCHEMA_NAME(o.schema_id) AS constraint_schema, x.name AS constraint_name,
  DB_NAME() AS table_catalog, SCHEMA_NAME(o.schema_id) AS table_schema, o.name AS table_name`;

/** SqlDbType, by the names of types. */
const clientTypes = `CASE TYPE_NAME(p.system_type_id) WHEN 'bigint' THEN 0 WHEN 'binary' THEN 1 WHEN 'bit' THEN 2 WHEN 'char' THEN 3
  WHEN 'datetime' THEN 4 WHEN 'decimal' THEN 5 WHEN 'float' THEN 6 WHEN 'int' THEN 8 WHEN 'money' THEN 9 WHEN 'nchar' THEN 10
  WHEN 'nvarchar' THEN 12 WHEN 'real' THEN 13 WHEN 'uniqueidentifier' THEN 14 WHEN 'smalldatetime' THEN 15 WHEN 'smallint' THEN 16
  WHEN 'smallmoney' THEN 17 WHEN 'tinyint' THEN 20 WHEN 'varbinary' THEN 21 WHEN 'varchar' THEN 22 WHEN 'date' THEN 31
  WHEN 'time' THEN 32 WHEN 'datetime2' THEN 33 WHEN 'datetimeoffset' THEN 34 END`;

/** Columns of parameters that only types have which this server lacks. */
const otherTypeColumns =
  'TYPE_CATALOG_NAME TYPE_SCHEMA_NAME TYPE_NAME XML_SCHEMACOLLECTION_CATALOG_NAME XML_SCHEMACOLLECTION_SCHEMA_NAME XML_SCHEMACOLLECTION_NAME UDT_CATALOG_NAME UDT_SCHEMA_NAME UDT_NAME'
    .split(' ')
    .map((name) => `CAST(NULL AS sysname) AS SS_${name}`)
    .join(', ');

const texts: Readonly<Record<string, string>> = {
  sp_columns_managed: `@Catalog sysname = NULL, @Owner sysname = NULL, @Table sysname = NULL, @Column sysname = NULL, @SchemaType tinyint = 0 AS
    SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE,
      CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH, NUMERIC_PRECISION, NUMERIC_PRECISION_RADIX, NUMERIC_SCALE, DATETIME_PRECISION,
      CHARACTER_SET_CATALOG, CHARACTER_SET_SCHEMA, CHARACTER_SET_NAME, COLLATION_CATALOG,
      CAST(0 AS bit) AS IS_SPARSE, CAST(0 AS bit) AS IS_COLUMN_SET, CAST(0 AS bit) AS IS_FILESTREAM
    FROM INFORMATION_SCHEMA.COLUMNS
    WHERE TABLE_CATALOG = ISNULL(@Catalog, TABLE_CATALOG) AND TABLE_SCHEMA = ISNULL(@Owner, TABLE_SCHEMA)
      AND TABLE_NAME = ISNULL(@Table, TABLE_NAME) AND COLUMN_NAME = ISNULL(@Column, COLUMN_NAME) AND @SchemaType < 2
    ORDER BY TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME`,
  sp_indexes_managed: `@Catalog sysname = NULL, @Owner sysname = NULL, @Table sysname = NULL, @Name sysname = NULL AS
    SELECT ${indexNames}, x.name AS index_name, x.type_desc FROM sys.tables AS o JOIN sys.indexes AS x ON x.object_id = o.object_id
    WHERE x.index_id > 0 AND DB_NAME() = ISNULL(@Catalog, DB_NAME()) AND SCHEMA_NAME(o.schema_id) = ISNULL(@Owner, SCHEMA_NAME(o.schema_id))
      AND o.name = ISNULL(@Table, o.name) AND x.name = ISNULL(@Name, x.name) ORDER BY table_name, index_name`,
  sp_indexcolumns_managed: `@Catalog sysname = NULL, @Owner sysname = NULL, @Table sysname = NULL, @ConstraintName sysname = NULL, @Column sysname = NULL AS
    SELECT ${indexNames}, c.name AS column_name, CAST(i.key_ordinal AS int) AS ordinal_position,
      CAST(c.system_type_id AS tinyint) AS KeyType, x.name AS index_name
    FROM ${indexColumns}
    WHERE DB_NAME() = ISNULL(@Catalog, DB_NAME()) AND SCHEMA_NAME(o.schema_id) = ISNULL(@Owner, SCHEMA_NAME(o.schema_id))
      AND o.name = ISNULL(@Table, o.name) AND x.name = ISNULL(@ConstraintName, x.name) AND c.name = ISNULL(@Column, c.name)
    ORDER BY table_name, index_name`,
  sp_procedure_params_100_managed: `@procedure_name sysname, @group_number int = 1, @procedure_schema sysname = NULL, @parameter_name sysname = NULL AS
    SELECT DB_NAME() AS PROCEDURE_CATALOG, SCHEMA_NAME(o.schema_id) AS PROCEDURE_SCHEMA, o.name AS PROCEDURE_NAME,
      CAST('@RETURN_VALUE' AS sysname) AS PARAMETER_NAME, CAST(0 AS smallint) AS ORDINAL_POSITION, CAST(4 AS smallint) AS PARAMETER_TYPE,
      CAST(8 AS smallint) AS MANAGED_DATA_TYPE, CAST(NULL AS int) AS CHARACTER_MAXIMUM_LENGTH, CAST(10 AS smallint) AS NUMERIC_PRECISION,
      CAST(0 AS smallint) AS NUMERIC_SCALE, ${otherTypeColumns}, CAST(NULL AS int) AS SS_DATETIME_PRECISION
    FROM sys.objects AS o WHERE o.name = @procedure_name AND o.schema_id = ISNULL(SCHEMA_ID(@procedure_schema), o.schema_id) AND o.type = 'P'
    UNION ALL
    SELECT DB_NAME(), SCHEMA_NAME(o.schema_id), o.name, p.name, CAST(p.parameter_id AS smallint),
      CAST(CASE p.is_output WHEN 1 THEN 2 ELSE 1 END AS smallint), CAST(${clientTypes} AS smallint),
      CASE WHEN TYPE_NAME(p.system_type_id) IN ('nchar', 'nvarchar') AND p.max_length > 0 THEN p.max_length / 2
        WHEN TYPE_NAME(p.system_type_id) LIKE '%char' OR TYPE_NAME(p.system_type_id) LIKE '%binary' THEN p.max_length END,
      CAST(p.precision AS smallint), CAST(p.scale AS smallint), ${otherTypeColumns}, CASE WHEN TYPE_NAME(p.system_type_id) IN ('time', 'datetime2', 'datetimeoffset') THEN CAST(p.scale AS int) END
    FROM sys.objects AS o JOIN sys.parameters AS p ON p.object_id = o.object_id
    WHERE o.name = @procedure_name AND o.schema_id = ISNULL(SCHEMA_ID(@procedure_schema), o.schema_id) AND o.type = 'P' AND p.parameter_id > 0
      AND p.name = ISNULL(@parameter_name, p.name)
    ORDER BY ORDINAL_POSITION`,
};

const procedures = new Map(
  Object.entries(texts).map(([name, text], index): [string, Module] => {
    const time = '2020-01-01 00:00:00.000';
    const module = { kind: 'procedure', id: -101 - index, schema: 'sys', name } as const;
    return [name, { ...module, created: time, modified: time, text: `CREATE PROCEDURE sys.${name} ${text}` }];
  }),
);

/** The procedure of schema sys for clients of a name, if it is one. */
export function clientProcedure(parts: readonly string[]): Module | undefined {
  return procedures.get((parts.at(-1) ?? '').toLowerCase());
}
