/** Texts that SQLite can store: in UTF-8 there is no half of a surrogate pair. */

import { sqlError } from '../../tsql/sql-error.ts';

/** Returns a value. Throws 40517 for a text with half of a surrogate pair, of which SQLite would make another character. */
export function wholeText<Value>(value: Value): Value {
  if (typeof value === 'string' && !value.isWellFormed())
    throw sqlError(40517, 'half of a surrogate pair', 1, 1);
  return value;
}
