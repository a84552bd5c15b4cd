/** Create, read, update and list diaries, journalized cases, deeds and documents: one way for all kinds. */

import { randomUUID } from 'node:crypto';
import { CodedError, isCodedError } from '../../../shared/errors.ts';
import {
  changedMeanwhile,
  checkForm,
  checkIfMatch,
  checkIfNoneMatch,
  entityTag,
  type IfMatch,
  type IfNoneMatch,
} from '../../../shared/http/entity-tag.ts';
import {
  createdIsGone,
  keptLength,
  keptRequest,
  keyInUse,
  keyLifetime,
  keyReused,
} from '../../../shared/idempotency-key.ts';
import { noteObjectChange } from '../../../shared/sql/change-journal.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { explainContract } from '../../../shared/sql/database-contract.ts';
import { changedSince } from '../../../shared/sql/outcome-unknown.ts';
import { inTransaction } from '../../../shared/sql/transaction.ts';
import { int, integer, nvarchar, type ResultSet, type Row, rowsOf } from '../../../shared/sql/values.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import {
  type Fields,
  fieldParameters,
  idColumns,
  type ObjectRecord,
  recordFields,
  selectVersioned,
  toColumns,
  toObjectRecord,
} from './fields.ts';
import { objectIdLength, objectNotFound } from './find.ts';
import { type ObjectKind, objectKinds } from './kinds.ts';
import { explainSource, type ObjectSource } from './source.ts';

/** An object and its strong entity tag. */
export interface TaggedObject {
  readonly record: ObjectRecord;
  readonly etag: string;
}

export interface Page {
  /** At most this many. */
  readonly limit: number;
  readonly offset: number;
  /** The key of the object behind which it begins. */
  readonly after?: string | undefined;
}

const recordsModule = 2;

/** Runs a statement on the tables of our kinds; throws `database-contract` for what they lack. */
function query(main: Database): Database['query'] {
  return (...statement) => main.query(...statement).catch(explainContract);
}

/** Reads an object; throws `object-not-found` when it is gone. */
export async function readObject(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  { propID, id }: { readonly propID: number; readonly id: string },
): Promise<TaggedObject> {
  const [found] = await main
    .query(
      `${source.select(recordFields(kind))} WHERE ${source.isObject}`,
      { propID: int(propID), objectID: nvarchar(id, objectIdLength) },
      { name: `read ${kind.name}` },
    )
    .catch(explainSource(kind));
  const [row] = rowsOf(found);
  if (row === undefined) throw objectNotFound(kind);
  return tagged(kind, row);
}

async function readVersion(main: Database, kind: ObjectKind, propID: number) {
  const [found] = await query(main)(
    `${selectVersioned(kind)} WHERE t.propID = @propID`,
    { propID: int(propID) },
    { name: `read ${kind.name}` },
  );
  return versioned(kind, found);
}

function versioned(kind: ObjectKind, found: ResultSet | undefined) {
  const [row] = rowsOf(found);
  if (row === undefined) throw objectNotFound(kind);
  return { object: tagged(kind, row), version: integer(row, 'version') };
}

function tagged(kind: ObjectKind, row: Row): TaggedObject {
  const record = toObjectRecord(kind, row);
  return { record, etag: entityTag(JSON.stringify(record)) };
}

/** What a new object has besides its fields. */
export interface Creation {
  readonly typeID: number;
  readonly parentPropID: number | undefined;
  /** The user who creates it. */
  readonly usrPropID: number;
}

/**
 * Creates an object below its parent (undefined for diaries) and returns it. A journalized case takes the next
 * number of its diary; the row lock on the diary makes two cases at once take two numbers.
 */
