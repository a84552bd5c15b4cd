/** The databases that an app of a test runs on: ours, or others on which the same suites must pass. */

import { rightsStatements } from '../../infra/deploy/database-users.ts';
import { databaseScripts, migrateDatabases, prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { quoteName } from '../../shared/sql/transaction.ts';
import { administratorOf, appLogin, settingsOfRealServer } from './database-settings.ts';
import { executeBatches, executeSql } from './execute-sql.ts';
import { createFilledProduct, productSettings } from './existing-product.ts';
import { copyDatabases, createDatabases } from './sample-databases.ts';
import { settingsOfLocalDatabases } from './shared-emulators.ts';

type Settings = Readonly<Record<string, string>>;

interface Databases {
  /** Of the app. */
  readonly settings: Settings;
  /** Creates the databases that the settings name, with the scripts of folders. */
  readonly migrate: (settings: Settings, folders: readonly string[]) => Promise<void>;
}

const kinds = ['main', 'customization'] as const;

const variants = {
  /** Ours, with the sign-in of an administrator. */
  ours: { settings: {}, migrate: createDatabases },
  /** Ours, with the rights of a deployed app. */
  'app-rights': {
    settings: { DB_USER: appLogin.user, DB_PASSWORD: appLogin.password },
    async migrate(settings, folders) {
      await createDatabases(administratorOf(settings), folders);
      await grantAppRights(settings);
    },
  },
  /** Ours, of other collations. */
  danish: collated('Danish_Norwegian_CI_AS'),
  turkish: collated('Turkish_CI_AS'),
  latin: collated('Latin1_General_100_CI_AI'),
  /** Those of an existing product that has the sample data, with the rights of a deployed app. */
  adopted: {
    settings: {
      ...productSettings,
      SERVICE_API_USERNAME: 'records-service',
      DB_USER: appLogin.user,
      DB_PASSWORD: appLogin.password,
    },
    migrate: onceThenCopies(async (settings) => {
      const administrator = administratorOf(settings);
      await createEmptyDatabases(administrator, 'Danish_Norwegian_CI_AS');
      await createFilledProduct(administrator);
      const options = { folders: [databaseScripts], mode: 'adopt', create: false, say: () => {} } as const;
      await migrateDatabases(administrator, options);
      await grantAppRights(settings);
    }),
  },
} as const satisfies Readonly<Record<string, Databases>>;

export type DatabasesOfTest = keyof typeof variants;

/** Returns the name of the databases that TEST_DATABASES asks for. Default: ours. Throws for one that there is not. */
export function nameOfDatabases(): DatabasesOfTest {
  const name = process.env['TEST_DATABASES'] ?? 'ours';
  if (Object.hasOwn(variants, name)) return name as DatabasesOfTest;
  throw new Error(`TEST_DATABASES must be one of ${Object.keys(variants).join(', ')}, not ${name}.`);
}

export function databasesOfTest(name: DatabasesOfTest): Databases {
  return variants[name];
}

/** Returns what creates databases once for all test files of this process, which get copies where the server makes them. */
function onceThenCopies(create: (settings: Settings) => Promise<void>) {
  let originals: Promise<Settings> | undefined;
  return async (settings: Settings): Promise<void> => {
    if (settingsOfRealServer() !== undefined) return create(settings);
    originals ??= createOriginals(settings);
    await copyDatabases(await originals, administratorOf(settings));
  };
  async function createOriginals(settings: Settings): Promise<Settings> {
    const { DB_NAME, DB_CUSTOMIZATION_NAME } = settingsOfLocalDatabases();
    const ofOriginals = { ...settings, DB_NAME, DB_CUSTOMIZATION_NAME };
    await create(ofOriginals);
    return ofOriginals;
  }
}

function collated(collation: string): Databases {
  return {
    settings: {},
    async migrate(settings, folders) {
      await createEmptyDatabases(settings, collation);
      await prepareDatabases(settings, folders);
    },
  };
}

/** Creates the databases that settings name, of a collation where one is given. */
export async function createEmptyDatabases(settings: Settings, collation?: string): Promise<void> {
  const { DB_NAME = '', DB_CUSTOMIZATION_NAME = '' } = settings;
  const inMaster = { ...settings, DB_NAME: 'master', DB_CUSTOMIZATION_NAME: 'master' };
  const collate = collation === undefined ? '' : ` COLLATE ${collation}`;
  const batches = [DB_NAME, DB_CUSTOMIZATION_NAME].map(
    (name) => `CREATE DATABASE ${quoteName(name)}${collate}`,
  );
  await executeBatches(inMaster, 'main', batches);
}

/** Makes the login of the app a user of both databases, with the statements of a deployment. */
export async function grantAppRights(settings: Settings): Promise<void> {
  const user = {
    name: appLogin.user,
    clientId: '11112222-3333-4444-5555-666677778888',
    rights: 'runtime',
  } as const;
  if (settingsOfRealServer() !== undefined) await createLogin(administratorOf(settings));
  for (const database of kinds)
    await executeBatches(settings, database, [
      `CREATE USER [${user.name}] FOR LOGIN [${user.name}];`,
      ...rightsStatements(user, database),
    ]);
}

/** The local server has the login from its start. */
async function createLogin(settings: Settings): Promise<void> {
  const inMaster = { ...settings, DB_NAME: 'master', DB_CUSTOMIZATION_NAME: 'master' };
  const { user, password } = appLogin;
  const create = `IF SUSER_ID(N'${user}') IS NULL CREATE LOGIN [${user}] WITH PASSWORD = N'${password}'`;
  await executeSql(inMaster, 'main', create);
}
