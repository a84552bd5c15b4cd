/** Waits for the server of a migration, and creates missing databases. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import { quoteName } from '../../shared/sql/transaction.ts';
import { nvarchar, rowsOf } from '../../shared/sql/values.ts';
import { openSession } from '../sql/session.ts';

/** The collation of the databases in Azure (infra/profiles), independent of that of the server. The app does not depend on it. */
const collation = 'SQL_Latin1_General_CP1_CI_AS';

/** Time limits of the creation of a database, and of the resumption of a paused one. */
const creationTimeMs = 5 * 60_000;
const resumeTimeMs = 90_000;
/** Delays between attempts: exponential backoff, since the first failure may be a lost connection. */
const delaysMs = { first: 250, max: 3_000 };
/** Time between two lines about the wait. */
const messageIntervalMs = 15_000;

/** Creates the missing databases of the settings. */
export async function createDatabases(config: Config, say: (line: string) => void): Promise<void> {
  const session = await untilAvailable(() => openSession(config, 'master', creationTimeMs), say);
  try {
    for (const name of new Set([config.DB_NAME, config.DB_CUSTOMIZATION_NAME])) {
      const [result] = await session.query('SELECT DB_ID(@name) AS id', { name: nvarchar(name, 128) });
      if (rowsOf(result)[0]?.['id'] !== null) continue;
      say(`create database ${name}`);
      await session.batch(`CREATE DATABASE ${quoteName(name)} COLLATE ${collation}`);
    }
  } finally {
    await session.close();
  }
}

/** Repeats an attempt until it succeeds: a paused serverless database rejects logins for about a minute while it resumes. */
export async function untilAvailable<T>(attempt: () => Promise<T>, say: (line: string) => void): Promise<T> {
  const started = Date.now();
  let nextMessageMs = 0;
  for (let delay = delaysMs.first; ; delay = Math.min(2 * delay, delaysMs.max)) {
    try {
      return await attempt();
    } catch (error) {
      const waitedMs = Date.now() - started;
      if (!isCodedError(error, 'database-unavailable') || waitedMs > resumeTimeMs) throw error;
      if (waitedMs >= nextMessageMs) {
        say(
          `waiting for the database, ${seconds(waitedMs)} of ${seconds(resumeTimeMs)} s: ${rootOf(error).message}`,
        );
        nextMessageMs = waitedMs + messageIntervalMs;
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
