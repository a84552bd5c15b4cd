/** `npm run migrate`: brings the databases that the settings name to the state of infra/database. */

import { join, relative } from 'node:path';
import { isCodedError } from '../shared/errors.ts';
import { readArguments } from './command-line.ts';
import { databaseScripts, migrateDatabases } from './migrate-databases.ts';
import { readSettingsFile } from './settings-file.ts';

const root = join(import.meta.dirname, '..');

const help = `Applies the T-SQL scripts of a folder to the main and the customization database.

  npm run migrate -- [--scripts <folder>]... [--create] [--quiet]

  --scripts <folder>  a folder with main/*.sql and customization/*.sql; may be given
                      several times (default: infra/database)
  --create            create the two databases first, where they are missing
                      (needs a login that may; Azure SQL databases come from infra/)
  --quiet             print only what goes wrong
  --help              print this

The server and the sign-in are those of the service: DB_SERVER, DB_TRUSTED_CONNECTION,
DB_USER, DB_PASSWORD, DB_NAME, DB_CUSTOMIZATION_NAME, DB_ENCRYPT and
DB_TRUST_SERVER_CERTIFICATE, from the environment, else from local.settings.json.
A script that was applied before, and has not changed since, is skipped: the table
dbo.tSchemaJournal of each database remembers. Every script may run again.`;

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && !isCodedError(error)
    ? `${error.message}: ${explain(error.cause)}`
    : error.message;
}

const { values: options } = readArguments({
  command: 'npm run migrate',
  help,
  options: {
    scripts: {
      type: 'string',
      multiple: true,
      default: [relative(process.cwd(), databaseScripts)],
    },
    create: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
});

try {
  const settings = { ...readSettingsFile(root), ...process.env };
  const say = (line: string) => options.quiet || console.log(line);
  await migrateDatabases(settings, { folders: options.scripts, create: options.create, say });
} catch (error) {
  console.error(explain(error));
  if (isCodedError(error, 'database-connection'))
    console.error('npm run migrate -- --help lists the settings of the server and the sign-in.');
  process.exitCode = 1;
}
