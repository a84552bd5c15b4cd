/** The databases: their tables and procedures, and their users. */

import { type Account, accountStatement } from '../accounts.ts';
import type { Context } from '../context.ts';
import { type DatabaseKind, type DatabaseUser, userStatements } from '../database-users.ts';
import { withIdentityEndpoint } from '../identity-endpoint.ts';
import { needOutput, type Outputs, textOutput } from '../outputs.ts';
import { unlessInterrupted } from '../retry.ts';
import { throughFirewall } from '../sql-firewall.ts';
import { connectTo, databaseToken } from '../sql-server.ts';
import { outputsOf } from '../stacks/index.ts';
import { timeLimits } from '../time-limits.ts';

/** Runs `npm run migrate` as the deployer. */
export async function migrate(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const token = await databaseToken(context);
  const { adopt } = context.options;
  const environment = { ...databaseSettings(outputs), ...(adopt ? contractSettings(outputs) : {}) };
  const run = (more: Readonly<Record<string, string>>) =>
    context.run('npm', ['run', 'migrate', ...(adopt ? ['--', '--adopt'] : [])], {
      environment: { ...environment, ...more },
      show: true,
      minutes: timeLimits.migrate,
    });
  if (context.options.dryRun) return void (await run({}));
  await throughFirewall(context, outputs, async () => {
    // A firewall or a paused database shows itself here, before the scripts start.
    const connect = (context.connect ?? connectTo)(environment.DB_SERVER);
    for (const database of [environment.DB_NAME, environment.DB_CUSTOMIZATION_NAME])
      await unlessInterrupted(
        context,
        connect(database, token, (execute) => execute('SELECT 1 AS one;')),
      );
    await withIdentityEndpoint(token, async (variables) => void (await run(variables)));
  });
}

/** The settings by which migrations find the databases. The empty client id stands for the identity endpoint's own. */
function databaseSettings(outputs: Outputs) {
  return {
    DB_SERVER: needOutput(outputs, 'DB_SERVER'),
    DB_NAME: needOutput(outputs, 'DB_NAME'),
    DB_CUSTOMIZATION_NAME: needOutput(outputs, 'DB_CUSTOMIZATION_NAME'),
    DB_TRUSTED_CONNECTION: 'true',
    DB_ENCRYPT: 'true',
    DB_TRUST_SERVER_CERTIFICATE: 'false',
    AZURE_CLIENT_ID: '',
  };
}

/** What else the contract of the databases is checked with. */
function contractSettings(outputs: Outputs) {
  return {
    SERVICE_API_USERNAME: needOutput(outputs, 'SERVICE_API_USERNAME'),
    OBJECT_TYPES: needOutput(outputs, 'OBJECT_TYPES'),
    OBJECT_METADATA: needOutput(outputs, 'OBJECT_METADATA'),
  };
}

/** Adds the service's own account, and the first user where one is named, to the main database. */
export async function addAccounts(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const { firstUser } = context.options;
  const accounts: Account[] = [{ account: needOutput(outputs, 'SERVICE_API_USERNAME'), email: undefined }];
  if (firstUser !== undefined) accounts.push({ account: firstUser, email: firstUser });
  await executeAll(context, outputs, needOutput(outputs, 'DB_NAME'), accounts.map(accountStatement));
  if (context.options.dryRun) return;
  for (const { account } of accounts) context.say(`The account ${account} is there.`);
}

/** Creates the database users of the app and, where there is one, of the pipeline, in both databases. */
export async function makeUsers(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const users = usersIn(outputs, context.options.dryRun);
  const databases: Readonly<Record<DatabaseKind, string>> = {
    main: needOutput(outputs, 'DB_NAME'),
    customization: needOutput(outputs, 'DB_CUSTOMIZATION_NAME'),
  };
  for (const [kind, database] of Object.entries(databases) as [DatabaseKind, string][]) {
    const statements = users.flatMap((user) => userStatements(user, kind));
    await executeAll(context, outputs, database, statements);
    for (const user of users) context.say(`${database}: ${user.name} may act as app_${user.rights}.`);
  }
}

/** Runs statements in a database as the deployer, in order; in a dry run prints them. */
async function executeAll(
  context: Context,
  outputs: Outputs,
  database: string,
  statements: readonly string[],
): Promise<void> {
  const token = await databaseToken(context);
  if (context.options.dryRun) return printStatements(context, database, statements);
  const connect = (context.connect ?? connectTo)(needOutput(outputs, 'DB_SERVER'));
  await throughFirewall(context, outputs, () =>
    unlessInterrupted(
      context,
      connect(database, token, async (execute) => {
        for (const statement of statements) await execute(statement);
      }),
    ),
  );
}

function usersIn(outputs: Outputs, dryRun: boolean): DatabaseUser[] {
  const user = (identity: string, rights: DatabaseUser['rights']): DatabaseUser => ({
    name: needOutput(outputs, `${identity}_IDENTITY_NAME`),
    clientId: dryRun
      ? '00000000-0000-0000-0000-000000000000'
      : needOutput(outputs, `${identity}_IDENTITY_CLIENT_ID`),
    rights,
  });
  const pipeline = textOutput(outputs, 'PIPELINE_IDENTITY_CLIENT_ID') !== '';
  return [user('RUNTIME', 'runtime'), ...(pipeline ? [user('PIPELINE', 'migration')] : [])];
}

function printStatements({ say }: Context, database: string, statements: readonly string[]): void {
  say(`-- in ${database}`);
  for (const statement of statements) say(statement);
}
