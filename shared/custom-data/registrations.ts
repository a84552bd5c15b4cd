/** Registrations of custom data: the rows of tCustomData and tCustomDataTypes, with what the catalog knows about the sources of REF and REF_RO. */

import type { Database } from '../sql/database.ts';
import { explainContract } from '../sql/database-contract.ts';
import { int, integer, nvarchar, type ResultSet, type Row, rowsOf, text } from '../sql/values.ts';

/** A parameter of a `_Set` procedure, as `sys.parameters` describes it. */
export interface ProcedureParameter {
  /** With its @. */
  readonly name: string;
  /** Name of the system type, such as `decimal`. */
  readonly type: string;
  /** Bytes; -1 for max. */
  readonly maxLength: number;
  readonly precision: number;
  readonly scale: number;
  /** Whether the database stores char and varchar in UTF-8: their lengths are bytes of it then. */
  readonly isUtf8?: boolean;
}

/** Where the value of a REF or REF_RO registration comes from. */
export interface Source {
  readonly hasProcedure: boolean;
  /** Whether there is a view, and whether it has the column propID that it must have. */
  readonly view: 'usable' | 'without-propID' | 'missing';
}

/** The JSON form of a value, for any number of rows: an object or null, or an array. */
export type Shape = 'one' | 'many';

export type Registration =
  | { readonly identifier: string; readonly kind: 'JSON'; readonly customData: string }
  | {
      readonly identifier: string;
      readonly kind: 'REF' | 'REF_RO';
      /** Fixed by a registration by type; undefined: the number of rows decides. */
      readonly shape: Shape | undefined;
      readonly source: Source;
    };

/** Whose custom data: an object, and the type whose registrations it inherits; without a type only its own count. */
export interface RegisteredObject {
  readonly propID: number;
  readonly typeID?: number | undefined;
  /** The identifiers that are read or written; undefined: all. */
  readonly identifiers?: readonly string[] | undefined;
}

/** The parameters of the statements here. */
export function objectParameters({ propID, typeID, identifiers }: RegisteredObject) {
  return {
    propID: int(propID),
    typeID: int(typeID ?? null),
    ...(identifiers === undefined ? {} : { identifiers: nvarchar(JSON.stringify(identifiers)) }),
  };
}

/** Returns the condition that a column holds one of `@identifiers`; true for any where all are read or written. */
export function isSelected({ identifiers }: RegisteredObject, column = 'r.identifier'): string {
  if (identifiers === undefined) return '1 = 1';
  return `${column} IN (SELECT value ${exact} FROM OPENJSON(@identifiers))`;
}

/** The registrations of an object at one moment. */
export interface Registered {
  readonly registrations: readonly Registration[];
  /** How often the custom data of the object was replaced. */
  readonly version: number;
}

/** What a change of custom data has to know beforehand. */
export interface WriteSnapshot extends Registered {
  /** The parameters of the `_Set` procedure of each REF identifier that has one. */
  readonly setParameters: ReadonlyMap<string, readonly ProcedureParameter[]>;
}

/** Name of the view of an identifier `r.identifier`, as an expression. */
export const customView = `N'dbo.' + QUOTENAME(N'CustomData_' + r.identifier)`;

/** A lookup of a procedure in schema dbo; NULL when it does not exist. */
export const procedureId = (suffix: '_Get' | '_Set') =>
  `OBJECT_ID(N'dbo.' + QUOTENAME(N'pCustomData_' + r.identifier + N'${suffix}'), N'P')`;

/** The column propID of the view of an identifier; NULL where it has none. */
export const viewPropID = `(
        SELECT c.column_id FROM sys.columns c
        WHERE c.object_id = OBJECT_ID(${customView}, N'V') AND c.name = N'propID')`;

/** Columns of an existing product may have any collation, and two of them two. */
export const exact = 'COLLATE Latin1_General_BIN2';

/** The registrations of `@propID` as a table: its own rows, and those of `@typeID` for identifiers without one. */
export const registeredRows = `(
    SELECT customDataIdentifier ${exact} AS identifier, kind ${exact} AS kind, customData
    FROM dbo.tCustomData WHERE propID = @propID
    UNION ALL
    SELECT t.customDataIdentifier, t.kind, NULL FROM dbo.tCustomDataTypes t
    WHERE t.typeID = @typeID AND NOT EXISTS (
        SELECT 1 FROM dbo.tCustomData d
        WHERE d.propID = @propID AND d.customDataIdentifier ${exact} = t.customDataIdentifier)
)`;

