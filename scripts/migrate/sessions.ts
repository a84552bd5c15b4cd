/** One session with each database, which has the lock of the migration during the whole run. */

import type { Config } from '../../shared/config.ts';
import { rowsOf } from '../../shared/sql/values.ts';
import { openSession, type Session } from '../sql/session.ts';
import type { DatabaseKind } from './scripts.ts';
import { untilAvailable } from './server.ts';

export type Sessions = Readonly<Record<DatabaseKind, Session>>;

/** Time limits of a batch, and of the wait for another migration. */
const batchTimeMs = 30 * 60_000;
const lockTimeMs = batchTimeMs - 60_000;
/** The parameters of the lock for `sp_getapplock` and `sp_releaseapplock`. */
const lock = "@Resource = N'records-migration', @LockOwner = N'Session'";

/** Opens a session with each database of the settings, does the work, and closes the sessions. One database in both roles has one session. */
export async function withSessions(
  config: Config,
  say: (line: string) => void,
  work: (sessions: Sessions) => Promise<void>,
): Promise<void> {
  const sessions: Session[] = [];
  const open = async (name: string) => {
    const session = await untilAvailable(() => openSession(config, name, batchTimeMs), say);
    sessions.push(session);
    return session;
  };
  try {
    const main = await open(config.DB_NAME);
    const isSame = config.DB_NAME.toLowerCase() === config.DB_CUSTOMIZATION_NAME.toLowerCase();
    await work({ main, customization: isSame ? main : await open(config.DB_CUSTOMIZATION_NAME) });
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

/** Acquires the lock of the migration in each database, until it is released or the sessions end. Waits for another migration with a message. */
export async function lockSessions(
  { main, customization }: Sessions,
  say: (line: string) => void,
): Promise<void> {
  for (const session of new Set([main, customization])) {
    if ((await tryLock(session, 0)) >= 0) continue;
    say('waiting for another migration to end');
    if ((await tryLock(session, lockTimeMs)) < 0)
      throw new Error('Cannot migrate: another migration has not ended in time.');
  }
}

/** Releases the lock at once, before the server notices the end of the sessions. */
export async function unlockSessions({ main, customization }: Sessions): Promise<void> {
  for (const session of new Set([main, customization]))
    await session.batch(`EXEC sp_releaseapplock ${lock};`);
}

/** Returns the result of sp_getapplock: below 0 when the lock is not granted. */
async function tryLock(session: Session, milliseconds: number): Promise<number> {
  const [result] = await session.batch(
    `DECLARE @result int;
EXEC @result = sp_getapplock ${lock}, @LockMode = N'Exclusive', @LockTimeout = ${milliseconds};
SELECT @result AS result;`,
  );
  return Number(rowsOf(result)[0]?.['result'] ?? -999);
}
