/** The one statement that stores custom data: lock, compare, replace the rows, call the procedures, commit. */

import type { ErrorCode } from '../../errors/codes.ts';
import { CodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { SqlFailure } from '../../sql/failure.ts';
import { inTransaction } from '../../sql/transaction.ts';
import { int, nvarchar, rowsOf } from '../../sql/values.ts';
import { explainContract } from '../database-contract.ts';
import { jsonPointer } from './body.ts';
import type { JsonMember } from './members.ts';
import type { CustomDataOf } from './read.ts';
import type { WriteSnapshot } from './registrations.ts';
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

/** Columns of an existing product may have any collation, and two of them two. */
const exact = 'Latin1_General_BIN2';

/** Stores a change as a whole. `changed` means that what was read before is no longer so, and that nothing was stored. */
export async function storeCustomData(
  customization: Database,
  { propID, user }: CustomDataOf,
  { rows, calls, snapshot, conditional }: Change,
): Promise<'stored' | 'changed'> {
  const takesLanguage = (identifier: string) =>
    snapshot.setParameters.get(identifier)?.some(({ name }) => name.toLowerCase() === '@langid') ?? false;
  const { statements, parameters } = callStatements(calls, takesLanguage);
  const results = await customization
    .query(
      `DECLARE @lock int, @outcome varchar(10) = 'stored';
${inTransaction(lockedStatements(statements))}
SELECT @outcome AS outcome;`,
      {
        ...parameters,
        propID: int(propID),
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
  const outcome = rowsOf(results.at(-1))[0]?.['outcome'];
  if (outcome === 'locked') throw busy();
  return outcome === 'stored' ? 'stored' : 'changed';
}

function lockedStatements(calls: string): string {
  return `EXEC @lock = sp_getapplock @Resource = @resource, @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = ${lockTimeout};
IF @lock < 0 SET @outcome = 'locked';
ELSE IF ISNULL((
    SELECT STRING_AGG(CAST(CONCAT(kind COLLATE ${exact}, N' ', customDataIdentifier COLLATE ${exact}) AS nvarchar(max)), N' ')
      WITHIN GROUP (ORDER BY customDataIdentifier COLLATE ${exact})
    FROM dbo.tCustomData WHERE propID = @propID AND kind <> 'JSON'), N'') <> @registered
  OR (@version IS NOT NULL AND @version <> ISNULL((SELECT version FROM dbo.tCustomDataVersions WHERE propID = @propID), 0))
    SET @outcome = 'changed';
ELSE
BEGIN
DELETE FROM dbo.tCustomData WHERE propID = @propID AND kind = 'JSON';
INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData)
SELECT @propID, [key], 'JSON', value FROM OPENJSON(@rows);
UPDATE dbo.tCustomDataVersions SET version = version + 1 WHERE propID = @propID;
IF @@ROWCOUNT = 0 INSERT INTO dbo.tCustomDataVersions (propID, version) VALUES (@propID, 1);
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

/** What SQL Server's errors mean when a custom procedure raised them. */
const procedureErrors = [
  ['custom-data-conflict', [547, 2601, 2627]],
  ['custom-data-value', [220, 241, 242, 245, 295, 515, 8114, 8115, 8152, 2628]],
] as const satisfies readonly (readonly [code: ErrorCode, numbers: readonly number[]])[];

const raisedByProcedures = 50_000;

function explainFailure(error: unknown, calls: readonly SetCall[]): never {
  if (!(error instanceof SqlFailure) || calls.length === 0) return explainContract(error);
  const { number, message } = error;
  const identifier = failedIdentifier(error, calls);
  const where =
    identifier === undefined
      ? {}
      : { errors: [{ pointer: jsonPointer(identifier), detail: 'was refused by its procedure' }] };
  const options = { cause: error, facts: { number }, ...where };
  if (number >= raisedByProcedures)
    throw new CodedError('custom-data-refused', `Cannot store custom data: ${message}`, options);
  const [code] = procedureErrors.find(([, numbers]) => (numbers as readonly number[]).includes(number)) ?? [
    'custom-data-source-failed' as const,
  ];
  const name = identifier === undefined ? 'a custom procedure' : setProcedure(identifier);
  throw new CodedError(code, `Cannot store custom data: ${name} failed with SQL error ${number}.`, options);
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
