/** Sources of custom data that are registered, but cannot be read because they are not there. */

import type { Database } from '../sql/database.ts';
import { rowsOf, text } from '../sql/values.ts';
import { customView, exact, procedureId } from './registrations.ts';
import { getProcedure } from './sources/reference.ts';

/** A registration without a source. */
export interface MissingSource {
  readonly kind: string;
  readonly identifier: string;
  /** The procedure and the view, of which one is needed. */
  readonly lookedFor: readonly string[];
  readonly problem: 'missing' | 'without-propID';
}

/** Missing sources that are listed, at most. */
export const maxMissingSources = 100;

const viewId = `OBJECT_ID(${customView}, N'V')`;

/** Each identifier once, however many objects have it. */
const selectMissingSources = `
SELECT TOP (${maxMissingSources}) r.identifier, r.kind, ${viewId} AS customView
FROM (
    SELECT customDataIdentifier ${exact} AS identifier, kind ${exact} AS kind
    FROM dbo.tCustomData WHERE kind <> 'JSON'
    UNION
    SELECT customDataIdentifier ${exact}, kind ${exact} FROM dbo.tCustomDataTypes
) r
WHERE ${procedureId('_Get')} IS NULL
    AND NOT EXISTS (SELECT 1 FROM sys.columns c WHERE c.object_id = ${viewId} AND c.name = N'propID')
ORDER BY r.identifier, r.kind;`;

/** Returns the first of the sources that are missing, by identifier. Reads every registration: not for each request. */
export async function findMissingSources(customization: Database): Promise<readonly MissingSource[]> {
  const [found] = await customization.query(selectMissingSources, {}, { name: 'find missing sources' });
  return rowsOf(found).map((row) => {
    const identifier = text(row, 'identifier');
    return {
      kind: text(row, 'kind'),
      identifier,
      lookedFor: [`dbo.${getProcedure(identifier)}`, `dbo.CustomData_${identifier}`],
      problem: row['customView'] === null ? 'missing' : 'without-propID',
    };
  });
}
