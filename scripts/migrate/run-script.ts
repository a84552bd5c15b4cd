/** Runs one script: all of it and its line in the journal, or nothing. */

import { isCodedError } from '../../shared/errors.ts';
import type { Session } from '../../shared/sql/session.ts';
import { integer, rowsOf } from '../../shared/sql/values.ts';
import { batches } from './batches.ts';
import { writeJournal } from './journal.ts';
import type { Script } from './scripts.ts';

/** The options that every script begins with, independent of the one before it. */
const firstOptions = 'SET XACT_ABORT ON; SET NOCOUNT ON;';

/** Told which batch begins, from 1, and how many there are. */
type OnBatch = (batch: number, total: number) => void;

/** Work between the last batch of a script and its commit; throws to refuse what it has done. */
type Inspection = (session: Session) => Promise<void>;

export interface RunOptions {
  readonly inspect?: Inspection | undefined;
  readonly onBatch?: OnBatch | undefined;
}

/**
 * Applies a script and notes it in the journal: in one transaction, or, where it declares that it allows none, batch by batch. Throws an
 * error that names the script and the line of the batch that failed; then nothing of a script with a transaction is left.
 */
export async function runScript(
  session: Session,
  script: Script,
  { inspect = async () => undefined, onBatch = () => undefined }: RunOptions = {},
): Promise<void> {
  await session.batch(script.transaction ? `${firstOptions} BEGIN TRANSACTION;` : firstOptions);
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
    // A connection that is lost has rolled back by itself.
    await session.batch('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;').catch(() => undefined);
    throw error;
  }
}

async function runBatches(session: Session, { name, content }: Script, onBatch: OnBatch): Promise<void> {
  const all = batchesOf(name, content);
  const total = all.reduce((sum, { count }) => sum + count, 0);
  let begun = 0;
  for (const { line, text, count } of all) {
    for (let run = 1; run <= count; run++) {
      onBatch(++begun, total);
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
  const [found] = await session.batch('SELECT @@TRANCOUNT AS depth;');
  const [row] = rowsOf(found);
  if (row !== undefined && integer(row, 'depth') === 1) return;
  throw new Error(
    `Cannot apply ${name}: it begins or ends a transaction and leaves it so, but it runs in one of its own. Leave that out, or begin the script with "-- no transaction".`,
  );
}
