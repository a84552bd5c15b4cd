/**
 * The statement that stores one identifier of many objects: a loop over them that does for each what `store.ts` does for one. Its text does
 * not grow with the objects: what they have of their own comes as tables, and calls with the same parameters are one EXEC.
 */

import { createTurns } from '../limits/turns.ts';
import { noteCustomDataChange } from '../sql/change-journal.ts';
import type { Database } from '../sql/database.ts';
import { callProcedure } from '../sql/foreign-procedures.ts';
import { beginCommit, beginStep, undoneStepOf } from '../sql/slow-statement.ts';
import { refuseOpenTransaction, transactionEnded, transactionOfCalls } from '../sql/transaction.ts';
import { int, nvarchar, type Parameters, type Row, rowsOf, type SqlParameter } from '../sql/values.ts';
import type { JsonMember } from './members.ts';
import type { CustomDataOf } from './read.ts';
import type { WriteSnapshot } from './registrations.ts';
import {
  contextArguments,
  maxValues,
  refuseLostCharacters,
  type SetCall,
  setProcedure,
  takesLanguage,
  tooManyValues,
} from './set-calls.ts';
import { lockedStatements, lockObject, signature, textsByIdentifier } from './store.ts';

/** The change of one of many objects. */
export interface ChangeOfMany {
  readonly propID: number;
  readonly rows: readonly JsonMember[];
  readonly calls: readonly SetCall[];
  /** What was read before; nothing is stored when it is no longer so. */
  readonly snapshot: WriteSnapshot;
  /** Whether the custom data must not have been replaced since. */
  readonly conditional: boolean;
}

/** Whether changes are one transaction, or one for each object. */
export type Handling = 'all' | 'each';

/** What has become of the change of one object. */
export interface OutcomeOfMany {
  /** `stored`, what `store.ts` knows, or `failed`; `undone` where another one of the transaction was not stored. */
  readonly outcome: string;
  /** The version that the change has made. */
  readonly version: number | undefined;
  /** The error of a procedure: `$number`, `$message` and `$procedure`. */
  readonly error: Row;
}

/** The steps of each object: it is waited for, then its procedure is called. */
export const stepsOfEach = { wait: 0, calls: 1 } as const;

/** What has become of changes. Of `each`, those behind the outcomes have none: the fault has ended the statement in the first of them. */
export interface StoredOfMany {
  readonly outcomes: readonly OutcomeOfMany[];
  readonly fault: unknown;
}

const outcomeColumns = ['$position', '$outcome', '$version', '$number', '$message', '$procedure'] as const;

/** A call as the tables of the statement have it. */
interface Grouped {
  /** The statements of each group of calls that differ in their values alone. */
  readonly groups: readonly string[];
  readonly calls: readonly {
    position: number;
    number: number;
    group: number;
    argument: number;
    ofObject: number;
  }[];
  /** The texts of arguments, in the order of the calls. */
  readonly values: readonly (string | null)[];
  /** Arguments that no text carries exactly: doubles and bytes. */
  readonly parameters: Parameters;
  /** Arguments of one call, at most. */
  readonly width: number;
}

/** Returns an argument as a text that the server converts exactly; undefined for doubles and bytes. */
function textOf({ type, value }: SqlParameter): string | null | undefined {
  if (type === 'float' || type === 'varbinary') return value === null ? null : undefined;
  const plain = typeof value === 'function' ? value() : value;
  return plain === null ? null : type === 'bit' ? String(Number(plain)) : String(plain);
}

/** Groups the calls of changes. Throws `too-many-values` for more doubles and bytes than a statement has parameters. */
async function grouped(changes: readonly ChangeOfMany[]): Promise<Grouped> {
  const turns = createTurns();
  const groups = new Map<string, number>();
  const calls: Grouped['calls'][number][] = [];
  const values: (string | null)[] = [];
  const parameters: Record<string, SqlParameter> = {};
  let width = 0;
  for (const [position, { calls: itsCalls, snapshot }] of changes.entries()) {
    const ofObject = values.length;
    for (const [number, call] of itsCalls.entries()) {
      const argument = values.length;
      let checks = '';
      const assignments = call.arguments.map(({ name, parameter, mayLackCharacters = false }, index) => {
        const text = textOf(parameter);
        values.push(text ?? null);
        let variable = `@a${index}`;
        if (text === undefined) {
          variable = `@t${Object.keys(parameters).length}`;
          parameters[variable.slice(1)] = parameter;
        }
        if (mayLackCharacters)
          checks += `SET @about = CONVERT(nvarchar(20), @argument - @first + ${index});\n${refuseLostCharacters(variable, '@about')}`;
        return `${name} = ${variable}`;
      });
      width = Math.max(width, call.arguments.length);
      const context = contextArguments(takesLanguage(snapshot.setParameters.get(call.identifier)));
      const statement = checks + callProcedure(setProcedure(call.identifier), [...context, ...assignments]);
      const group = groups.get(statement) ?? groups.size;
      groups.set(statement, group);
      calls.push({ position, number, group, argument, ofObject });
      await turns.next();
    }
  }
  if (Object.keys(parameters).length > maxValues) throw tooManyValues();
  return { groups: [...groups.keys()], calls, values, parameters, width };
}

