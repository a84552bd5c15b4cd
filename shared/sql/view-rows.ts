/** Reads the rows of a view whose name is only known at run time: looked up in the catalog, then quoted, never pasted. */

import { type Column, documentOf, type ResultSet, rowsOf, text } from './values.ts';

/** A view to read. Names in `@`-form are parameters or variables of the statement. */
export interface ViewQuery {
  /** Holds the name of the view, in schema dbo. */
  readonly view: string;
  /**
   * Rows are kept whose value in this column equals `value`, or one of `values`, a JSON array of integers; the column itself is not returned.
   * With `values` each row begins with the one that it has, in the column `filterColumn`.
   */
  readonly filter: { readonly column: 'propID' | 'langID' } & (
    | { readonly value: string; readonly values?: never }
    | { readonly values: string; readonly value?: never }
  );
  /** Whether the view must have the filter's column; else one without it returns all its rows. */
  readonly filterRequired: boolean;
}

/** The column of the value by which a row was kept, of several. */
export const filterColumn = '$filter';

/** Declares what the statements of `readView` use. Once per batch. */
export const viewVariables = 'DECLARE @object int, @statement nvarchar(max);';

/**
 * Returns statements that produce two results: the columns of the view (none when there is no such view), and its rows.
 * Decimals are asked for as text, because the driver would round them to doubles.
 */
export function readView({ view, filter, filterRequired }: ViewQuery): string {
  const { column, value, values } = filter;
  const isOne = values === undefined;
  const whereClause = isOne
    ? `N' WHERE ${column} = @filter'`
    : `N' v JOIN OPENJSON(@filter) WITH ([${filterColumn}] int ''$'') f ON v.${column} = f.[${filterColumn}]'`;
  return `SET @object = OBJECT_ID(N'dbo.' + QUOTENAME(${view}), N'V');
SELECT c.name, ISNULL(t.name, N'') AS type
FROM sys.columns c LEFT JOIN sys.types t ON t.user_type_id = c.system_type_id
WHERE c.object_id = @object ORDER BY c.column_id;
SET @statement = NULL;
SELECT @statement = STRING_AGG(CAST(CASE
    WHEN t.name IN (N'decimal', N'numeric') THEN N'CONVERT(nvarchar(48), ' + QUOTENAME(c.name) + N') AS ' + QUOTENAME(c.name)
    WHEN t.name IN (N'money', N'smallmoney') THEN N'CONVERT(nvarchar(48), CONVERT(decimal(19, 4), ' + QUOTENAME(c.name) + N')) AS ' + QUOTENAME(c.name)
    ELSE QUOTENAME(c.name) END AS nvarchar(max)), N', ') WITHIN GROUP (ORDER BY c.column_id)
FROM sys.columns c LEFT JOIN sys.types t ON t.user_type_id = c.system_type_id
WHERE c.object_id = @object AND c.name <> N'${column}';
SET @statement = N'SELECT ${isOne ? '' : `f.[${filterColumn}], `}' + @statement + N' FROM dbo.' + QUOTENAME(${view})${
    filterRequired
      ? ` + ${whereClause}`
      : ` + CASE WHEN EXISTS (SELECT 1 FROM sys.columns WHERE object_id = @object AND name = N'${column}') THEN ${whereClause} ELSE N'' END`
  };
IF @statement IS NOT NULL EXEC sp_executesql @statement, N'@filter ${isOne ? 'int' : 'nvarchar(max)'}', @filter = ${value ?? values};`;
}

/** Returns the rows of the two results of `readView`, with the types of the catalog; undefined when there is no such view. */
export function viewRows([catalog, rows]: readonly ResultSet[]): ResultSet | undefined {
  const types = new Map(rowsOf(catalog).map((row) => [text(row, 'name'), text(row, 'type')]));
  if (types.size === 0) return undefined;
  if (rows === undefined) return { columns: [], rows: [] };
  if (documentOf(rows) !== undefined) return rows;
  const columns = rows.columns.map(
    (column): Column => ({ ...column, type: types.get(column.name) ?? column.type }),
  );
  return { columns, rows: rows.rows };
}
