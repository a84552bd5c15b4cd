/** The one statement that stores custom data: lock, compare, replace the rows, call the procedures, commit. */

import { CodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { SqlFailure } from '../../sql/failure.ts';
import { inTransaction } from '../../sql/transaction.ts';
import { int, integer, nvarchar, rowsOf } from '../../sql/values.ts';
import { explainContract } from '../database-contract.ts';
import { jsonPointer } from './body.ts';
import type { JsonMember } from './members.ts';
import { parameterMissing, procedureErrors, raisedByProcedures } from './procedure-errors.ts';
import type { CustomDataOf } from './read.ts';
import { objectParameters, registeredRows, type WriteSnapshot } from './registrations.ts';
import { callStatements, type SetCall, setProcedure } from './set-calls.ts';

export interface Change {
  readonly rows: readonly JsonMember[];
  readonly calls: readonly SetCall[];
  /** What was read before; nothing is stored when it is no longer so. */
  readonly snapshot: WriteSnapshot;
  /** Whether the custom data must not have been replaced since. */
  readonly conditional: boolean;
}

/** Milliseconds for which a writer waits for another one of the same object. */
const lockTimeout = 5_000;

/** Stores a change as a whole. Returns the new version; undefined means that what was read before is no longer so, and that nothing was stored. */
export async function storeCustomData(
  customization: Database,
  { propID, typeID, user }: CustomDataOf,
  { rows, calls, snapshot, conditional }: Change,
): Promise<number | undefined> {
  const takesLanguage = (identifier: string) =>
    snapshot.setParameters.get(identifier)?.some(({ name }) => name.toLowerCase() === '@langid') ?? false;
  const { statements, parameters } = callStatements(calls, takesLanguage);
  const results = await customization
    .query(
      `DECLARE @lock int, @stored int, @outcome varchar(10) = 'stored';
${inTransaction(lockedStatements(statements))}
SELECT @outcome AS outcome, @stored AS version;`,
      {
        ...parameters,
        ...objectParameters({ propID, typeID }),
        usrPropID: int(user.usrPropID),
        langID: int(user.langID),
        resource: nvarchar(`custom-data:${propID}`, 255),
        version: int(conditional ? snapshot.version : null),
        registered: nvarchar(signature(snapshot)),
        rows: nvarchar(textsByIdentifier(rows)),
      },
      // After a lost connection nobody knows whether it committed. Rows may be stored twice; procedures may keep a history.
      { repeatable: calls.length === 0 && !conditional },
    )
    .catch((error: unknown) => explainFailure(error, calls));
  const [row] = rowsOf(results.at(-1));
  if (row?.['outcome'] === 'locked') throw busy();
  return row?.['outcome'] === 'stored' ? integer(row, 'version') : undefined;
}

function lockedStatements(calls: string): string {
  return `EXEC @lock = sp_getapplock @Resource = @resource, @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = ${lockTimeout};
IF @lock < 0 SET @outcome = 'locked';
ELSE IF ISNULL((
    SELECT STRING_AGG(CAST(CONCAT(r.kind, N' ', r.identifier) AS nvarchar(max)), N' ') WITHIN GROUP (ORDER BY r.identifier)
    FROM ${registeredRows} r WHERE r.kind <> 'JSON'), N'') <> @registered
  OR (@version IS NOT NULL AND @version <> ISNULL((SELECT version FROM dbo.tCustomDataVersions WHERE propID = @propID), 0))
    SET @outcome = 'changed';
ELSE
BEGIN
DELETE FROM dbo.tCustomData WHERE propID = @propID AND kind = 'JSON';
INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData)
SELECT @propID, [key], 'JSON', value FROM OPENJSON(@rows);
UPDATE dbo.tCustomDataVersions SET version = version + 1 WHERE propID = @propID;
IF @@ROWCOUNT = 0 INSERT INTO dbo.tCustomDataVersions (propID, version) VALUES (@propID, 1);
SELECT @stored = version FROM dbo.tCustomDataVersions WHERE propID = @propID;
${calls}
END;`;
}

/** One JSON object whose values are strings: the source texts. */
function textsByIdentifier(rows: readonly JsonMember[]): string {
  return `{${rows.map(({ name, text }) => `${JSON.stringify(name)}:${JSON.stringify(text)}`).join(',')}}`;
}

/** The REF and REF_RO registrations in one text; the server makes the same from its rows, in the same order. */
function signature({ registrations }: WriteSnapshot): string {
  return registrations
    .filter(({ kind }) => kind !== 'JSON')
    .map(({ kind, identifier }) => `${kind} ${identifier}`)
    .join(' ');
}

function explainFailure(error: unknown, calls: readonly SetCall[]): never {
  if (!(error instanceof SqlFailure) || calls.length === 0) return explainContract(error);
  const missing = missingProperty(error, calls);
  if (missing !== undefined)
    throw new CodedError('invalid-body', 'Cannot store custom data: a property is missing.', {
      cause: error,
      errors: [{ pointer: missing, detail: 'is missing' }],
    });
  const { number, message } = error;
  const identifier = failedIdentifier(error, calls);
  const where =
    identifier === undefined
      ? {}
      : { errors: [{ pointer: jsonPointer(identifier), detail: 'was refused by its procedure' }] };
  const options = { cause: error, facts: { number }, ...where };
  if (number >= raisedByProcedures)
    throw new CodedError('custom-data-refused', `Cannot store custom data: ${message}`, options);
  const name = identifier === undefined ? 'a custom procedure' : setProcedure(identifier);
  throw new CodedError(
    procedureErrors.get(number) ?? 'custom-data-source-failed',
    `Cannot store custom data: ${name} failed with SQL error ${number}.`,
    options,
  );
}

/** Returns the JSON pointer of the property whose parameter was not passed and has no default; undefined for other errors, those of procedures further in among them. */
function missingProperty({ number, message }: SqlFailure, calls: readonly SetCall[]): string | undefined {
  const [, property] = /'@p([^']*)'/i.exec(message) ?? [];
  if (number !== parameterMissing || property === undefined) return undefined;
  const named = message.toLowerCase();
  const failed = calls.find(
    (call) =>
      named.includes(`'${setProcedure(call.identifier).toLowerCase()}'`) &&
      !call.arguments.some(({ name }) => name.toLowerCase() === `@p${property.toLowerCase()}`),
  );
  return failed && failed.pointer + jsonPointer(property);
}

/** The identifier whose procedure raised the error. A procedure that it calls may have, which the server names instead. */
function failedIdentifier(error: SqlFailure, calls: readonly SetCall[]): string | undefined {
  const [only, ...others] = new Set(calls.map(({ identifier }) => identifier));
  const named = calls.find(({ identifier }) => error.isRaisedBy(setProcedure(identifier)))?.identifier;
  return named ?? (others.length === 0 ? only : undefined);
}

function busy(): CodedError {
  return new CodedError(
    'custom-data-busy',
    'Cannot store custom data: others are writing to the same object.',
    {
      retryAfter: 1,
    },
  );
}
