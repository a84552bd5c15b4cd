/** One local SQL server and one process of tables for all test files; each file has its own databases and its own table in them. */

import { randomUUID } from 'node:crypto';
import { startSqlServer } from 'local-sql-server';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { sqlLogin } from '../../local/defaults.ts';
import { startTables } from '../../local/tables/start-tables.ts';
import { settingsForPort, settingsOfRealServer, sqlUsers } from './database-settings.ts';
import { prepareSampleDatabases } from './sample-databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sqlServerPort: number;
    tablesConnectionString: string;
  }
}

/** Starts them before the first test file, and stops them after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [sqlServer, tables] = await Promise.all([
    startSqlServer({ databases: ['own'], users: sqlUsers }),
    startTables(),
  ]);
  // Those in processes of their own bring up other databases.
  if (project.name === 'api') await prepareSampleDatabases(sqlServer.port);
  project.provide('sqlServerPort', sqlServer.port);
  project.provide('tablesConnectionString', tables.connectionString);
  return async () => {
    await Promise.all([sqlServer.stop(), tables.stop()]);
  };
}

/** Returns settings that lead to two databases that nobody else uses, on the server that TEST_DB_SERVER names, else on the local one. They are not there yet. */
export function settingsOfOwnDatabases(): Readonly<Record<string, string>> {
  const id = randomUUID().slice(0, 8);
  return {
    ...(settingsOfRealServer() ?? settingsForPort(inject('sqlServerPort'), sqlLogin)),
    DB_NAME: `records_${id}`,
    DB_CUSTOMIZATION_NAME: `customization_${id}`,
  };
}

/** Returns settings that lead to a table that nobody else uses. It is not there yet. */
export function settingsOfOwnTable(): Readonly<Record<string, string>> {
  return {
    CALENDAR_TABLE_CONNECTION_STRING: inject('tablesConnectionString'),
    CALENDAR_TABLE_NAME: `calendar${randomUUID().slice(0, 8)}`,
  };
}
