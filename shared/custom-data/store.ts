/** The one statement that stores custom data: lock, compare, replace the rows, call the procedures, commit. */

import { CodedError, isCodedError } from '../errors.ts';
import { noteCustomDataChange } from '../sql/change-journal.ts';
import type { Database } from '../sql/database.ts';
import { SqlFailure } from '../sql/failure.ts';
import { changedSince } from '../sql/outcome-unknown.ts';
import { beginCommit } from '../sql/slow-statement.ts';
import { endOpenTransaction, inTransaction, transactionOfCalls } from '../sql/transaction.ts';
import { int, nvarchar, type ResultSet, type Row, rowsOf, type SqlValue } from '../sql/values.ts';
import { customDataLimits, tooManyProperties } from './body.ts';
import { explainFailure } from './explain-failure.ts';
import type { JsonMember } from './members.ts';
import { type CustomDataOf, references } from './read.ts';
import {
  exact,
  isSelected,
  objectParameters,
  type RegisteredObject,
  registeredRows,
  type WriteSnapshot,
} from './registrations.ts';
import { callStatements, type SetCall, takesLanguage } from './set-calls.ts';
import { measureSources } from './sources/measure-sources.ts';
import { isReadable } from './sources/reference.ts';
import { sourceStatements } from './sources/source-statements.ts';

export interface Change {
  readonly rows: readonly JsonMember[];
  readonly calls: readonly SetCall[];
  /** What was read before; nothing is stored when it is no longer so. */
  readonly snapshot: WriteSnapshot;
  /** Whether the custom data must not have been replaced since. */
  readonly conditional: boolean;
}

/** What is there once a change is stored. */
export interface Stored {
  /** The version that the change has made; not a number where it could not be read. */
  readonly version: SqlValue | undefined;
  /** What `sourceStatements` of all references has given afterwards; none when a source cannot be read. */
  readonly sources: readonly ResultSet[];
}

/** The columns of the result behind the commit, before those of the sources. Procedures may give results too. */
const outcomeColumns = ['$outcome', '$version', '$number', '$message', '$procedure'] as const;

/** The error of a change that was not stored as a whole, though a procedure has committed what was done before it failed. It must not be tried again. */
export class PartlyStored extends CodedError {}

/** Comes last when a source could not be read. */
const failedColumn = '$failed';

/** Milliseconds for which a writer waits for another one of the same object. */
const lockTimeout = 5_000;

/** Stores a change as a whole, and reads the sources again. Returns undefined when what was read before is no longer so; then nothing is stored. Throws `PartlyStored` where a procedure commits by itself. */
export async function storeCustomData(
  customization: Database,
  of: CustomDataOf,
  { rows, calls, snapshot, conditional }: Change,
): Promise<Stored | undefined> {
  const { propID, user } = of;
  const { statements, parameters } = callStatements(calls, (identifier) =>
    takesLanguage(snapshot.setParameters.get(identifier)),
  );
  const reading = sourceStatements(references(snapshot.registrations));
  const results = await customization
    .query(
      `DECLARE @lock int, @stored int, @outcome varchar(10) = 'stored', @number int, @message nvarchar(4000), @procedure nvarchar(128);
${calls.length === 0 ? inTransaction(lockedStatements(of, '')) : withCalls(of, statements)}
SELECT @outcome AS [$outcome], @stored AS [$version], @number AS [$number], @message AS [$message], @procedure AS [$procedure];
${isTagged(snapshot) ? readStored(reading.statements) : ''}`,
      {
        ...parameters,
        ...reading.parameters,
        ...objectParameters(of),
        usrPropID: int(user.usrPropID),
        langID: int(user.langID),
        resource: nvarchar(`custom-data:${propID}`, 255),
        version: int(conditional ? snapshot.version : null),
        registered: nvarchar(signature(snapshot)),
        rows: nvarchar(() => textsByIdentifier(rows)),
      },
      // After a lost connection the outcome is unknown. Rows may be stored twice; procedures may keep a history.
      {
        name: 'store custom data',
        repeatable: calls.length === 0 && !conditional,
        repeatedFrom: snapshot.version,
        outcome: outcomeColumns,
        onResults: (results) => measureSources(references(snapshot.registrations), results),
      },
    )
    .catch((error: unknown) => explainFailure(error, calls));
  const [decision, ...sources] = results;
  const [{ $outcome: outcome, $version: version, ...error } = {} as Row] = rowsOf(decision);
  if (outcome === 'committed') throw partlyStored(error, calls);
  if (outcome === 'locked') throw objectBusy();
  if (outcome === 'full') throw tooManyProperties();
  if (outcome === 'repeated') return await storedBefore(customization, of, rows);
  if (outcome !== 'stored') return undefined;
  const isRead = sources.at(-1)?.columns[0]?.name !== failedColumn;
  return { version, sources: isRead ? sources : [] };
}

/** Checks that the values are those of a change whose first attempt was cut off, and returns that it is stored. Throws `outcome-unknown` where others have changed them since. */
async function storedBefore(
  customization: Database,
  of: CustomDataOf,
  rows: readonly JsonMember[],
): Promise<Stored> {
  const [found] = await customization.query(
    `SELECT customDataIdentifier AS name, customData AS text FROM dbo.tCustomData WHERE propID = @propID AND kind = 'JSON' AND ${isSelected(of, identifierColumn)}`,
    objectParameters(of),
    { name: 'read stored values' },
  );
  const stored = new Map(rowsOf(found).map(({ name, text }) => [name, text]));
  const isSame = stored.size === rows.length && rows.every(({ name, text }) => stored.get(name) === text);
  if (isSame) return { version: undefined, sources: [] };
  throw changedSince();
}

