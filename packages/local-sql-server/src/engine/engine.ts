/** The engine: databases and sessions. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlError } from '../tsql/sql-error.ts';
import { LockManager } from './run/locks.ts';
import { SqlSession } from './run/sql-session.ts';
import { userOf } from './security/logins.ts';
import { type Engine, LoginFailure, type Session } from './session.ts';
import { Database, databasesIn } from './storage/database.ts';

/** The first process id that SQL Server gives to a client. */
const firstProcessId = 51;

/**
 * Opens an engine with the named databases (they are made when missing). `folder` keeps them, one SQLite file each;
 * undefined keeps nothing: a temporary folder goes at close.
 */
export function openEngine(options: {
  readonly folder: string | undefined;
  readonly databases: readonly string[];
  /** SQL logins, which users of databases may be created for. */
  readonly logins?: readonly string[];
}): Engine {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'sql-server-'));
  mkdirSync(folder, { recursive: true });
  const databases = new Map<string, Database>();
  const isKept = options.folder !== undefined;
  const createDatabase = (name: string, collation?: string): void => {
    databases.set(name.toLowerCase(), new Database(name, folder, isKept, collation));
  };
  const copyDatabase = async (name: string, source: Database): Promise<void> => {
    databases.set(name.toLowerCase(), await source.copy(name, folder, isKept));
  };
  for (const name of ['master', ...options.databases, ...databasesIn(folder)])
    if (!databases.has(name.toLowerCase())) createDatabase(name);
  const logins = new Set(options.logins?.map((login) => login.toLowerCase()));
  const server = { databases, createDatabase, copyDatabase, logins, locks: new LockManager() };
  const sessions = new Set<Session>();
  let processId = firstProcessId;
  return {
    openSession: (login) => {
      const database = databases.get(login.database.toLowerCase() || 'master');
      const user = database && userOf(login.user, database, databases.values());
      if (!database || user === undefined) throw unknownDatabase(login.database);
      const session = new SqlSession(server, login, database, processId++, user);
      sessions.add(session);
      return session;
    },
    close: () => {
      for (const session of sessions) session.close();
      for (const database of databases.values()) database.close();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unknownDatabase(name: string): LoginFailure {
  const { number, state, class: severity, message } = sqlError(4060, name);
  return new LoginFailure({ number, state, class: severity, message, line: 1 });
}
