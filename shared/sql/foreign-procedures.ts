/**
 * Calls of procedures that are not ours: those of custom data, and those of the product. They may leave anything in their session: locks,
 * its context, a transaction. `callProcedure` is the only way to write such a call, and a statement that has one is known by it: its connection
 * is reset before it is lent out again.
 */

import { SqlFailure } from './failure.ts';
import { quoteName } from './transaction.ts';

/** How each call begins, and nothing else that we send. */
const callStart = 'EXEC dbo.';

/** Returns the statement that calls a procedure of the schema dbo; `parameters` are its arguments as T-SQL. */
export function callProcedure(name: string, parameters: readonly string[]): string {
  return `${callStart}${quoteName(name)} ${parameters.join(', ')};`;
}

/** Checks whether a statement calls such a procedure. */
export function callsProcedures(sql: string): boolean {
  return sql.includes(callStart);
}

/**
 * Has a procedure called for all items by one statement; where that fails, by one for each item, up to the first that fails. What a call
 * leaves in the session, such as a read-only key of its context, may be what the next call fails of.
 */
export async function callForAll<Item, Result>(
  items: readonly Item[],
  call: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  try {
    return await call(items);
  } catch (error) {
    if (!(error instanceof SqlFailure) || items.length < 2) throw error;
    const results: Result[] = [];
    for (const item of items) results.push(...(await call([item])));
    return results;
  }
}
