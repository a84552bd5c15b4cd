/** The commands of `npm run calendar`. */

import { join } from 'node:path';
import { readConfig } from '../../shared/config.ts';
import { printable } from '../command-line.ts';
import { calendarSettings } from '../settings-beside-start.ts';
import type { CommandName, CommandValues } from './arguments.ts';
import { backup } from './backup.ts';
import { isBackupFile, openBackupFile } from './backup-file.ts';
import { copyPictures, openPictures } from './copy-pictures.ts';
import { exportCalendar } from './export.ts';
import { importCommand } from './import/command.ts';
import { exitStatuses } from './import/outcome.ts';
import { openTarget } from './import/target.ts';
import { type Copied, openPlace, placeName } from './place.ts';
import { restore } from './restore.ts';
import { type SignIn, signIn } from './sign-in.ts';

type Command = (values: CommandValues, subject: string) => Promise<void>;

const say = (line: string) => console.log(printable(line));

/** Opens the calendar of a place; without a place that of the settings. */
function openCalendar(place: string | undefined) {
  const root = join(import.meta.dirname, '../..');
  const config = readConfig(calendarSettings(root, process.env));
  if (place !== undefined) return openTarget(config, placeName(place));
  if (config.CALENDAR_TABLE_CONNECTION_STRING === '' && config.CALENDAR_TABLE_ENDPOINT === '')
    throw new Error(
      'No calendar is named: give a place (--from, --to), set CALENDAR_TABLE_ENDPOINT, or run "npm start" beside this command.',
    );
  return openTarget(config);
}

/** Signs in where one of the places is an address, before calls to it count the time. */
async function signInFor(...places: readonly string[]): Promise<SignIn> {
  if (!places.some((place) => place.startsWith('https:'))) return signIn;
  const credential = await signIn();
  return () => credential;
}

const sayCopied = (name: string, { rows, version }: Copied) =>
  say(`${name}: ${rows} rows, version ${version}.`);

/** The commands by name; they get what they need and take (arguments.ts). */
export const commands: Readonly<Record<CommandName, Command>> = {
  backup: async ({ from = '', to = '' }) =>
    sayCopied('backup', await backup(await openPlace(from), openBackupFile(to, await signInFor(to)))),
  restore: async ({ from = '', to = '' }) => {
    const source = isBackupFile(from) ? openBackupFile(from, await signInFor(from)) : await openPlace(from);
    sayCopied('restore', await restore(source, await openPlace(to)));
  },
  'copy-pictures': async ({ from = '', to = '' }) => {
    const signedIn = await signInFor(from, to);
    const { copied, present } = await copyPictures(openPictures(from, signedIn), openPictures(to, signedIn));
    say(`copy-pictures: ${copied} copied, ${present} present.`);
  },
  import: async (values, subject) => {
    const outcome = await importCommand(subject, await openCalendar(values.to), {
      user: values.user,
      password: values.password,
      source: values.source,
      report: values.report?.replace(/\.(?:txt|json)$/i, ''),
      isDryRun: values['dry-run'] === true,
      prunesMissing: values['prune-missing'] === true,
      pruneAtMost: values['prune-at-most'] === undefined ? undefined : Number(values['prune-at-most']),
      copiesPictures: values.pictures === true,
      picturesFrom: values['pictures-from'] ?? [],
      takesSlugs: values['take-slugs'] === true,
      watch: values.watch,
      say,
    });
    process.exitCode = exitStatuses[outcome];
  },
  export: async (values, subject) => {
    say(`export: ${await exportCalendar(subject, await openCalendar(values.from))} records.`);
  },
};
