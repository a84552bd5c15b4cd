/** Settings of the service's databases, for tests. */

import { onTestFinished } from 'vitest';
import { sqlLogin } from '../../local/index.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import { type DatabaseServer, openDatabases } from '../../shared/sql/databases.ts';

/** The login of an app that has no more rights than a deployed one. */
export const appLogin = { user: 'records-app', password: 'App-only-1' };

/** Passwords of the logins of the shared local server. */
export const sqlUsers = { [sqlLogin.user]: sqlLogin.password, [appLogin.user]: appLogin.password };

/** Returns the same settings, with which a test prepares and looks: those of an administrator. */
export function administratorOf<Settings extends Readonly<Record<string, string>>>(
  settings: Settings,
): Settings {
  if (settings['DB_USER'] !== appLogin.user) return settings;
  const { DB_USER = sqlLogin.user, DB_PASSWORD = sqlLogin.password } = settingsOfRealServer() ?? {};
  return { ...settings, DB_USER, DB_PASSWORD };
}

/** Environment variables that lead to a server on this machine, without encryption. */
export function settingsForPort(port: number, login: { readonly user: string; readonly password: string }) {
  return {
    DB_SERVER: `127.0.0.1,${port}`,
    DB_TRUSTED_CONNECTION: 'false',
    DB_USER: login.user,
    DB_PASSWORD: login.password,
    DB_ENCRYPT: 'false',
  };
}

/** Opens the databases that the settings name, until the test ends. */
export function databasesOf(settings: Readonly<Record<string, string>>): DatabaseServer {
  const config: Config = readConfig(settings);
  const databases = openDatabases(config);
  onTestFinished(() => databases.close());
  return databases;
}

/** What TEST_DB_SERVER, TEST_DB_USER, TEST_DB_PASSWORD and so on say, without their TEST_; undefined when no real server is named. */
export function settingsOfRealServer(): Readonly<Record<string, string>> | undefined {
  if (process.env['TEST_DB_SERVER'] === undefined) return undefined;
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('TEST_DB_'));
  return {
    DB_TRUSTED_CONNECTION: 'false',
    ...Object.fromEntries(given.map(([name, value = '']) => [name.slice('TEST_'.length), value])),
  };
}
