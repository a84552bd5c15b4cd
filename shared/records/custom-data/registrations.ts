/** Registrations of custom data: the rows of tCustomData, with what the catalog knows about the sources of REF and REF_RO. */

import type { Database } from '../../sql/database.ts';
import { int, integer, type ResultSet, type Row, rowsOf, text } from '../../sql/values.ts';
import { explainContract } from '../database-contract.ts';

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
}

/** Where the value of a REF or REF_RO registration comes from. */
export interface Source {
  readonly hasProcedure: boolean;
  readonly hasView: boolean;
}

export type Registration =
  | { readonly identifier: string; readonly kind: 'JSON'; readonly customData: string }
  | { readonly identifier: string; readonly kind: 'REF' | 'REF_RO'; readonly source: Source };

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

/** A lookup of a source in schema dbo; NULL when it does not exist. */
const objectId = (prefix: string, suffix: string, type: 'P' | 'V') =>
  `OBJECT_ID(N'dbo.' + QUOTENAME(N'${prefix}' + customDataIdentifier + N'${suffix}'), N'${type}')`;

/** Returns how often the custom data of `@propID` was replaced; no row stands for never. */
export const selectVersion = 'SELECT version FROM dbo.tCustomDataVersions WHERE propID = @propID';

/**
 * Reads the version and the registrations of `@propID`. The version comes first: who replaces the registrations in between
 * is noticed, since the version that was read is then too old. Exported for the benchmark, which gives it to the bare driver.
 */
export const selectRegistrations = `
${selectVersion};
SELECT customDataIdentifier AS identifier, kind, customData,
    CASE WHEN kind <> 'JSON' THEN ${objectId('pCustomData_', '_Get', 'P')} END AS getProcedure,
    CASE WHEN kind <> 'JSON' THEN ${objectId('CustomData_', '', 'V')} END AS customView
FROM dbo.tCustomData WHERE propID = @propID ORDER BY customDataIdentifier COLLATE Latin1_General_BIN2;`;

const selectWriteSnapshot = `${selectRegistrations}
SELECT d.customDataIdentifier AS identifier, p.name, t.name AS type, p.max_length AS maxLength, p.[precision], p.scale
FROM dbo.tCustomData d
    JOIN sys.parameters p ON p.object_id = ${objectId('pCustomData_', '_Set', 'P')}
    JOIN sys.types t ON t.user_type_id = p.system_type_id
WHERE d.propID = @propID AND d.kind = 'REF' ORDER BY p.parameter_id;`;

/** Reads the registrations of an object, in one round trip. */
export async function readRegistrations(customization: Database, propID: number): Promise<Registered> {
  return toRegistered(
    await customization.query(selectRegistrations, { propID: int(propID) }).catch(explainContract),
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
export async function readWriteSnapshot(customization: Database, propID: number): Promise<WriteSnapshot> {
  const results = await customization
    .query(selectWriteSnapshot, { propID: int(propID) })
    .catch(explainContract);
  return {
    ...toRegistered(results),
    setParameters: Map.groupBy(rowsOf(results[2]).map(toParameter), ({ identifier }) => identifier),
  };
}

function toRegistration(row: Row): Registration {
  const identifier = text(row, 'identifier');
  const kind = text(row, 'kind');
  if (kind === 'JSON') return { identifier, kind, customData: text(row, 'customData') };
  if (kind !== 'REF' && kind !== 'REF_RO') throw new TypeError(`Registration of unknown kind ${kind}`);
  return {
    identifier,
    kind,
    source: { hasProcedure: row['getProcedure'] !== null, hasView: row['customView'] !== null },
  };
}

function toParameter(row: Row): ProcedureParameter & { readonly identifier: string } {
  return {
    identifier: text(row, 'identifier'),
    name: text(row, 'name'),
    type: text(row, 'type'),
    maxLength: integer(row, 'maxLength'),
    precision: integer(row, 'precision'),
    scale: integer(row, 'scale'),
  };
}
