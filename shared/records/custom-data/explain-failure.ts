/** The value of a PUT that a failed procedure is about, and the error for the caller. */

import { CodedError } from '../../errors.ts';
import { SqlFailure } from '../../sql/failure.ts';
import { explainContract, missingRight } from '../database-contract.ts';
import { jsonPointer } from './body.ts';
import { parameterMissing, procedureErrors, raisedByProcedures } from './procedure-errors.ts';
import { type SetCall, setProcedure } from './set-calls.ts';

/** Throws the coded error of a failure of the statement that stores custom data; other errors as they are. */
export function explainFailure(error: unknown, calls: readonly SetCall[]): never {
  if (!(error instanceof SqlFailure) || calls.length === 0) return explainContract(error);
  const right = missingRight(error);
  const isCall = calls.some(({ identifier }) => error.isRaisedBy(setProcedure(identifier)));
  if (right !== undefined && !isCall) return explainContract(error);
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
  if (right !== undefined)
    throw new CodedError('custom-data-source-failed', `Cannot store custom data: ${right}.`, options);
  const name = identifier === undefined ? 'a custom procedure' : setProcedure(identifier);
  throw new CodedError(
    procedureErrors.get(number) ?? 'custom-data-source-failed',
    `Cannot store custom data: ${name} failed with SQL error ${number}.`,
    options,
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
  const failed = calls.find(
    (call) =>
      text.includes(`'${setProcedure(call.identifier).toLowerCase()}'`) &&
      !call.arguments.some(({ name }) => name.toLowerCase() === `@p${property.toLowerCase()}`),
  );
  return failed && failed.pointer + jsonPointer(property);
}

/** The identifier whose procedure raised the error. A procedure that it calls may have, which the server names instead. */
function failedIdentifier(error: SqlFailure, calls: readonly SetCall[]): string | undefined {
  const [only, ...more] = new Set(calls.map(({ identifier }) => identifier));
  const raisedBy = calls.find(({ identifier }) => error.isRaisedBy(setProcedure(identifier)))?.identifier;
  return raisedBy ?? (more.length === 0 ? only : undefined);
}
