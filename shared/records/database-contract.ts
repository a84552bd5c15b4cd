/** What is missing in a database that does not fulfil the contract of infra/database, said in words. */

import { CodedError } from '../errors.ts';
import { SqlFailure } from '../sql/failure.ts';

/** What each error means; of its message, the parts in quotes. */
const meanings: Readonly<Record<number, (quoted: readonly string[], message: string) => string>> = {
  207: ([column]) => `a column ${column} is missing`,
  208: ([object]) => `${object} is missing`,
  229: ([object], message) => `the right to ${firstWord(message)} ${object} is missing`,
  230: ([column, object], message) =>
    `the right to ${firstWord(message)} the column ${column} of ${object} is missing`,
};

/** Throws `database-contract` for an object, a column or a right that a statement of the service has missed, and other errors as they are. */
export function explainContract(error: unknown): never {
  if (!(error instanceof SqlFailure) || error.procedure !== undefined) throw error;
  const meaning = meanings[error.number]?.(
    [...error.message.matchAll(/'([^']*)'/g)].map(([, name = '']) => name),
    error.message,
  );
  if (meaning === undefined) throw error;
  throw new CodedError('database-contract', `Cannot use the database: ${meaning}.`, {
    cause: error,
    facts: { number: error.number },
    hint: '"npm run migrate -- --contract" lists what the service needs of its databases.',
  });
}

/** The right in "The SELECT permission was denied on the object ...". */
function firstWord(message: string): string {
  return /^The (\w+) permission/.exec(message)?.[1] ?? 'use';
}
