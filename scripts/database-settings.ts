/** The settings of the databases, for commands: from the environment, from local.settings.json, or those of a running `npm start`. */

import { emulatorAddresses } from '../local/defaults.ts';
import { folderOfStart, readRunning } from '../local/running.ts';
import { readSettingsFile } from './settings-file.ts';

/**
 * Reads the settings of the databases. Where they name no server, or the local one, those of the running `npm start` with the folder of
 * LOCAL_STATE take their place.
 */
export function databaseSettings(
  root: string,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string | undefined>> {
  const settings = { ...readSettingsFile(root), ...environment };
  const server = settings['DB_SERVER'] || undefined;
  if (server !== undefined && server !== emulatorAddresses['DB_SERVER']) return settings;
  const running = readRunning(folderOfStart(root, environment['LOCAL_STATE']));
  return { ...settings, ...running?.settings };
}
