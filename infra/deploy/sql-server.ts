/** Connections to the SQL server as the deployer. */

import type { Connect } from './connect.ts';
import type { Context } from './context.ts';

const resource = 'https://database.windows.net/';

/** Connects through `mssql`, with the deployer's token. A paused database takes about a minute to wake up. Azure SQL has port 1433 and wants encryption. */
export function connectTo(server: string, { port = 1433, encrypt = true } = {}): Connect {
  return async (database, token, work) => {
    // On first use: most steps need no database, and the driver takes a while to load.
    const { default: sql } = await import('mssql');
    const pool = new sql.ConnectionPool({
      server,
      port,
      database,
      authentication: { type: 'azure-active-directory-access-token', options: { token } },
      options: { encrypt, connectTimeout: 60_000 },
      requestTimeout: 120_000,
    });
    await pool.connect();
    try {
      await work(async (statement) => {
        await pool.request().batch(statement);
      });
    } finally {
      await pool.close();
    }
  };
}

/** The deployer's token for the databases. */
export async function databaseToken({ run }: Context): Promise<string> {
  const token = await run(
    'az',
    ['account', 'get-access-token', '--resource', resource, '--query', 'accessToken', '--output', 'tsv'],
    { quiet: true },
  );
  return token.trim();
}
