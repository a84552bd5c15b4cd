/** Connections to the SQL server as the deployer, through a firewall rule that lasts as long as the step. */

import { type Context, ToolFailure } from './context.ts';
import { needOutput, type Outputs } from './outputs.ts';
import { retry } from './retry.ts';

/** Runs one batch of T-SQL. */
export type Execute = (statement: string) => Promise<void>;
/** Opens a connection, hands it over, and closes it. Throws what the driver throws. */
export type Connect = (
  database: string,
  token: string,
  work: (execute: Execute) => Promise<void>,
) => Promise<void>;

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

/** The address in the message of error 40615: a client that the firewall does not know. Undefined for other errors. */
export function refusedAddress(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, address] = /IP address '([\d.]+)' is not allowed/.exec(error.message) ?? [];
  return address ?? refusedAddress(error.cause);
}

/** Waking up, overloaded or moving: numbers and messages that pass by themselves. */
const passing =
  /\b(40613|40197|40501|49918|49919|49920)\b|not currently available|Failed to connect|ETIMEOUT/;
const isPassing = (error: unknown) =>
  error instanceof Error && !(error instanceof ToolFailure) && passing.test(error.message);

/**
 * Does work on the server. When the firewall refuses this machine, opens it for the one address and closes it again
 * afterwards, whatever happens.
 */
export async function throughFirewall(
  context: Context,
  outputs: Outputs,
  work: () => Promise<void>,
): Promise<void> {
  const patiently = () => retry(context, 'database', work, isPassing);
  try {
    await patiently();
  } catch (error) {
    const address = refusedAddress(error);
    if (address === undefined) throw error;
    await withRule(context, outputs, address, () =>
      retry(context, 'firewall', work, (again) => isPassing(again) || refusedAddress(again) !== undefined),
    );
  }
}

async function withRule(
  { run }: Context,
  outputs: Outputs,
  address: string,
  work: () => Promise<void>,
): Promise<void> {
  const place = [
    ...['--resource-group', needOutput(outputs, 'AZURE_RESOURCE_GROUP')],
    ...['--server', needOutput(outputs, 'SQL_SERVER_NAME')],
    ...['--name', `deploy-${address.replaceAll('.', '-')}`],
  ];
  const rule = (action: string, ...rest: string[]) =>
    run('az', ['sql', 'server', 'firewall-rule', action, ...place, ...rest]);
  await rule('create', '--start-ip-address', address, '--end-ip-address', address, '--output', 'none');
  try {
    await work();
  } finally {
    await rule('delete');
  }
}
