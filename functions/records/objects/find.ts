/** From the identifier of an object to its propID, confirmed by pStructureObjectInfoGet (docs/records-contract.md, "Objects"). */

import { createCache } from '../../../shared/cache.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { explainContract } from '../../../shared/sql/database-contract.ts';
import { SqlFailure } from '../../../shared/sql/failure.ts';
import { integer, nvarchar, type ResultSet, rowsOf, text } from '../../../shared/sql/values.ts';
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

const findObject = `
DECLARE @propID int = (
    SELECT TOP (1) propID FROM dbo.tObjProperties
    WHERE objectID = @objectID AND objectID + N'.' COLLATE Latin1_General_BIN2 = @objectID + N'.');
IF @propID IS NOT NULL EXEC dbo.pStructureObjectInfoGet @propID = @propID;`;

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

  /** Throws `object-info-procedure-missing` unless pStructureObjectInfoGet is installed. */
  async confirm(main: Database): Promise<void> {
    await main
      .query('EXEC dbo.pStructureObjectInfoGet @propID = 0', {}, { name: 'confirm procedure' })
      .catch(explainMissingProcedure);
  }
}

async function find(main: Database, objectID: string): Promise<ObjectReference | undefined> {
  if (objectID.length > objectIdLength) return undefined;
  const [found] = await main
    .query(findObject, { objectID: nvarchar(objectID, objectIdLength) }, { name: 'find object' })
    .catch(explainMissingProcedure);
  // The server may compare without case or trailing spaces; identifiers are exact.
  const row = rowsOf(found).find((item) => text(item, 'objectID') === objectID);
  return row && { propID: integer(row, 'propID'), typeID: integer(row, 'typeID') };
}

const objectMissing = 2812;

function explainMissingProcedure(error: unknown): ResultSet[] {
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