function isTagged({ registrations }: WriteSnapshot): boolean {
  const sources = references(registrations);
  return sources.length > 0 && sources.every(isReadable);
}

/** What is stored is stored: a source that cannot be read now is not an error of the change. */
function readStored(statements: string): string {
  return `IF @outcome = 'stored'
BEGIN TRY
-- The server keeps small results until its buffer is full, and a source may take long.
RAISERROR(N'', 0, 1) WITH NOWAIT;
${statements}
END TRY
BEGIN CATCH
${endOpenTransaction}
SELECT 1 AS [${failedColumn}];
END CATCH;`;
}

/** A transaction with calls of procedures. Where one has committed it, and fails, that is an outcome: it is a change for those who follow. */
function withCalls(of: RegisteredObject, calls: string): string {
  return `${transactionOfCalls.declare}
${inTransaction(
  lockedStatements(of, `${transactionOfCalls.begin}\n${calls}\n${beginCommit}`),
  `${transactionOfCalls.end}
IF @isCommitted = 0 THROW;
SELECT @outcome = 'committed', @number = ERROR_NUMBER(), @message = ERROR_MESSAGE(), @procedure = ERROR_PROCEDURE();
BEGIN TRANSACTION;
${noteCustomDataChange}
COMMIT TRANSACTION;`,
)}`;
}

/** Returns the error of a change whose procedure has committed what was done before it failed. */
export function partlyStored({ $number, $message, $procedure }: Row, calls: readonly SetCall[]): unknown {
  const procedure = typeof $procedure === 'string' ? $procedure : undefined;
  try {
    return explainFailure(new SqlFailure(String($message), { number: Number($number), procedure }), calls);
  } catch (error) {
    if (!isCodedError(error)) return error;
    const { code, message, hint, errors = [], facts, cause } = error;
    return new PartlyStored(
      code,
      `${message} What was done before that was committed, since the procedure has ended the transaction.`,
      { cause, errors, facts, ...(hint === undefined ? {} : { hint }) },
    );
  }
}

/** Locks the object of `@resource` until the transaction ends. */
export const lockObject = `EXEC @lock = sp_getapplock @Resource = @resource, @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = ${lockTimeout};`;

/** The statements of one change in a transaction: lock, compare, replace the row or rows, `calls`, and note the change. */
export function lockedStatements(of: RegisteredObject, calls: string, noted = noteCustomDataChange): string {
  return `${lockObject}
IF @lock < 0 SET @outcome = IIF(@repeatedFrom IS NULL, 'locked', 'repeated');
ELSE IF @repeatedFrom <> ISNULL((SELECT version FROM dbo.tCustomDataVersions WHERE propID = @propID), 0) SET @outcome = 'repeated';
ELSE IF ISNULL((
    SELECT STRING_AGG(CAST(CONCAT(r.kind, N' ', r.identifier) AS nvarchar(max)), N' ') WITHIN GROUP (ORDER BY r.identifier)
    FROM ${registeredRows} r WHERE r.kind <> 'JSON' AND ${isSelected(of)}), N'') <> @registered
  OR (@version IS NOT NULL AND @version <> ISNULL((SELECT version FROM dbo.tCustomDataVersions WHERE propID = @propID), 0))
    SET @outcome = 'changed';
${of.identifiers === undefined ? '' : refuseBeyondLimit(of)}
ELSE
BEGIN
DELETE FROM dbo.tCustomData WHERE propID = @propID AND kind = 'JSON' AND ${isSelected(of, identifierColumn)};
INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData)
SELECT @propID, [key], 'JSON', value FROM OPENJSON(@rows);
${calls}
${noted}
SELECT @stored = version FROM dbo.tCustomDataVersions WHERE propID = @propID;
END;`;
}

const identifierColumn = `customDataIdentifier ${exact}`;

/** A body has all JSON rows; rows that are added one by one are counted. */
function refuseBeyondLimit(of: RegisteredObject): string {
  return `ELSE IF @rows <> N'{}' AND ${customDataLimits.properties} <= (
    SELECT COUNT(*) FROM dbo.tCustomData
    WHERE propID = @propID AND kind = 'JSON' AND NOT ${isSelected(of, identifierColumn)})
    SET @outcome = 'full';`;
}

/** One JSON object whose values are strings: the source texts. */
export function textsByIdentifier(rows: readonly JsonMember[]): string {
  return `{${rows.map(({ name, text }) => `${JSON.stringify(name)}:${JSON.stringify(text)}`).join(',')}}`;
}

/** The REF and REF_RO registrations in one text; the server makes the same from its rows, in the same order. */
export function signature({ registrations }: WriteSnapshot): string {
  return registrations
    .filter(({ kind }) => kind !== 'JSON')
    .map(({ kind, identifier }) => `${kind} ${identifier}`)
    .join(' ');
}

/** The error for an object that another writer keeps locked. */
export function objectBusy(): CodedError {
  return new CodedError(
    'custom-data-busy',
    'Cannot store custom data: others are writing to the same object.',
    {
      retryAfter: 1,
    },
  );
}
