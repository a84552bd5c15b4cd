/** The columns of custom sources with their types: those of views by the catalog, those of procedures by a call for no object. */

import { isCodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { SqlFailure } from '../../sql/failure.ts';
import { timeoutOf } from '../../sql/slow-statement.ts';
import { endOpenTransaction, refuseOpenTransaction } from '../../sql/transaction.ts';
import {
  documentOf,
  int,
  integer,
  nvarchar,
  type ResultSet,
  type Row,
  rowsOf,
  text,
} from '../../sql/values.ts';
import { customView, exact } from '../registrations.ts';
import type { ActingUser } from './read-sources.ts';
import { isReadable, type Reference } from './reference.ts';
import { markerOf, resultsBySource } from './source-results.ts';
import { callOf } from './source-statements.ts';

export interface SourceColumn {
  readonly name: string;
  /** Name of the system type, such as `decimal`. */
  readonly type: string;
  /** The type as it is declared, such as `decimal(18, 2)`; of a procedure, which the catalog does not tell, the name alone. */
  readonly sqlType: string;
  readonly nullable: boolean;
}

/** By identifier; none for a source that cannot be read, gives JSON itself, or does not tell its columns without an object. */
type ColumnsByIdentifier = ReadonlyMap<string, readonly SourceColumn[]>;

/** Reads the columns of sources: those of all views in one statement, those of all procedures in one more. */
export async function readSourceColumns(
  customization: Database,
  references: readonly Reference[],
  user: ActingUser,
): Promise<ColumnsByIdentifier> {
  const readable = references.filter(isReadable);
  const views = readable.filter(({ source }) => !source.hasProcedure);
  const procedures = readable.filter(({ source }) => source.hasProcedure);
  return new Map([
    ...(views.length === 0 ? [] : await columnsOfViews(customization, views)),
    ...(procedures.length === 0 ? [] : await columnsOfProcedures(customization, procedures, user)),
  ]);
}

async function columnsOfViews(
  customization: Database,
  views: readonly Reference[],
): Promise<ColumnsByIdentifier> {
  const [found] = await customization.query(
    `SELECT r.identifier, c.name, ISNULL(t.name, N'') AS type, c.max_length AS maxLength, c.[precision], c.scale, c.is_nullable AS nullable
FROM (SELECT value ${exact} AS identifier FROM OPENJSON(@identifiers)) r
    JOIN sys.columns c ON c.object_id = OBJECT_ID(${customView}, N'V')
    LEFT JOIN sys.types t ON t.user_type_id = c.system_type_id
WHERE c.name <> N'propID' ORDER BY c.column_id;`,
    { identifiers: nvarchar(JSON.stringify(views.map(({ identifier }) => identifier))) },
    { name: 'read columns of views' },
  );
  const rows = Map.groupBy(rowsOf(found), (row) => text(row, 'identifier'));
  return new Map(Array.from(rows, ([identifier, columns]) => [identifier, columns.map(ofCatalog)]));
}

function ofCatalog(row: Row): SourceColumn {
  const type = text(row, 'type');
  return { name: text(row, 'name'), type, sqlType: declared(type, row), nullable: row['nullable'] !== false };
}

const withLength = new Set(['char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary']);
const withPrecision = new Set(['decimal', 'numeric']);
const withScale = new Set(['time', 'datetime2', 'datetimeoffset']);

/** Returns a type of the catalog with its size, as `maxLength`, `precision` and `scale` of a row tell it. */
export function declared(type: string, row: Row): string {
  const bytes = integer(row, 'maxLength');
  if (withLength.has(type))
    return `${type}(${bytes === -1 ? 'max' : type.startsWith('n') ? bytes / 2 : bytes})`;
  if (withPrecision.has(type)) return `${type}(${integer(row, 'precision')}, ${integer(row, 'scale')})`;
  return withScale.has(type) ? `${type}(${integer(row, 'scale')})` : type;
}

/** No object has this propID. */
const noObject = '0';

const failedColumn = '$failed';

/** What a procedure fails of without an object is no fault of the caller: its columns are not known. */
async function columnsOfProcedures(
  customization: Database,
  procedures: readonly Reference[],
  user: ActingUser,
): Promise<ColumnsByIdentifier> {
  const calls = procedures.map(
    ({ identifier }, index) => `${markerOf(index)}
BEGIN TRY
${callOf(identifier, noObject)}
END TRY
BEGIN CATCH
${endOpenTransaction}
SELECT 1 AS [${failedColumn}];
END CATCH;
${endOpenTransaction}`,
  );
  const results = await customization
    .query(
      [
        'SET NOCOUNT ON;',
        refuseOpenTransaction,
        ...calls,
        markerOf(calls.length),
        'SELECT 1 AS [$end];',
      ].join('\n'),
      { usrPropID: int(user.usrPropID), langID: int(user.langID) },
      { name: 'read columns of procedures' },
    )
    .catch((error: unknown) => {
      const isOfSource =
        error instanceof SqlFailure ||
        timeoutOf(error) !== undefined ||
        isCodedError(error, 'reply-too-large');
      if (isOfSource) return [];
      throw error;
    });
  const groups = resultsBySource(results);
  return new Map(
    procedures.flatMap(({ identifier }, index) => {
      const [result] = groups[index] ?? [];
      return result === undefined || isFailure(result) || documentOf(result) !== undefined
        ? []
        : [[identifier, result.columns.map(ofResult)] as const];
    }),
  );
}

function isFailure({ columns: [column, ...more] }: ResultSet): boolean {
  return column?.name === failedColumn && more.length === 0;
}

function ofResult({ name, type }: ResultSet['columns'][number]): SourceColumn {
  return { name, type, sqlType: type, nullable: true };
}