function statementsOfCalls({ groups, width }: Grouped, handling: Handling): string {
  const loads = Array.from(
    { length: width },
    (_, index) => `@a${index} = (SELECT value FROM @values WHERE argument = @argument + ${index})`,
  );
  return `${handling === 'each' ? `${transactionOfCalls.begin}\n${beginStep(stepsOfEach.calls)}` : ''}
SET @call = -1;
WHILE 1 = 1
BEGIN
SET @group = NULL;
SELECT TOP (1) @call = number, @group = [group], @argument = argument, @first = ofObject
FROM @calls WHERE position = @position AND number > @call ORDER BY number;
IF @group IS NULL BREAK;
${loads.length === 0 ? '' : `SELECT ${loads.join(', ')};`}
${groups.map((statement, index) => `IF @group = ${index}\nBEGIN\n${statement}\nEND;`).join('\n')}
IF CURRENT_TRANSACTION_ID() <> @transaction
BEGIN
SET @about = CONVERT(nvarchar(20), @call);
THROW ${transactionEnded}, @about, 1;
END;
END;
${handling === 'each' ? 'DROP TABLE #transaction;' : ''}`;
}

const declarations = (width: number) => `SET NOCOUNT ON;
SET XACT_ABORT ON;
${refuseOpenTransaction}
${transactionOfCalls.declare}
DECLARE @lock int, @stored int, @outcome varchar(10), @number int, @message nvarchar(4000), @procedure nvarchar(128), @about nvarchar(20),
    @position int = -1, @next int, @call int, @group int, @argument int, @first int,
    @propID int, @resource nvarchar(255), @version int, @registered nvarchar(max), @rows nvarchar(max)${Array.from({ length: width }, (_, index) => `, @a${index} nvarchar(max)`).join('')};
DECLARE @objects TABLE (position int NOT NULL PRIMARY KEY, propID int NOT NULL, version int NULL, registered nvarchar(max) NOT NULL,
    [rows] nvarchar(max) NOT NULL, outcome varchar(10) NULL, stored int NULL, number int NULL, message nvarchar(4000) NULL, [procedure] nvarchar(128) NULL);
DECLARE @calls TABLE (position int NOT NULL, number int NOT NULL, [group] int NOT NULL, argument int NOT NULL, ofObject int NOT NULL,
    PRIMARY KEY (position, number));
DECLARE @values TABLE (argument int NOT NULL PRIMARY KEY, value nvarchar(max) NULL);
INSERT INTO @objects (position, propID, version, registered, [rows])
SELECT position, propID, version, registered, [rows]
FROM OPENJSON(@changes) WITH (position int, propID int, version int, registered nvarchar(max), [rows] nvarchar(max));
INSERT INTO @calls (position, number, [group], argument, ofObject)
SELECT position, number, [group], argument, ofObject
FROM OPENJSON(@callsOfAll) WITH (position int, number int, [group] int, argument int, ofObject int);
INSERT INTO @values (argument, value) SELECT CAST([key] AS int), value FROM OPENJSON(@valuesOfAll);`;

/** Takes the next object; the loop ends where there is none. */
const nextObject = `SET @next = NULL;
SELECT TOP (1) @next = position, @propID = propID, @version = version, @registered = registered, @rows = [rows]
FROM @objects WHERE position > @position ORDER BY position;
IF @next IS NULL BREAK;
SELECT @position = @next, @resource = CONCAT(N'custom-data:', @propID), @outcome = 'stored', @stored = NULL;`;

const noteOutcome = `UPDATE @objects SET outcome = @outcome, stored = @stored, number = @number, message = @message, [procedure] = @procedure
WHERE position = @position;`;

const selectOutcome = `SELECT position AS [$position], outcome AS [$outcome], stored AS [$version], number AS [$number], message AS [$message], [procedure] AS [$procedure]
FROM @objects`;

const noteError = `SELECT @number = ERROR_NUMBER(), @message = ERROR_MESSAGE(), @procedure = ERROR_PROCEDURE(), @stored = NULL,
    @outcome = CASE WHEN @isCommitted = 1 THEN 'committed' ELSE 'failed' END;`;

const forgetTransaction = `IF OBJECT_ID(N'tempdb..#transaction') IS NOT NULL DROP TABLE #transaction;`;

