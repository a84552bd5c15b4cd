/** The settings of `npm start`, from the environment and from local.settings.json where it exists. */

import { resolve } from 'node:path';
import { emulatorAddresses, fixedSettings, preferredPorts, sqlServerSettings } from '../../local/index.ts';
import { variables } from '../../shared/config/variables.ts';
import { readConfig, settingErrors, settingGroup } from '../../shared/config.ts';
import { readSettingsFile } from '../settings-file.ts';

export interface StartSettings {
  readonly port: number;
  /** Folder of the state; undefined: in memory. */
  readonly folder: string | undefined;
  readonly sampleData: boolean;
  /** Settings of the app that replace those of the dev stack. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The port on which debuggers look for Node. */
export const debuggerPort = 9229;

export const usage = `Serves the app with its dev stack on this machine, until Ctrl-C.

  npm start             the app as it is built now
  npm run dev           restarts the app when its source changes

  --inspect[=port]  lets a debugger attach to the app's process (${debuggerPort}; 0 = any free port)
  --flex            the host of Flex Consumption: it answers preflights itself, for the origins in WEBSITE_CORS_ALLOWED_ORIGINS
                    (a JSON array), and takes the scheme of URLs from X-Forwarded-Proto
  --watch           what npm run dev adds
  --help            this text

Environment:
  PORT         port of the app (7071; 0 = any free one, and any for the emulators)
  LOCAL_STATE  folder that keeps the state between runs (.local), or "memory": nothing is kept
  SAMPLE_DATA  on (default), or off: only the sample users, no records and an empty calendar

Ctrl-C stops it; a second one ends it at once.

Every setting of the app (see shared/config/variables.ts) can be given too, in the environment or in local.settings.json.
DB_SERVER, CALENDAR_TABLE_CONNECTION_STRING or CALENDAR_TABLE_ENDPOINT, CALENDAR_BLOB_CONNECTION_STRING or CALENDAR_BLOB_ENDPOINT, and
AppRegistration__Authority each replace one emulator; with real tables there are no local blobs. A server
that is named so is used as it is: nothing is created or filled there (npm run migrate creates the databases).`;

/** What is on where people develop. */
export const forPeople = { LOG_FORMAT: 'text', SERVER_TIMING: 'true', SHOW_SOURCE_ERRORS: 'true' };

/** Settings that are not the app's own, but those of the platform under it: Azure Functions and Node. */
const platformSetting =
  /^(IDENTITY_|WEBSITE_CORS_|AzureFunctionsJobHost(__|:)|OTEL_|FUNCTIONS_REQUEST_BODY_SIZE_LIMIT$)/i;

/** Reads and checks the settings; throws an error with a line for each that is wrong. */
export function readStartSettings(root: string, environment: NodeJS.ProcessEnv): StartSettings {
  const PORT = environment['PORT'] || '7071';
  const LOCAL_STATE = environment['LOCAL_STATE'] || '.local';
  const SAMPLE_DATA = environment['SAMPLE_DATA'] || 'on';
  const emulator = emulatorAt(Number(PORT));
  const settings = { ...given(readSettingsFile(root)), ...given(environment) };
  const isPort = /^\d{1,5}$/.test(PORT) && Number(PORT) <= 65_535;
  const problems = [
    ...(isPort ? [] : [`PORT must be a number from 0 to 65535, not "${PORT}".`]),
    ...(emulator === undefined ? [] : [`PORT must not be ${PORT}, which is for the emulator ${emulator}.`]),
    ...(['on', 'off'].includes(SAMPLE_DATA)
      ? []
      : [`SAMPLE_DATA must be "on" or "off", not "${SAMPLE_DATA}".`]),
    ...settingProblems(settings),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    port: Number(PORT),
    folder: LOCAL_STATE === 'memory' ? undefined : resolve(root, LOCAL_STATE),
    sampleData: SAMPLE_DATA === 'on',
    settings,
  };
}

/** What the app would find wrong with its settings, beside those that the emulators bring. */
function settingProblems(settings: Readonly<Record<string, string>>): string[] {
  const hasTables = Object.keys(settings).some((name) => name.startsWith('CALENDAR_TABLE_'));
  const ofEmulators = Object.entries(emulatorAddresses).filter(
    ([name]) => name !== 'CALENDAR_TABLE_ENDPOINT' && !(hasTables && name.startsWith('CALENDAR_')),
  );
  const all = {
    ...fixedSettings,
    ...(settings['DB_SERVER'] === undefined ? sqlServerSettings : {}),
    ...Object.fromEntries(ofEmulators),
    ...forPeople,
    ...settings,
  };
  const { values, errors } = settingGroup(readConfig(all), ['APIS']);
  const served = errors.length > 0 ? (['records', 'calendar'] as const) : values.APIS;
  return settingErrors(all, served).map(({ message }) => message);
}

/** Checks where the debugger is to listen: a port, or an address of this machine with one. */
export function readInspect(value: string | undefined): string | undefined {
  if (value === undefined || /^(?:(?:127\.0\.0\.1|localhost):)?\d{1,5}$/.test(value)) return value;
  throw new Error(`--inspect takes a port, not "${value}".`);
}

/** The emulator that prefers a port: the app would not get it. */
function emulatorAt(port: number): string | undefined {
  const { app: _app, ...emulatorPorts } = preferredPorts;
  return Object.entries(emulatorPorts).find(([, preferred]) => preferred === port)?.[0];
}

/** The settings of the app that are set, without those that only name an emulator. */
function given(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        (entry[0] in variables || platformSetting.test(entry[0])) &&
        entry[1] !== undefined &&
        entry[1] !== '' &&
        entry[1] !== emulatorAddresses[entry[0]],
    ),
  );
}
