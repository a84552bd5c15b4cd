/** From the identifier of an object to its propID, confirmed by pStructureObjectInfoGet (docs/records-contract.md, "Objects"). */

import { createCache } from '../../../shared/cache.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { contractBroken, explainContract } from '../../../shared/sql/database-contract.ts';
import { SqlFailure } from '../../../shared/sql/failure.ts';
import { callForAll, callProcedure } from '../../../shared/sql/foreign-procedures.ts';
import { explainTimeout, timeoutOf } from '../../../shared/sql/slow-statement.ts';
import { integer, nvarchar, type ResultSet, type Row, rowsOf, text } from '../../../shared/sql/values.ts';
import type { ObjectKind } from './kinds.ts';

/** What an identifier stands for. */
interface ObjectReference {
  readonly propID: number;
  readonly typeID: number;
}

/** Characters of an object identifier, at most. */
export const objectIdLength = 64;

const maxCached = 10_000;

/** Milliseconds after which an object is confirmed again: the procedure of an existing product may hide it. */
const lifetime = 5_000;

const confirmObject = (propID: string) => callProcedure('pStructureObjectInfoGet', [`@propID = ${propID}`]);

const selectPropId = `(
    SELECT TOP (1) propID FROM dbo.tObjProperties
    WHERE objectID = @objectID AND objectID + N'.' COLLATE Latin1_General_BIN2 = @objectID + N'.')`;

const findObject = `
DECLARE @propID int = ${selectPropId};
IF @propID IS NOT NULL ${confirmObject('@propID')}`;

/** The column of the identifier that is asked for, before the results of the procedure, which may be several. */
const askedColumn = '$objectID';

/** An identifier is looked for as a variable, which is compared in the collation of the column, by its index. */
const findObjects = `SET NOCOUNT ON;
DECLARE @position int = -1, @objectID nvarchar(${objectIdLength}), @propID int;
DECLARE @objects TABLE (position int NOT NULL PRIMARY KEY, objectID nvarchar(${objectIdLength}) NOT NULL);
INSERT INTO @objects (position, objectID) SELECT CAST([key] AS int), value FROM OPENJSON(@objectIDs);
WHILE 1 = 1
BEGIN
    SET @objectID = NULL;
    SELECT TOP (1) @position = position, @objectID = objectID FROM @objects WHERE position > @position ORDER BY position;
    IF @objectID IS NULL BREAK;
    SET @propID = ${selectPropId};
    IF @propID IS NULL CONTINUE;
    SELECT @objectID AS [${askedColumn}];
    ${confirmObject('@propID')}
END;`;

export type ObjectTypes = Readonly<Partial<Record<string, number>>>;

/** The directory of objects, which caches those that were asked for most recently. */
export class Objects {
  /** Returns the numbers of OBJECT_TYPES by collection. */
  readonly #types: () => ObjectTypes;
  readonly #cached = createCache<string, ObjectReference>({ maxEntries: maxCached, ttl: lifetime });

  constructor(types: () => ObjectTypes) {
    this.#types = types;
  }

  /** Returns the number of a kind in `typeID`; throws `configuration` when OBJECT_TYPES is unusable. */
  typeOf(kind: ObjectKind): number {
    return this.#types()[kind.collection] ?? -1;
  }

  /** Returns the propID of the object with this identifier, or throws `object-not-found` for an unknown one or another kind. */
  async propIdOf(main: Database, kind: ObjectKind, objectID: string): Promise<number> {
    const cachedObject = this.#cached.get(objectID);
    const object = cachedObject ?? (await find(main, objectID));
    if (cachedObject === undefined && object !== undefined) this.#cached.set(objectID, object);
    if (object?.typeID !== this.typeOf(kind)) throw objectNotFound(kind);
    return object.propID;
  }