export async function createObject(
  main: Database,
  kind: ObjectKind,
  fields: Fields,
  creation: Creation,
): Promise<TaggedObject> {
  const columns = toColumns(fields, 'body');
  const statements = `IF NOT EXISTS (SELECT 1 FROM dbo.tObjProperties WHERE objectID = @objectID)
BEGIN
${createStatements(kind, columns)}
END;
${selectVersioned(kind)} WHERE o.objectID = @objectID;`;
  // The identifier is ours, so a second run after a lost connection finds what the first one created.
  const results = await query(main)(inTransaction(statements), creationParameters(columns, creation), {
    name: `create ${kind.name}`,
    repeatable: true,
  });
  return versioned(kind, results.at(-1)).object;
}

function creationParameters(columns: Fields, { typeID, parentPropID, usrPropID }: Creation) {
  return {
    ...fieldParameters(columns),
    objectID: nvarchar(randomUUID(), objectIdLength),
    typeID: int(typeID),
    moduleID: int(recordsModule),
    usrPropID: int(usrPropID),
    ...(parentPropID === undefined ? {} : { parentPropID: int(parentPropID) }),
  };
}

/** An object that was created, now or by an earlier request with the same key. */
export interface CreatedObject extends TaggedObject {
  readonly isReplayed: boolean;
}

/**
 * Creates an object as `createObject` does, once for a key, which `secret` has with its caller: the key is stored with the object. Throws
 * `idempotency-key-reused` for another body or parent, `idempotency-key-in-use` while the same is created, and `idempotency-record-gone`.
 */
export async function createObjectOnce(
  main: Database,
  kind: ObjectKind,
  fields: Fields,
  { secret, ...creation }: Creation & { readonly secret: string },
): Promise<CreatedObject> {
  const columns = toColumns(fields, 'body');
  const { key, body } = keptRequest(secret, [creation.parentPropID ?? null, columns]);
  const { objectID, ...parameters } = creationParameters(columns, creation);
  const results = await query(main)(
    inTransaction(createOnceStatements(kind, columns)),
    {
      ...parameters,
      objectID,
      creationKey: nvarchar(key, keptLength),
      creationBody: nvarchar(body, keptLength),
      creationLock: nvarchar(`creation:${key}`, 255),
    },
    { name: `create ${kind.name} once`, repeatable: true },
  ).catch(sendAgain);
  const [decision, found] = results.slice(-2);
  const [{ lockResult, earlierBody } = {} as Row] = rowsOf(decision);
  if (Number(lockResult) < 0) throw keyInUse(kind.name);
  if (earlierBody !== null && earlierBody !== body) throw keyReused(kind.name);
  const [row] = rowsOf(found);
  if (row === undefined) throw createdIsGone(kind.name);
  const created = tagged(kind, row);
  // After a lost connection the second attempt finds what the first one has created.
  return { ...created, isReplayed: created.record[idColumns.id] !== objectID.value };
}

/** Whatever became of a creation with a key, sending it again finds it. */
function sendAgain(error: unknown): never {
  if (!isCodedError(error, 'outcome-unknown')) throw error;
  const { code, message, cause, retryAfter = 5 } = error;
  const hint = 'Send the request again with the same Idempotency-Key: the object is created once.';
  throw new CodedError(code, message, { cause, retryAfter, hint });
}

/** The lock is of the key alone, and nobody waits for it: what is under way has not to be waited for on a connection. */
function createOnceStatements(kind: ObjectKind, columns: Fields): string {
  return `DECLARE @lock int, @earlier int, @earlierBody nvarchar(${keptLength});
EXEC @lock = sp_getapplock @Resource = @creationLock, @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 0;
IF @lock >= 0 SELECT @earlier = propID, @earlierBody = body FROM dbo.tObjectCreations
WHERE creationKey = @creationKey AND createdAt > DATEADD(second, -${keyLifetime}, SYSUTCDATETIME());
IF @lock >= 0 AND @earlier IS NULL
BEGIN
${createStatements(kind, columns, keepCreation)}
END;
SELECT @lock AS lockResult, @earlierBody AS earlierBody;
${selectVersioned(kind)} WHERE o.propID = COALESCE(@earlier, @propID);`;
}

