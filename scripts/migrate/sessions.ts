/** One session with each database, which holds the lock of the migration for the whole run. */

import type { Config } from '../../shared/config.ts';
import { openSession, type Session } from '../../shared/sql/session.ts';
import { rowsOf } from '../../shared/sql/values.ts';
import type { DatabaseKind } from './scripts.ts';
import { untilAvailable } from './server.ts';

export type Sessions = Readonly<Record<DatabaseKind, Session>>;

/** Milliseconds for a batch, and for another run to end. */
const batchTime = 30 * 60_000;
const lockTime = batchTime - 60_000;
/** Which lock, as `sp_getapplock` and `sp_releaseapplock` take it. */
const lock = "@Resource = N'records-migration', @LockOwner = N'Session'";

/** Opens a session with each database that the settings name as soon as it is available, works with them, and closes them. One database of both names gets one session. */
export async function withSessions(
  config: Config,
  say: (line: string) => void,
  work: (sessions: Sessions) => Promise<void>,
): Promise<void> {
  const opened: Session[] = [];
  const open = async (name: string) => {
    const session = await untilAvailable(() => openSession(config, name, batchTime), say);
    opened.push(session);
    return session;
  };
  try {
    const main = await open(config.DB_NAME);
    const isSame = config.DB_NAME.toLowerCase() === config.DB_CUSTOMIZATION_NAME.toLowerCase();
    await work({ main, customization: isSame ? main : await open(config.DB_CUSTOMIZATION_NAME) });
  } finally {
    await Promise.all(opened.map((session) => session.close()));
  }
}

/** Takes the lock of the migration in each database, until it is released or the sessions end. Waits for a run that has it, and says so. */
export async function lockSessions(
  { main, customization }: Sessions,
  say: (line: string) => void,
): Promise<void> {
  for (const session of new Set([main, customization])) {
    if ((await tryLock(session, 0)) >= 0) continue;
    say('waiting for another migration to end');
    if ((await tryLock(session, lockTime)) < 0)
      throw new Error('Cannot migrate: another migration has not ended in time.');
  }
}

/** Releases the lock, so that the next run need not wait until the server has noticed that the sessions have ended. */
export async function unlockSessions({ main, customization }: Sessions): Promise<void> {
  for (const session of new Set([main, customization]))
    await session.batch(`EXEC sp_releaseapplock ${lock};`);
}

/** Returns what sp_getapplock returns: below 0 when the lock is not granted. */
async function tryLock(session: Session, milliseconds: number): Promise<number> {
  const [found] = await session.batch(
    `DECLARE @result int;
EXEC @result = sp_getapplock ${lock}, @LockMode = N'Exclusive', @LockTimeout = ${milliseconds};
SELECT @result AS result;`,
  );
  return Number(rowsOf(found)[0]?.['result'] ?? -999);
}
