/** What a change of one identifier of many objects has to know beforehand, in one round trip. */

import type { Database } from '../sql/database.ts';
import { explainContract } from '../sql/database-contract.ts';
import { int, integer, nvarchar, type Row, rowsOf } from '../sql/values.ts';
import { listOf, selectOfType, toReference } from './read-many.ts';
import {
  exact,
  type ProcedureParameter,
  parameterColumns,
  procedureId,
  type Registration,
  toParameter,
  type WriteSnapshot,
} from './registrations.ts';

/** The versions come first: a change of the registrations in between is noticed, since the version that was read is then too old. */
const selectSnapshots = `SET NOCOUNT ON;
SELECT v.propID, v.version FROM OPENJSON(@propIDs) WITH (propID int '$') o
    JOIN dbo.tCustomDataVersions v ON v.propID = o.propID;
${selectOfType}
SELECT d.propID, d.kind ${exact} AS kind, d.customDataIdentifier AS identifier, d.customData
FROM OPENJSON(@propIDs) WITH (propID int '$') o JOIN dbo.tCustomData d ON d.propID = o.propID
WHERE d.customDataIdentifier ${exact} = @identifier;
SELECT r.identifier, ${parameterColumns}
FROM (SELECT @identifier ${exact} AS identifier) r
    JOIN sys.parameters p ON p.object_id = ${procedureId('_Set')}
    JOIN sys.types t ON t.user_type_id = p.system_type_id
ORDER BY p.parameter_id;`;

/** Whose values, and of which identifier. */
export interface SnapshotsOf {
  readonly propIDs: readonly number[];
  readonly typeID: number;
  readonly identifier: string;
}

/** Reads what is registered of an identifier for each object, and what else its change has to know, by propID. */
export async function readWriteSnapshots(
  customization: Database,
  { propIDs, typeID, identifier }: SnapshotsOf,
): Promise<ReadonlyMap<number, WriteSnapshot>> {
  const [versions, ofTypes, own, parameters] = await customization
    .query(
      selectSnapshots,
      {
        propIDs: listOf(propIDs),
        typeID: int(typeID),
        identifier: nvarchar(identifier, Math.max(identifier.length, 1)),
      },
      { name: 'read registrations of many' },
    )
    .catch(explainContract);
  const [ofType = {}] = rowsOf(ofTypes);
  const versionOf = new Map(rowsOf(versions).map((row) => [integer(row, 'propID'), integer(row, 'version')]));
  const ownOf = new Map(rowsOf(own).map((row) => [integer(row, 'propID'), row]));
  const setParameters = new Map<string, readonly ProcedureParameter[]>();
  const ofSet = rowsOf(parameters).map(toParameter);
  if (ofSet.length > 0) setParameters.set(identifier, ofSet);
  return new Map(
    propIDs.map((propID) => {
      const registration = registrationOf(identifier, ofType, ownOf.get(propID));
      const isWritten = registration?.kind === 'REF';
      return [
        propID,
        {
          registrations: registration === undefined ? [] : [registration],
          version: versionOf.get(propID) ?? 0,
          setParameters: isWritten ? setParameters : new Map(),
        },
      ];
    }),
  );
}

/** The server ignores trailing spaces, so that a registration may be of another identifier, which its change then tells. */
function registrationOf(identifier: string, ofType: Row, own: Row | undefined): Registration | undefined {
  const row = own ?? ofType;
  const found = row['identifier'] ?? undefined;
  if (typeof found !== 'string') return undefined;
  if (row['kind'] === 'JSON')
    return { identifier: found, kind: 'JSON', customData: String(row['customData'] ?? null) };
  return { ...toReference(identifier, ofType, own), identifier: found };
}