/** Returns how often the custom data of `@propID` was replaced; no row stands for never. */
export const selectVersion = 'SELECT version FROM dbo.tCustomDataVersions WHERE propID = @propID';

/**
 * Reads the version and the registrations of `@propID`, which is of the type `@typeID`. The version comes first: a change of the
 * registrations in between is noticed, since the version that was read is then too old. The benchmark gives it to the bare driver.
 */
export const selectRegistrations = (object: RegisteredObject): string => `
${selectVersion};
SELECT r.identifier, r.kind, r.customData, s.shape,
    CASE WHEN r.kind <> 'JSON' THEN ${procedureId('_Get')} END AS getProcedure,
    CASE WHEN r.kind <> 'JSON' THEN OBJECT_ID(${customView}, N'V') END AS customView,
    CASE WHEN r.kind <> 'JSON' THEN ${viewPropID} END AS viewPropID
FROM ${registeredRows} r
    LEFT JOIN dbo.tCustomDataTypes s ON s.typeID = @typeID AND s.customDataIdentifier = r.identifier
WHERE ${isSelected(object)} ORDER BY r.identifier;`;

/** The columns that `toParameter` reads, of a parameter `p` of the type `t`. */
export const parameterColumns = `p.name, t.name AS type, p.max_length AS maxLength, p.[precision], p.scale,
    CASE WHEN CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(128)) LIKE N'%[_]UTF8' THEN 1 ELSE 0 END AS isUtf8`;

const selectWriteSnapshot = (object: RegisteredObject): string => `${selectRegistrations(object)}
SELECT r.identifier, ${parameterColumns}
FROM ${registeredRows} r
    JOIN sys.parameters p ON p.object_id = ${procedureId('_Set')}
    JOIN sys.types t ON t.user_type_id = p.system_type_id
WHERE r.kind = 'REF' AND ${isSelected(object)} ORDER BY p.parameter_id;`;

/** Reads the registrations of an object, in one round trip. */
export async function readRegistrations(
  customization: Database,
  object: RegisteredObject,
): Promise<Registered> {
  return toRegistered(
    await customization
      .query(selectRegistrations(object), objectParameters(object), { name: 'read registrations' })
      .catch(explainContract),
  );
}

function toRegistered([version, registrations]: readonly ResultSet[]): Registered {
  return { registrations: rowsOf(registrations).map(toRegistration), version: toVersion(version) };
}

/** Returns the version that `selectVersion` has found. */
export function toVersion(found: ResultSet | undefined): number {
  const [row] = rowsOf(found);
  return row === undefined ? 0 : integer(row, 'version');
}

/** Reads the registrations of an object and what else a change has to know, in one round trip. */
export async function readWriteSnapshot(
  customization: Database,
  object: RegisteredObject,
): Promise<WriteSnapshot> {
  const results = await customization
    .query(selectWriteSnapshot(object), objectParameters(object), { name: 'read registrations' })
    .catch(explainContract);
  return {
    ...toRegistered(results),
    setParameters: Map.groupBy(rowsOf(results[2]).map(toParameter), ({ identifier }) => identifier),
  };
}

function toRegistration(row: Row): Registration {
  const identifier = text(row, 'identifier');
  const kind = text(row, 'kind');
  // The table of an existing product may allow NULL.
  if (kind === 'JSON') return { identifier, kind, customData: String(row['customData'] ?? null) };
  if (kind !== 'REF' && kind !== 'REF_RO') throw new TypeError(`Registration of unknown kind ${kind}`);
  return {
    identifier,
    kind,
    shape: (row['shape'] ?? undefined) as Shape | undefined,
    source: toSource(row),
  };
}

/** Returns the source that a row with `getProcedure`, `customView` and `viewPropID` describes. */
export function toSource(row: Row): Source {
  return { hasProcedure: row['getProcedure'] !== null, view: viewOf(row) };
}

function viewOf(row: Row): Source['view'] {
  if (row['customView'] === null) return 'missing';
  return row['viewPropID'] === null ? 'without-propID' : 'usable';
}

/** Returns the parameter of a `_Set` procedure that a row of the catalog describes. */
export function toParameter(row: Row): ProcedureParameter & { readonly identifier: string } {
  return {
    identifier: text(row, 'identifier'),
    name: text(row, 'name'),
    type: text(row, 'type'),
    maxLength: integer(row, 'maxLength'),
    precision: integer(row, 'precision'),
    scale: integer(row, 'scale'),
    isUtf8: row['isUtf8'] === 1,
  };
}
