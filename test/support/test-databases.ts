/** The two databases with their sample data, for contract tests: on the server that TEST_DB_SERVER names, else on a local one. */

import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Environment, readConfig } from '../../shared/config.ts';
import { type DatabaseServer, type Databases, openDatabases } from '../../shared/sql/databases.ts';
import { createDatabases } from './sample-databases.ts';
import { settingsOfOwnDatabases } from './shared-emulators.ts';

/** Returns the databases with a timeout in milliseconds. */
type DatabasesFor = (milliseconds?: number) => Databases;

/** Brings the databases up before the tests of a file. Returns what gives them to a test; `another` over a single connection to each, which ends with the test. */
export function useDatabases(): DatabasesFor & { readonly another: DatabasesFor } {
  let server: DatabaseServer | undefined;
  let settings: Environment = {};
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const created = settingsOfOwnDatabases();
    await createDatabases(created);
    settings = created;
    server = openDatabases(readConfig(settings));
    ends.push(server.close);
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  const databases: DatabasesFor = (milliseconds = 30_000) => {
    if (server === undefined) throw new Error('The databases are there only while tests run');
    return server.within(Date.now() + milliseconds);
  };
  const another: DatabasesFor = (milliseconds = 30_000) => {
    const more = openDatabases(readConfig({ ...settings, DB_POOL_MAX: '1' }));
    onTestFinished(() => more.close());
    return more.within(Date.now() + milliseconds);
  };
  return Object.assign(databases, { another });
}
