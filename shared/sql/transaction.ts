/** Transactions as one batch: begin, work and commit travel together, so that they cost one round trip and no state is left on a connection. */

/**
 * Ends a transaction that custom procedures have left open: they may begin one, and fail before they end it. On a pooled
 * connection it would hold its locks and take in the changes of later requests, whose COMMIT would then commit nothing.
 */
export const endOpenTransaction = 'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;';

/** Number of the error that `refuseOpenTransaction` raises. */
export const transactionFoundOpen = 2_147_483_266;

/**
 * Begins statements that must not be part of an open transaction that an earlier statement left, such as a procedure that was cancelled.
 * Rolls it back and raises `transactionFoundOpen`. Then the statements are sent again, since the server reports error 266 for a call that
 * ends a transaction which it has not begun.
 */
export const refuseOpenTransaction = `IF @@TRANCOUNT > 0
BEGIN
ROLLBACK TRANSACTION;
THROW ${transactionFoundOpen}, N'A transaction was open on the connection.', 1;
END;`;

/** What becomes of an error in a transaction. */
const rollBackAndRaise = `${endOpenTransaction}
THROW;`;

/**
 * Wraps statements into a transaction that commits as a whole or not at all. An error of any severity goes to `onError`, which rolls back
 * and raises it again by default, also RAISERROR in a procedure, after which the batch would continue.
 */
export function inTransaction(statements: string, onError = rollBackAndRaise): string {
  return `SET NOCOUNT ON;
SET XACT_ABORT ON;
${refuseOpenTransaction}
BEGIN TRY
BEGIN TRANSACTION;
${statements}
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
${onError}
END CATCH;`;
}

/** Number of the error whose message is the index of a procedure's call that has ended the transaction of its caller, and begun another. */
export const transactionEnded = 2_147_483_264;

/** What remains of a transaction that it committed: a rollback takes it away. */
const mark = '#transaction';

/**
 * Statements around calls of procedures that are not ours, inside a transaction. A procedure may end it and begin another: then nobody else
 * notices, and what was done before is stored alone, or not at all.
 */
export const transactionOfCalls = {
  /** Declares what the others use. Once per batch. */
  declare: 'DECLARE @transaction bigint, @isEnded bit = 0, @isCommitted bit = 0;',
  /** Comes before the first call. */
  begin: `CREATE TABLE ${mark} (id int);
SET @transaction = CURRENT_TRANSACTION_ID();`,
  /** Returns what comes behind a call: it raises `transactionEnded` where the transaction is another one. */
  checkAfter: (call: number) =>
    `IF CURRENT_TRANSACTION_ID() <> @transaction THROW ${transactionEnded}, N'${call}', 1;`,
  /** Begins what is done about an error: rolls back, and finds out whether a procedure has ended the transaction, and has committed it. */
  end: `IF CURRENT_TRANSACTION_ID() <> @transaction SET @isEnded = 1;
${endOpenTransaction}
IF @isEnded = 1 AND OBJECT_ID(N'tempdb..${mark}') IS NOT NULL SET @isCommitted = 1;`,
} as const;

/** Quotes a name as QUOTENAME does. Only for names that come from the catalog. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}
