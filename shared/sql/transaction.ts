/** Transactions as one batch: begin, work and commit travel together, so that they cost one round trip and no state is left on a connection. */

/**
 * Wraps statements into a transaction that commits as a whole or not at all. An error of any severity (RAISERROR
 * in a procedure included, which alone would let the batch go on) rolls back and is raised again.
 */
export function inTransaction(statements: string): string {
  return `SET NOCOUNT ON;
SET XACT_ABORT ON;
BEGIN TRY
BEGIN TRANSACTION;
${statements}
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;
THROW;
END CATCH;`;
}

/** Quotes a name as QUOTENAME does. Only for names that come from the catalog. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}
