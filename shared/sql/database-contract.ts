/** What is missing in a database that does not fulfil the contract of infra/database, said in words. */

import { CodedError } from '../errors.ts';
import { SqlFailure } from './failure.ts';

/** What each error means; of its message, the parts in quotes. */
const meanings: Readonly<Record<number, (quoted: readonly string[], message: string) => string>> = {
  207: ([column]) => `a column ${column} is missing`,
  208: ([object]) => `${object} is missing`,
  229: ([object], message) => `the right to ${firstWord(message)} ${object} is missing`,
  230: ([column, object], message) =>
    `the right to ${firstWord(message)} the column ${column} of ${object} is missing`,
};

const rightMissing = new Set([229, 230]);

/** Throws `database-contract` for an object, a column or a right that a statement of the service has missed, and other errors as they are. */
export function explainContract(error: unknown): never {
  const meaning = error instanceof SqlFailure ? missingPart(error) : undefined;
  if (!(error instanceof SqlFailure) || meaning === undefined) throw error;
  throw contractBroken(meaning, { cause: error, facts: { number: error.number } });
}

/** Returns which right the service lacks to use what a failed statement names, as part of a sentence; undefined for other failures. */
export function missingRight(error: SqlFailure): string | undefined {
  return rightMissing.has(error.number) ? missingPart(error) : undefined;
}

/** Creates the error of a database that lacks something. */
export function contractBroken(
  meaning: string,
  options: { readonly cause?: unknown; readonly facts: { readonly number: number } },
): CodedError {
  return new CodedError('database-contract', `Cannot use the database: ${meaning}.`, {
    ...options,
    hint: '"npm run migrate -- --contract" lists what the service needs of its databases.',
  });
}

/** What a statement of the service has missed; undefined for errors inside of procedures, but for the right to call one. */
function missingPart(error: SqlFailure): string | undefined {
  const quotedNames = [...error.message.matchAll(/'([^']*)'/g)].map(([, name = '']) => name);
  const isOurs = error.procedure === undefined || isCallRefused(error, quotedNames[0]);
  return isOurs && quotedNames.length > 0 ? meanings[error.number]?.(quotedNames, error.message) : undefined;
}

/** The server names the procedure itself as the place of the error when the right to call it is missing. */
function isCallRefused(error: SqlFailure, object = ''): boolean {
  return error.number === 229 && firstWord(error.message) === 'EXECUTE' && error.isRaisedBy(object);
}

/** The right in "The SELECT permission was denied on the object ...". */
function firstWord(message: string): string {
  return /^The (\w+) permission/.exec(message)?.[1] ?? 'use';
}
