/** What changes are shown as: identifiers of objects, and accounts of users. */

import type { Database } from '../../../shared/sql/database.ts';
import { callForAll, callProcedure } from '../../../shared/sql/foreign-procedures.ts';
import { int, integer, type Parameters, rowsOf, text } from '../../../shared/sql/values.ts';
import { explainObjectInfo, isObjectInfo } from '../objects/find.ts';

export interface NamedObject {
  readonly objectID: string;
  readonly typeID: number;
}

interface Names {
  /** By propID. An object that the product hides is absent. */
  readonly objects: ReadonlyMap<number, NamedObject>;
  /** By usrPropID. */
  readonly accounts: ReadonlyMap<number, string>;
}

/** Reads the names of objects and users in one round trip. Objects are confirmed by pStructureObjectInfoGet. */
export async function readNames(
  main: Database,
  rows: readonly { readonly propID: number; readonly changedBy: number | null }[],
): Promise<Names> {
  const users = parametersOf(
    'u',
    rows.flatMap(({ changedBy }) => changedBy ?? []),
  );
  const parameterList = (parameters: Parameters) => Object.keys(parameters).map((name) => `@${name}`);
  const ofUsers = `SELECT usrPropID, account FROM dbo.vServiceUsers WHERE usrPropID IN (${parameterList(users).join(', ') || 'NULL'});`;
  const propIDs = [...new Set(rows.map(({ propID }) => propID))];
  const [accounts, ...results] = await callForAll(propIDs, (some) => {
    const objects = parametersOf('o', some);
    const ofObjects = parameterList(objects).map((name) =>
      callProcedure('pStructureObjectInfoGet', [`@propID = ${name}`]),
    );
    const statements = [ofUsers, ...ofObjects].join('\n');
    return main.query(statements, { ...objects, ...users }, { name: 'read names of changes' });
  }).catch(explainObjectInfo);
  return {
    objects: new Map(
      results
        .filter(isObjectInfo)
        .flatMap(rowsOf)
        .map((row) => [integer(row, 'propID'), toObject(row)]),
    ),
    accounts: new Map(rowsOf(accounts).map((row) => [integer(row, 'usrPropID'), text(row, 'account')])),
  };
}

function parametersOf(prefix: string, ids: readonly number[]): Parameters {
  return Object.fromEntries([...new Set(ids)].map((id, index) => [`${prefix}${index}`, int(id)]));
}

function toObject(row: ReturnType<typeof rowsOf>[number]): NamedObject {
  return { objectID: text(row, 'objectID'), typeID: integer(row, 'typeID') };
}
