/** The value of a PUT that a failed procedure is about, and the error for the caller. */

import type { ErrorCode } from '../errors/codes.ts';
import { CodedError } from '../errors.ts';
import { explainContract, missingRight } from '../sql/database-contract.ts';
import { SqlFailure } from '../sql/failure.ts';
import { type StatementTimeout, sourceTimeout, timeoutOf } from '../sql/slow-statement.ts';
import { transactionEnded } from '../sql/transaction.ts';
import { jsonPointer } from './body.ts';
import { lacksCharacters, type SetCall, setProcedure } from './set-calls.ts';
import { forbiddenByProcedures } from './sources/reference.ts';

/** Throws the coded error of a failure of the statement that stores custom data; other errors as they are. */
export function explainFailure(error: unknown, calls: readonly SetCall[]): never {
  const timeout = timeoutOf(error);
  const slow = timeout?.step === undefined ? undefined : calls[timeout.step];
  if (timeout !== undefined && slow !== undefined) throw slowProcedure(timeout, slow);
  if (!(error instanceof SqlFailure)) throw error;
  if (calls.length === 0) return explainFailureOfRows(error);
  const right = missingRight(error);
  const isCall = calls.some(({ identifier }) => error.isRaisedBy(setProcedure(identifier)));
  if (right !== undefined && !isCall) return explainContract(error);
  const missingName = missingProperty(error, calls);
  if (missingName !== undefined)
    throw new CodedError('invalid-body', 'Cannot store custom data: a property is missing.', {
      cause: error,
      errors: [{ pointer: missingName, detail: 'is missing' }],
    });
  const { number, message } = error;
  const lost =
    number === lacksCharacters ? calls.flatMap((call) => call.arguments)[Number(message)] : undefined;
  if (lost !== undefined)
    throw new CodedError('invalid-body', 'Cannot store custom data: some values are not valid.', {
      cause: error,
      errors: [
        {
          pointer: lost.pointer,
          detail:
            'has characters that its parameter, a varchar of the code page of the database, cannot hold',
        },
      ],
    });
  const ending = number === transactionEnded ? calls[Number(message)]?.identifier : undefined;
  if (ending !== undefined)
    throw new CodedError(
      'custom-data-source-failed',
      `Cannot store custom data: ${setProcedure(ending)} has ended the transaction of its caller, and begun another.`,
      {
        cause: error,
        errors: [{ pointer: jsonPointer(ending), detail: 'was rejected by its procedure' }],
        facts: { number, identifier: ending },
        hint: 'Let it end the transactions alone that it has begun: no ROLLBACK or COMMIT beyond those.',
      },
    );
  const identifier = failedIdentifier(error, calls);
  const place =
    identifier === undefined
      ? {}
      : { errors: [{ pointer: jsonPointer(identifier), detail: 'was rejected by its procedure' }] };
  const options = { cause: error, facts: { number }, ...place };
  if (number === forbiddenByProcedures)
    throw new CodedError('custom-data-forbidden', `Cannot store custom data: ${message}`, options);
  if (number >= raisedByProcedures)
    throw new CodedError('custom-data-refused', `Cannot store custom data: ${message}`, options);
  if (right !== undefined)
    throw new CodedError('custom-data-source-failed', `Cannot store custom data: ${right}.`, options);
  const name = identifier === undefined ? 'a custom procedure' : setProcedure(identifier);
  throw new CodedError(
    procedureErrors.get(number) ?? 'custom-data-source-failed',
    `Cannot store custom data: ${name} failed with SQL error ${number}.`,
    options,
  );
}

/** The error for a procedure that took too long, and was ended before the COMMIT. */
export function slowProcedure(timeout: StatementTimeout, { identifier }: SetCall): CodedError {
  return sourceTimeout(
    timeout,
    {
      action: 'store custom data',
      name: `the procedure ${setProcedure(identifier)}`,
      outcome: ' Nothing was stored.',
    },
    { facts: { identifier } },
  );
}

const duplicateKeys = new Set([2601, 2627]);

/** The table of an existing product may have a collation in which two identifiers are one key. */
function explainFailureOfRows(error: SqlFailure): never {
  if (!duplicateKeys.has(error.number)) return explainContract(error);
  throw new CodedError(
    'custom-data-conflict',
    'Cannot store custom data: two identifiers are equal in the collation of the database.',
    { cause: error, facts: { number: error.number } },
  );
}

/**
 * Returns the JSON pointer of the property whose parameter was not passed and has no default; undefined for other errors, such as those of
 * nested procedures.
 */
function missingProperty({ number, message }: SqlFailure, calls: readonly SetCall[]): string | undefined {
  const [, property] = /'@p([^']*)'/i.exec(message) ?? [];
  if (number !== parameterMissing || property === undefined) return undefined;
  const text = message.toLowerCase();
  const failedCall = calls.find(
    (call) =>
      text.includes(`'${setProcedure(call.identifier).toLowerCase()}'`) &&
      !call.arguments.some(({ name }) => name.toLowerCase() === `@p${property.toLowerCase()}`),
  );
  return failedCall && failedCall.pointer + jsonPointer(property);
}

/** The identifier whose procedure raised the error. A procedure that it calls may have, which the server names instead. */
function failedIdentifier(error: SqlFailure, calls: readonly SetCall[]): string | undefined {
  const [only, ...more] = new Set(calls.map(({ identifier }) => identifier));
  const raisedBy = calls.find(({ identifier }) => error.isRaisedBy(setProcedure(identifier)))?.identifier;
  return raisedBy ?? (more.length === 0 ? only : undefined);
}

/** Numbers from here on are raised by procedures themselves, with a message for the caller. */
export const raisedByProcedures = 50_000;

/** A parameter without a default was not passed. */
export const parameterMissing = 201;

const meanings = {
  /** A constraint, a unique index or a primary key refuses the change. */
  'custom-data-conflict': [547, 2601, 2627],
  /** A value does not fit where the procedure puts it: it is too large or too long, has another form, or may not be NULL. */
  'custom-data-value': [
    220, 232, 234, 235, 236, 237, 238, 241, 242, 244, 245, 248, 289, 293, 294, 295, 296, 298, 515, 517, 535,
    536, 537, 1007, 2628, 3606, 8023, 8114, 8115, 8152, 8169, 8170, 9402, 9410, 9411, 9420, 9421, 9422, 9437,
    9438, 9441, 9444, 9448, 9455, 9803, 9807, 13608, 13609, 13623, 13624,
  ],
} as const satisfies Partial<Record<ErrorCode, readonly number[]>>;

/** The code of an error by its number; others are faults of the procedure. */
export const procedureErrors: ReadonlyMap<number, keyof typeof meanings> = new Map(
  Object.entries(meanings).flatMap(([code, numbers]) =>
    numbers.map((number) => [number, code as keyof typeof meanings] as const),
  ),
);
