/** Reference data: lists that are views named `RefData_<identifier>` (docs/records-contract.md, "Reference data"). */

import { CodedError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { missingRight } from '../../../shared/sql/database-contract.ts';
import { SqlFailure } from '../../../shared/sql/failure.ts';
import { explainTimeout } from '../../../shared/sql/slow-statement.ts';
import { rowsToJson } from '../../../shared/sql/sql-json.ts';
import { documentOf, int, nvarchar, type ResultSet, rowsOf, text } from '../../../shared/sql/values.ts';
import { readView, viewRows, viewVariables } from '../../../shared/sql/view-rows.ts';
import { rowsToCsv } from '../csv/csv.ts';

const prefix = 'RefData_';

/** Characters of an identifier, at most: with the prefix it is the name of a view, which has up to 128. */
export const referenceDataIdentifierLength = 128 - prefix.length;

const selectIdentifiers = `
SELECT v.name FROM sys.views v
WHERE v.schema_id = SCHEMA_ID(N'dbo') AND LEFT(v.name, ${prefix.length}) = N'${prefix}'
ORDER BY v.name`;

/** Lists the identifiers of the reference data in a database, one for each view. */
export async function listReferenceData(database: Database): Promise<string[]> {
  const [found] = await database.query(selectIdentifiers, {}, { name: 'list reference data' });
  return rowsOf(found)
    .map((row) => text(row, 'name').slice(prefix.length))
    .filter((identifier) => identifier !== '');
}

const selectRows = `SET NOCOUNT ON;
${viewVariables}
${readView({ view: '@view', filter: { column: 'langID', value: '@langID' }, filterRequired: false })}`;

/** How a list is written: the JSON text of an array, one object per row, keyed by column; or CSV, one line per row. */
const formats = {
  json: async (rows: ResultSet) => `[${(await rowsToJson(rows)).join(',')}]`,
  csv: rowsToCsv,
} as const;

/**
 * Reads a list as text. A view with a column `langID` returns
 * only the rows in that language, without the column. Throws `reference-data-not-found` or `reference-data-source-failed`.
 */
export async function readReferenceData(
  database: Database,
  identifier: string,
  langID: number,
  format: keyof typeof formats = 'json',
): Promise<string> {
  const hasValidLength = identifier.length <= referenceDataIdentifierLength;
  const parameters = { view: nvarchar(prefix + identifier, 128), langID: int(langID) };
  const results = hasValidLength
    ? await database
        .query(selectRows, parameters, { name: 'read reference data' })
        .catch((error: unknown) => explainFailure(error, identifier))
    : [];
  const rows = viewRows(results);
  if (rows === undefined)
    throw new CodedError(
      'reference-data-not-found',
      `Cannot read reference data: there is no view ${prefix}<identifier> for this identifier.`,
      {
        hint: 'The lists that exist are linked from the reference-data endpoints.',
      },
    );
  if (documentOf(rows) !== undefined)
    throw new CodedError(
      'reference-data-source-failed',
      `Cannot read reference data: the only column of the view ${prefix}${identifier} has the name of FOR JSON or FOR XML.`,
      { facts: {}, hint: 'Let the view return columns of its own names.' },
    );
  return formats[format](rows);
}

function explainFailure(error: unknown, identifier: string): never {
  if (!(error instanceof SqlFailure))
    return explainTimeout({ action: 'read reference data', name: `the view ${prefix}${identifier}` })(error);
  throw new CodedError(
    'reference-data-source-failed',
    `Cannot read reference data: ${missingRight(error) ?? `the view ${prefix}${identifier} failed with SQL error ${error.number}`}.`,
    { cause: error, facts: { number: error.number } },
  );
}
