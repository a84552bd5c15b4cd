/** `npm run migrate`: migrates the databases of the settings to the state of infra/database. */

import { join, relative } from 'node:path';
import { type Environment, settingError } from '../shared/config.ts';
import { isCodedError } from '../shared/errors.ts';
import { readArguments } from './command-line.ts';
import { checkContract } from './contract/check.ts';
import { databaseScripts, type Mode, migrateDatabases } from './migrate/migrate.ts';
import { databaseSettings } from './settings-beside-start.ts';

const root = join(import.meta.dirname, '..');

const help = `Applies the T-SQL scripts of a folder to the main and the customization database.

  npm run migrate -- [--check | --baseline | --adopt | --contract] [--scripts <folder>]...
                     [--create] [--quiet]

  --check             print the scripts that would run, and change nothing
  --baseline          record all scripts as applied without running them: the databases
                      have the state of these scripts already
  --adopt             install on the databases of an existing product: create the missing
                      objects of the service, change no others; then like --contract
  --contract          only list the objects and rights that the service needs: found, missing
                      or different for this login; status 1 unless all are found
  --scripts <folder>  a folder with main/*.sql and customization/*.sql; may be given
                      several times (default: infra/database)
  --create            create missing databases first (needs a login with that right;
                      Azure SQL databases come from infra/)
  --quiet             print only errors, and of --contract what is missing or different
  --help              print this text

The contract depends on SERVICE_API_USERNAME, OBJECT_TYPES and OBJECT_METADATA as well: --adopt
and --contract ask for the first two before they do anything.
The server and the sign-in are those of the service: DB_SERVER, DB_TRUSTED_CONNECTION,
DB_USER, DB_PASSWORD, DB_NAME, DB_CUSTOMIZATION_NAME, DB_ENCRYPT and
DB_TRUST_SERVER_CERTIFICATE, from the environment, else from local.settings.json, else
those of the running "npm start".
A script that takes longer than two seconds shows the number of its running batch.
Each script runs once, in one transaction with its line in the table dbo.tSchemaJournal.
An applied script must not change, unless its first line is "-- repeatable": then it runs
again when it has changed. infra/database/README.md explains how to write scripts.`;

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
    check: { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    adopt: { type: 'boolean', default: false },
    contract: { type: 'boolean', default: false },
    scripts: {
      type: 'string',
      multiple: true,
      default: [relative(process.cwd(), databaseScripts)],
    },
    create: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
});

/** Returns the mode of the options. Throws for two modes. */
function modeOf(): Mode | 'contract' {
  const modes = (['check', 'baseline', 'adopt', 'contract'] as const).filter((name) => options[name]);
  if (modes.length > 1) throw new Error(`--${modes[0]} and --${modes[1]} exclude each other.`);
  return modes[0] ?? 'apply';
}

/** Throws when a setting is absent that the contract depends on. */
function mustHaveContractSettings(settings: Environment): void {
  for (const name of ['SERVICE_API_USERNAME', 'OBJECT_TYPES'] as const)
    if (!settings[name]) throw settingError(name, 'is missing: the contract of the service depends on it');
}

try {
  const settings = databaseSettings(root, process.env);
  const say = (line: string) => options.quiet || console.log(line);
  const complain = (line: string) => (options.quiet ? console.error(line) : say(line));
  const mode = modeOf();
  if (mode === 'contract' || mode === 'adopt') mustHaveContractSettings(settings);
  if (mode !== 'contract')
    await migrateDatabases(settings, {
      folders: options.scripts,
      mode,
      create: options.create,
      say,
      output: options.quiet ? undefined : process.stdout,
    });
  if (mode === 'contract' || mode === 'adopt') await checkContract(settings, say, complain);
} catch (error) {
  console.error(explain(error));
  if (isCodedError(error, 'database-connection'))
    console.error('npm run migrate -- --help lists the settings of the server and the sign-in.');
  process.exitCode = 1;
}
