/** Transactions as one batch: begin, work and commit travel together, so that they cost one round trip and no state is left on a connection. */

/**
 * Ends a transaction that custom procedures have left open: they may begin one, and fail before they end it. On a pooled
 * connection it would hold its locks and take in the changes of later requests, whose COMMIT would then commit nothing.
 */
export const endOpenTransaction = 'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;';

/** Number of the error that a change raises when it finds a transaction open on its connection, which it has rolled back then. */
export const transactionFoundOpen = 2_147_483_266;

// The change is not made at once: the server reports error 266 for a statement that ends a transaction which it has not begun.
const refuseOpenTransaction = `IF @@TRANCOUNT > 0
BEGIN
ROLLBACK TRANSACTION;
THROW ${transactionFoundOpen}, N'A transaction was open on the connection.', 1;
END;`;

/**
 * Wraps statements into a transaction that commits as a whole or not at all. An error of any severity (RAISERROR
 * in a procedure included, which alone would let the batch go on) rolls back and is raised again. Nothing is done but to raise
 * `transactionFoundOpen` when an earlier statement has left a transaction open, such as a procedure that was cut off for taking too long.
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
