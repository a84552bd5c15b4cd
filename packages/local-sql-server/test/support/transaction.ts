/** A transaction as SQL text, on a separate connection. */
import type sql from 'mssql';
import type { ContractServer } from './contract-server.ts';

export interface OpenTransaction {
  request(): sql.Request;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/** Begins a transaction; its connection is closed with the server. */
export async function beginTransaction(server: ContractServer): Promise<OpenTransaction> {
  const pool = await server.connect({ pool: { max: 1 } });
  await pool.request().batch('BEGIN TRANSACTION');
  return {
    request: () => pool.request(),
    commit: () => pool.request().batch('COMMIT'),
    rollback: () => pool.request().batch('ROLLBACK'),
  };
}
