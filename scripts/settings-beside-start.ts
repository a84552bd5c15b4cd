/** The settings of commands: from the environment, from local.settings.json, or those of a running `npm start`. */

import { emulatorAddresses, folderOfStart, isStarting, readRunning } from '../local/index.ts';
import { readSettingsFile } from './settings-file.ts';

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of the databases. Where they name no server, or the local one, those of the running `npm start` with the folder of
 * LOCAL_STATE take their place.
 */
export function databaseSettings(root: string, environment: NodeJS.ProcessEnv): Settings {
  return { ...settingsIn(root, environment), ...runningSettings(root, environment, ['DB_SERVER'], 'DB_') };
}

const calendarAddresses = ['CALENDAR_TABLE_CONNECTION_STRING', 'CALENDAR_TABLE_ENDPOINT'];

/**
 * Reads the settings of the calendar. Where they name no account, or the local one, those of the running `npm start` say where it is; the
 * name of the calendar may be another one.
 */
export function calendarSettings(root: string, environment: NodeJS.ProcessEnv): Settings {
  const settings = settingsIn(root, environment);
  const running = runningSettings(root, environment, calendarAddresses, 'CALENDAR_');
  const addresses = Object.entries(running).filter(([name]) => Object.hasOwn(emulatorAddresses, name));
  const calendar = { ...running, ...settings, ...Object.fromEntries(addresses) };
  if (calendar['CALENDAR_SITE_URL'] || Object.keys(running).length === 0) return calendar;
  // Without an address of its own the site is where the start is.
  return {
    ...calendar,
    CALENDAR_SITE_URL: readRunning(folderOfStart(root, environment['LOCAL_STATE']))?.url,
  };
}

function settingsIn(root: string, environment: NodeJS.ProcessEnv): Settings {
  return { ...readSettingsFile(root), ...environment };
}

/** Returns the settings of the running start with a prefix; none where one of the addresses is that of another server. */
function runningSettings(
  root: string,
  environment: NodeJS.ProcessEnv,
  addresses: readonly string[],
  prefix: string,
): Readonly<Record<string, string>> {
  const settings = settingsIn(root, environment);
  const isLocal = (name: string) => !settings[name] || settings[name] === emulatorAddresses[name];
  if (!addresses.every(isLocal)) return {};
  const folder = folderOfStart(root, environment['LOCAL_STATE']);
  if (isStarting(folder))
    throw new Error('npm start is still starting. Run this again when it says that the app answers.');
  const running = readRunning(folder);
  const entries = Object.entries(running?.settings ?? {}).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(entries);
}
