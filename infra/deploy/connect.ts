/** How a step speaks to a database. */

/** Runs one batch of T-SQL. */
export type Execute = (statement: string) => Promise<void>;
/** Opens a connection, hands it over, and closes it. Throws what the driver throws. */
export type Connect = (
  database: string,
  token: string,
  work: (execute: Execute) => Promise<void>,
) => Promise<void>;