  /** Returns the propIDs of objects by their identifiers, in their order, without those that `propIdOf` would not find. One round trip for all that are not known. */
  async propIdsOf(
    main: Database,
    kind: ObjectKind,
    objectIDs: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    // Asked once: the time of an entry may end while the others are looked for.
    const known = new Map(objectIDs.map((objectID) => [objectID, this.#cached.get(objectID)]));
    const unknown = objectIDs.filter((objectID) => known.get(objectID) === undefined);
    const found = unknown.length === 0 ? new Map<string, ObjectReference>() : await findMany(main, unknown);
    for (const [objectID, object] of found) this.#cached.set(objectID, object);
    const typeID = this.typeOf(kind);
    const propIDs = new Map<string, number>();
    for (const objectID of objectIDs) {
      const object = found.get(objectID) ?? known.get(objectID);
      if (object?.typeID === typeID) propIDs.set(objectID, object.propID);
    }
    return propIDs;
  }

  /** Throws `object-info-procedure-missing` unless pStructureObjectInfoGet is installed. */
  async confirm(main: Database): Promise<void> {
    await main.query(confirmObject('0'), {}, { name: 'confirm procedure' }).catch(explainObjectInfo);
  }
}

async function find(main: Database, objectID: string): Promise<ObjectReference | undefined> {
  if (objectID.length > objectIdLength) return undefined;
  const [found] = await main
    .query(findObject, { objectID: nvarchar(objectID, objectIdLength) }, { name: 'find object' })
    .catch(explainObjectInfo);
  return referenceIn(found, objectID);
}

/** Returns the identifiers of objects by their propIDs, without asking whether they are shown. */
export async function findIds(
  main: Database,
  propIDs: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const [found] = await main
    .query(
      `SELECT o.propID, o.objectID FROM OPENJSON(@propIDs) WITH (propID int '$') p JOIN dbo.tObjProperties o ON o.propID = p.propID;`,
      { propIDs: nvarchar(JSON.stringify(propIDs)) },
      { name: 'find identifiers' },
    )
    .catch(explainContract);
  return new Map(rowsOf(found).map((row) => [integer(row, 'propID'), text(row, 'objectID')]));
}

const columnMissing = 207;

/**
 * Returns the object of an identifier in the first result of pStructureObjectInfoGet, which may have more. The server may compare without
 * case or trailing spaces; identifiers are exact. Throws `database-contract` for another result.
 */
function referenceIn(first: ResultSet | undefined, objectID: string): ObjectReference | undefined {
  if (first !== undefined && !isObjectInfo(first))
    throw contractBroken(
      'the first result of the procedure pStructureObjectInfoGet has not the columns propID, objectID and typeID',
      { facts: { number: columnMissing } },
    );
  const row = rowsOf(first).find((item) => text(item, 'objectID') === objectID);
  return row && toReference(row);
}

/** Checks whether a result of pStructureObjectInfoGet tells what an object is. */
export function isObjectInfo({ columns }: ResultSet): boolean {
  const names = columns.map(({ name }) => name);
  return ['propID', 'objectID', 'typeID'].every((name) => names.includes(name));
}

async function findMany(
  main: Database,
  objectIDs: readonly string[],
): Promise<ReadonlyMap<string, ObjectReference>> {
  const results = await callForAll(objectIDs, (some) =>
    main.query(findObjects, { objectIDs: nvarchar(JSON.stringify(some)) }, { name: 'find objects' }),
  ).catch(explainObjectInfo);
  const found = new Map<string, ObjectReference>();
  for (const [index, result] of results.entries()) {
    if (result.columns[0]?.name !== askedColumn) continue;
    const objectID = text(rowsOf(result)[0] ?? {}, askedColumn);
    const next = results[index + 1];
    const reference = referenceIn(next?.columns[0]?.name === askedColumn ? undefined : next, objectID);
    if (reference !== undefined) found.set(objectID, reference);
  }
  return found;
}

function toReference(row: Row): ObjectReference {
  return { propID: integer(row, 'propID'), typeID: integer(row, 'typeID') };
}

const objectMissing = 2812;

const explainSlowProcedure = explainTimeout({
  action: 'look up the object',
  name: 'the stored procedure pStructureObjectInfoGet',
});

/** Throws the coded error of a statement that calls pStructureObjectInfoGet. */
export function explainObjectInfo(error: unknown): ResultSet[] {
  if (timeoutOf(error) !== undefined) return explainSlowProcedure(error);
  if (!(error instanceof SqlFailure) || error.number !== objectMissing) return explainContract(error);
  throw new CodedError(
    'object-info-procedure-missing',
    'Cannot look up the object: the stored procedure pStructureObjectInfoGet is not installed.',
    { cause: error, hint: 'Install it in the main database, for example with "npm run migrate".' },
  );
}

/** The error for an identifier that stands for no object of a kind. */
export function objectNotFound(kind: ObjectKind): CodedError {
  return new CodedError(
    'object-not-found',
    `Cannot find the ${kind.name}: no ${kind.name} has this identifier.`,
  );
}
