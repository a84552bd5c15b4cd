/** Runs a script and writes its journal entry in one transaction. */

import { isCodedError } from '../../shared/errors.ts';
import { integer, rowsOf } from '../../shared/sql/values.ts';
import type { Session } from '../sql/session.ts';
import { batches } from './batches.ts';
import { writeJournal } from './journal.ts';
import type { Script } from './scripts.ts';

/** Session options at the beginning of every script, independent of the previous script. */
const sessionOptions = 'SET XACT_ABORT ON; SET NOCOUNT ON;';

/** Receives the number of the batch that begins, from 1, and the number of batches. */
type OnBatch = (batch: number, total: number) => void;

/** A check between the last batch of a script and its commit; throws to roll the script back. */
type Inspection = (session: Session) => Promise<void>;

export interface RunOptions {
  readonly inspect?: Inspection | undefined;
  readonly onBatch?: OnBatch | undefined;
}

/**
 * Applies a script and records it in the journal, in one transaction or, for a script with "no transaction", batch by batch. Throws an
 * Error that names the script and the line of the failed batch, after a rollback of the transaction.
 */
export async function runScript(
  session: Session,
  script: Script,
  { inspect = async () => undefined, onBatch = () => undefined }: RunOptions = {},
): Promise<void> {
  await session.batch(script.transaction ? `${sessionOptions} BEGIN TRANSACTION;` : sessionOptions);
  if (!script.transaction) {
    await runBatches(session, script, onBatch);
    await inspect(session);
    return writeJournal(session, script);
  }
  try {
    await runBatches(session, script, onBatch);
    await mustBeInTransaction(session, script);
    await inspect(session);
    await writeJournal(session, script);
    await session.batch('COMMIT TRANSACTION;');
  } catch (error) {
    // The server has rolled back the transaction of a lost connection.
    await session.batch('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;').catch(() => undefined);
    throw error;
  }
}

async function runBatches(session: Session, { name, content }: Script, onBatch: OnBatch): Promise<void> {
  const scriptBatches = batchesOf(name, content);
  const total = scriptBatches.reduce((sum, { count }) => sum + count, 0);
  let number = 0;
  for (const { line, text, count } of scriptBatches) {
    for (let run = 1; run <= count; run++) {
      onBatch(++number, total);
      await session.batch(text).catch((cause: unknown) => {
        throw new Error(
          `Cannot apply ${name}: the batch that starts in line ${line} failed${isCodedError(cause) ? '; run the migration again' : ''}`,
          { cause },
        );
      });
    }
  }
}

function batchesOf(name: string, content: string) {
  try {
    return batches(content);
  } catch (cause) {
    throw new Error(`Cannot apply ${name}`, { cause });
  }
}

async function mustBeInTransaction(session: Session, { name }: Script): Promise<void> {
  const [result] = await session.batch('SELECT @@TRANCOUNT AS depth;');
  const [row] = rowsOf(result);
  if (row !== undefined && integer(row, 'depth') === 1) return;
  throw new Error(
    `Cannot apply ${name}: it begins or ends a transaction, but the migration runs it in a transaction. Leave that out, or begin the script with "-- no transaction".`,
  );
}
