/** Checks the rows of the views that hold the metadata of an existing product's objects. */

import type { ObjectKind } from '../../functions/records/objects/kinds.ts';
import type { Config } from '../../shared/config.ts';
import type { Database } from '../../shared/sql/database.ts';
import { SqlFailure } from '../../shared/sql/failure.ts';
import { int, rowsOf, text } from '../../shared/sql/values.ts';
import type { Finding } from './findings.ts';

const exact = 'COLLATE Latin1_General_BIN2';

/** Checks that each view can be read, and that each of its rows is one object of its kind in tObjProperties. */
export async function checkViews(
  main: Database,
  config: Config,
  kinds: readonly ObjectKind[],
): Promise<Finding[]> {
  const types: Readonly<Partial<Record<string, number>>> = config.OBJECT_TYPES;
  const findings = await Promise.all(
    kinds.map((kind) => checkView(main, kind, types[kind.collection] ?? -1)),
  );
  return findings.flat();
}

async function checkView(main: Database, { table }: ObjectKind, typeID: number): Promise<Finding[]> {
  const finding = { state: 'different', database: 'main', what: `rows of ${table}` } as const;
  try {
    const [unknown, duplicate] = await main.query(
      `SELECT TOP (1) RTRIM(CONVERT(nvarchar(64), v.objectID)) AS id FROM dbo.${table} v WHERE NOT EXISTS (
    SELECT 1 FROM dbo.tObjProperties o WHERE o.typeID = @typeID AND o.objectID ${exact} = RTRIM(CONVERT(nvarchar(64), v.objectID)) ${exact});
SELECT TOP (1) RTRIM(CONVERT(nvarchar(64), v.objectID)) ${exact} AS id FROM dbo.${table} v
GROUP BY RTRIM(CONVERT(nvarchar(64), v.objectID)) ${exact} HAVING COUNT(*) > 1;`,
      { typeID: int(typeID) },
    );
    return [
      ...rowsOf(unknown).map((row) => ({
        ...finding,
        detail: `"${text(row, 'id')}" is no objectID of tObjProperties with typeID ${typeID}, so that it is listed and cannot be read`,
      })),
      ...rowsOf(duplicate).map((row) => ({
        ...finding,
        detail: `"${text(row, 'id')}" is the objectID of several rows, of which one is read`,
      })),
    ];
  } catch (error) {
    if (!(error instanceof SqlFailure)) throw error;
    return [{ ...finding, detail: `a SELECT failed with SQL error ${error.number}: ${error.message}` }];
  }
}
