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

/**
 * Wraps statements into a transaction that commits as a whole or not at all. An error of any severity rolls back and is raised again, also
 * RAISERROR in a procedure, after which the batch would continue.
 */
export function inTransaction(statements: string): string {
  return `SET NOCOUNT ON;
SET XACT_ABORT ON;
${refuseOpenTransaction}
BEGIN TRY
BEGIN TRANSACTION;
${statements}
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
${endOpenTransaction}
THROW;
END CATCH;`;
}

/** Quotes a name as QUOTENAME does. Only for names that come from the catalog. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}
