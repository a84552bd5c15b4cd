/** The server that is migrated: waited for, and given the databases that it lacks. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import { openSession } from '../../shared/sql/session.ts';
import { quoteName } from '../../shared/sql/transaction.ts';
import { nvarchar, rowsOf } from '../../shared/sql/values.ts';

/** The collation of the databases in Azure (infra/profiles), independent of the server's. Nothing in the app depends on it. */
const collation = 'SQL_Latin1_General_CP1_CI_AS';

/** Milliseconds for a new database, and for a paused one to resume. */
const creationTime = 5 * 60_000;
const resumeTime = 90_000;
/** Milliseconds before a new attempt: twice as many each time, since a connection may just have been lost. */
const delays = { first: 250, max: 3_000 };
/** Milliseconds between two words about the wait. */
const wordInterval = 15_000;

/** Creates the databases that the settings name, where they are missing. */
export async function createDatabases(config: Config, say: (line: string) => void): Promise<void> {
  const session = await untilAvailable(() => openSession(config, 'master', creationTime), say);
  try {
    for (const name of new Set([config.DB_NAME, config.DB_CUSTOMIZATION_NAME])) {
      const [found] = await session.query('SELECT DB_ID(@name) AS id', { name: nvarchar(name, 128) });
      if (rowsOf(found)[0]?.['id'] !== null) continue;
      say(`create database ${name}`);
      await session.batch(`CREATE DATABASE ${quoteName(name)} COLLATE ${collation}`);
    }
  } finally {
    await session.close();
  }
}

/** Returns what an attempt does once it succeeds: a serverless database that is paused refuses the first logins, and takes about a minute to resume. */
export async function untilAvailable<T>(attempt: () => Promise<T>, say: (line: string) => void): Promise<T> {
  const started = Date.now();
  let nextWord = 0;
  for (let delay = delays.first; ; delay = Math.min(2 * delay, delays.max)) {
    try {
      return await attempt();
    } catch (error) {
      const waited = Date.now() - started;
      if (!isCodedError(error, 'database-unavailable') || waited > resumeTime) throw error;
      if (waited >= nextWord) {
        say(
          `waiting for the database, ${seconds(waited)} of ${seconds(resumeTime)} s: ${rootOf(error).message}`,
        );
        nextWord = waited + wordInterval;
      }
      await sleep(delay);
    }
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(0);
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
