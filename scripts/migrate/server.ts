/** The server that is migrated: waited for, and given the databases that it lacks. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import { type DatabaseServer, openDatabases } from '../../shared/sql/databases.ts';
import { quoteName } from '../../shared/sql/transaction.ts';
import { nvarchar, rowsOf } from '../../shared/sql/values.ts';

/** That of the databases in Azure (infra/profiles), whatever the server's own is. Nothing in the app depends on it. */
const collation = 'SQL_Latin1_General_CP1_CI_AS';

/** Milliseconds for a new database, and for a paused one to resume. */
const creationTime = 5 * 60_000;
const resumeTime = 90_000;
/** Milliseconds between two words about the wait. */
const wordInterval = 15_000;

/** Creates the databases that the settings name, where they are missing. */
export async function createDatabases(config: Config, say: (line: string) => void): Promise<void> {
  const inMaster = { value: 'master' };
  const master: Config = Object.create(config, { DB_NAME: inMaster, DB_CUSTOMIZATION_NAME: inMaster });
  await using(openDatabases(master), async (server) => {
    await untilAvailable(server, say);
    for (const name of new Set([config.DB_NAME, config.DB_CUSTOMIZATION_NAME])) {
      const { main } = server.within(Date.now() + creationTime);
      const [found] = await main.query('SELECT DB_ID(@name) AS id', { name: nvarchar(name, 128) });
      if (rowsOf(found)[0]?.['id'] !== null) continue;
      say(`create database ${name}`);
      await main.query(`CREATE DATABASE ${quoteName(name)} COLLATE ${collation}`, {}, { repeatable: false });
    }
  });
}

/** A serverless database that is paused refuses the first logins, and takes about a minute to resume. */
export async function untilAvailable(server: DatabaseServer, say: (line: string) => void): Promise<void> {
  const started = Date.now();
  for (let nextWord = 0; ; ) {
    try {
      const { main, customization } = server.within(Date.now() + 30_000);
      for (const database of [main, customization]) await database.query('SELECT 1 AS one');
      return;
    } catch (error) {
      const waited = Date.now() - started;
      if (!isCodedError(error, 'database-unavailable') || waited > resumeTime) throw error;
      if (waited >= nextWord) {
        say(
          `waiting for the database, ${seconds(waited)} of ${seconds(resumeTime)} s: ${rootOf(error).message}`,
        );
        nextWord = waited + wordInterval;
      }
      await sleep(3_000);
    }
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(0);
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** Works with a server and closes its connections afterwards. */
export async function using(
  server: DatabaseServer,
  work: (server: DatabaseServer) => Promise<void>,
): Promise<void> {
  try {
    await work(server);
  } finally {
    await server.close();
  }
}