/** A key that has ended is used again. */
const keepCreation = `UPDATE dbo.tObjectCreations SET body = @creationBody, propID = @propID, createdAt = SYSUTCDATETIME()
WHERE creationKey = @creationKey;
IF @@ROWCOUNT = 0 INSERT INTO dbo.tObjectCreations (creationKey, body, propID, createdAt)
VALUES (@creationKey, @creationBody, @propID, SYSUTCDATETIME());`;

/** Returns the statements that create an object, whose propID is `@propID` then. `also` is done before the change is noted. */
function createStatements(kind: ObjectKind, fields: Fields, also = ''): string {
  const isNumbered = kind === objectKinds['journalizedCase'];
  const columns = [
    ...(kind.parent === undefined ? [] : ['parentPropID']),
    ...(isNumbered ? ['number'] : []),
    ...Object.keys(fields),
  ];
  return `${isNumbered ? takeNumber : ''}
INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (@objectID, @moduleID, @typeID);
DECLARE @propID int = SCOPE_IDENTITY();
INSERT INTO dbo.${kind.table} (propID, ${columns.join(', ')})
VALUES (@propID, ${columns.map((name) => `@${name}`).join(', ')});
${also}
${noteObjectChange}`;
}

const takeNumber = `DECLARE @number nvarchar(20);
UPDATE dbo.tDiaries SET nextNumber = nextNumber + 1 WHERE propID = @parentPropID;
SELECT @number = CONCAT(year, N'/', nextNumber - 1) FROM dbo.tDiaries WHERE propID = @parentPropID;`;

/** Which object a user changes. */
export interface Target {
  readonly propID: number;
  readonly usrPropID: number;
}

/**
 * Changes the given fields and leaves the others. Throws `precondition-failed` when a condition does not hold, and `outcome-unknown` where
 * the connection was lost: with a condition always, without one where others have changed the object since.
 */
export async function updateObject(
  main: Database,
  kind: ObjectKind,
  { propID, usrPropID }: Target,
  fields: Fields,
  ifMatch: IfMatch,
  ifNoneMatch?: IfNoneMatch,
): Promise<TaggedObject> {
  checkForm(ifNoneMatch);
  const columns = toColumns(fields, 'body');
  const { object: before, version } = await readVersion(main, kind, propID);
  const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined;
  noteChange({ before: before.etag });
  await checkIfMatch(ifMatch, () => before.etag);
  await checkIfNoneMatch(ifNoneMatch, () => before.etag);
  if (Object.keys(columns).length === 0) return before;
  const [outcome, found] = await query(main)(
    updateStatements(kind, columns),
    {
      ...fieldParameters(columns),
      propID: int(propID),
      usrPropID: int(usrPropID),
      expected: int(isConditional ? version : null),
    },
    { name: `update ${kind.name}`, repeatable: !isConditional, repeatedFrom: version },
  );
  const after = versioned(kind, found).object;
  if (rowsOf(outcome)[0]?.['changed'] !== 0) return after;
  if (isConditional) throw changedMeanwhile();
  // The first attempt may have changed the object: it has where the fields are those that it set.
  const isStored = Object.entries(columns).every(([name, value]) => after.record[name] === value);
  if (!isStored) throw changedSince();
  return after;
}

function updateStatements(kind: ObjectKind, fields: Fields): string {
  const assignments = Object.keys(fields).map((name) => `${name} = @${name}`);
  const changes = `UPDATE dbo.${kind.table} SET ${assignments.join(', ')}, version = version + 1, updatedAt = SYSUTCDATETIME()
WHERE propID = @propID AND version = COALESCE(@expected, @repeatedFrom, version);
SET @changed = @@ROWCOUNT;
IF @changed > 0
BEGIN
${noteObjectChange}
END;`;
  return `DECLARE @changed int;
SET NOCOUNT ON;
${inTransaction(changes)}
SELECT @changed AS changed;
${selectVersioned(kind)} WHERE t.propID = @propID;`;
}