/** A transaction for each object: one that is not stored does not keep the others from it. */
function eachAlone(locked: string): string {
  return `WHILE 1 = 1
BEGIN
${nextObject}
SELECT @number = NULL, @message = NULL, @procedure = NULL, @isEnded = 0, @isCommitted = 0, @transaction = NULL;
${beginStep(stepsOfEach.wait)}
BEGIN TRY
BEGIN TRANSACTION;
${locked}
${beginCommit}
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
${transactionOfCalls.end}
${noteError}
${forgetTransaction}
IF @isCommitted = 1
BEGIN
BEGIN TRANSACTION;
${noteCustomDataChange}
COMMIT TRANSACTION;
END;
END CATCH;
${noteOutcome}
${selectOutcome} WHERE position = @position;
-- What has become of it is told before the next one, which may take too long.
RAISERROR(N'', 0, 1) WITH NOWAIT;
END;`;
}

/** Notes the changes of the objects up to `@last`: they come last, since the row that counts stays locked until the commit. */
const noteAll = `SET @position = -1;
WHILE 1 = 1
BEGIN
${nextObject}
IF @position > @last BREAK;
${noteCustomDataChange}
SELECT @stored = version FROM dbo.tCustomDataVersions WHERE propID = @propID;
UPDATE @objects SET stored = @stored WHERE position = @position;
END;`;

/** Locks all objects before the first is written: a writer of one, which waits for what this transaction has written, would keep its lock. */
const lockAll = `WHILE 1 = 1
BEGIN
${nextObject}
${lockObject}
IF @lock < 0
BEGIN
SET @outcome = 'locked';
${noteOutcome}
BREAK;
END;
END;`;

/** One transaction for all objects, up to the first that is not stored. Other errors than those of an object are raised. */
function allTogether(locked: string): string {
  return `DECLARE @last int = 2147483647;
BEGIN TRY
BEGIN TRANSACTION;
${lockAll}
IF @outcome = 'stored'
BEGIN
${transactionOfCalls.begin}
${beginStep(0)}
SET @position = -1;
WHILE 1 = 1
BEGIN
${nextObject}
${locked}
${noteOutcome}
IF @outcome <> 'stored' BREAK;
END;
END;
IF @outcome = 'stored'
BEGIN
${noteAll}
DROP TABLE #transaction;
${beginCommit}
COMMIT TRANSACTION;
END
ELSE ROLLBACK TRANSACTION;
END TRY
BEGIN CATCH
${transactionOfCalls.end}
${noteError}
${noteOutcome}
IF @isCommitted = 1
BEGIN
SET @last = @position;
BEGIN TRANSACTION;
${noteAll}
COMMIT TRANSACTION;
END;
END CATCH;`;
}

/**
 * Stores changes of one identifier, in the order of the list, and returns what has become of each. `of` has the identifier and the type, and
 * any propID. Throws what the database has failed of before the first outcome.
 */
export async function storeMany(
  customization: Database,
  of: Omit<CustomDataOf, 'propID'>,
  changes: readonly ChangeOfMany[],
  handling: Handling,
): Promise<StoredOfMany> {
  const calls = await grouped(changes);
  const ofAny = { ...of, propID: 0 };
  const hasCalls = calls.calls.length > 0;
  const statements = hasCalls ? statementsOfCalls(calls, handling) : '';
  const loop =
    handling === 'each'
      ? eachAlone(lockedStatements(ofAny, statements))
      : allTogether(lockedStatements(ofAny, statements, ''));
  let fault: unknown;
  const query = customization.query(
    `${declarations(calls.width)}
${loop}
${handling === 'each' ? '' : `${selectOutcome} ORDER BY position;`}`,
    {
      ...calls.parameters,
      typeID: int(of.typeID ?? null),
      identifiers: nvarchar(JSON.stringify(of.identifiers)),
      usrPropID: int(of.user.usrPropID),
      langID: int(of.user.langID),
      // A version of a change that is sent again: these are not.
      repeatedFrom: int(null),
      changes: nvarchar(() => JSON.stringify(changes.map(toObject))),
      callsOfAll: nvarchar(() => JSON.stringify(calls.calls)),
      valuesOfAll: nvarchar(() => JSON.stringify(calls.values)),
    },
    {
      name: 'store custom data of many',
      repeatable: false,
      outcome: outcomeColumns,
      ...(handling === 'each' ? { onRest: (error: unknown) => (fault = error) } : {}),
    },
  );
  const results = await query.catch((error: unknown) => {
    // It was ended in the first of them.
    if (handling === 'all' || undoneStepOf(error) === undefined) throw error;
    fault = error;
    return [];
  });
  const outcomes = rowsOf(results[0]).map(toOutcome);
  if (handling === 'each') return { outcomes, fault };
  return { outcomes: changes.map((_, position) => outcomes[position] ?? toOutcome({})), fault };
}

function toObject({ propID, rows, snapshot, conditional }: ChangeOfMany, position: number) {
  return {
    position,
    propID,
    version: conditional ? snapshot.version : null,
    registered: signature(snapshot),
    rows: textsByIdentifier(rows),
  };
}

function toOutcome({ $outcome: outcome, $version: version, ...error }: Row): OutcomeOfMany {
  return {
    outcome: typeof outcome === 'string' ? outcome : 'undone',
    version: typeof version === 'number' ? version : undefined,
    error,
  };
}
