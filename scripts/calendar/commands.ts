/** The commands of `npm run calendar`. */

import { join } from 'node:path';
import { readConfig } from '../../shared/config.ts';
import { calendarSettings } from '../settings-beside-start.ts';
import type { CommandName, CommandValues } from './arguments.ts';
import { backup, type Copied } from './backup.ts';
import { prune, recordBackup } from './catalogue.ts';
import { copyPictures, openPictures } from './copy-pictures.ts';
import { exportCalendar } from './export.ts';
import { importCommand } from './import/command.ts';
import { exitStatuses } from './import/outcome.ts';
import { openTarget } from './import/target.ts';
import { openPlace, placeName } from './place.ts';
import { restore } from './restore.ts';

type Command = (values: CommandValues, subject: string) => Promise<void>;

const say = (line: string) => console.log(line);

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

async function betweenPlaces(
  name: string,
  copy: typeof backup,
  { from = '', to = '' }: CommandValues,
): Promise<Copied> {
  const copied = await copy(await openPlace(from), await openPlace(to));
  say(`${name}: ${copied.rows} rows, version ${copied.version}.`);
  return copied;
}

/** The commands by name; they get what they need and take (arguments.ts). */
export const commands: Readonly<Record<CommandName, Command>> = {
  backup: async (values) =>
    await recordBackup(values.to ?? '', await betweenPlaces('backup', backup, values)),
  restore: async (values) => void (await betweenPlaces('restore', restore, values)),
  'copy-pictures': async ({ from = '', to = '' }) => {
    const { copied, present } = await copyPictures(openPictures(from), openPictures(to));
    say(`copy-pictures: ${copied} copied, ${present} present.`);
  },
  prune: async ({ to = '', keep = '35' }) => {
    if (!/^[1-9]\d{0,3}$/.test(keep)) throw new Error('--keep must be a whole number above 0.');
    const removed = await prune(to, Number(keep));
    say(removed.length === 0 ? 'prune: no backup is old enough.' : `prune: removed ${removed.join(', ')}.`);
  },
  import: async (values, subject) => {
    const outcome = await importCommand(subject, await openCalendar(values.to), {
      user: values.user,
      password: values.password,
      source: values.source,
      isDryRun: values['dry-run'] === true,
      prunesMissing: values['prune-missing'] === true,
      copiesPictures: values.pictures === true,
      watch: values.watch,
      say,
    });
    process.exitCode = exitStatuses[outcome];
  },
  export: async (values, subject) => {
    say(`export: ${await exportCalendar(subject, await openCalendar(values.from))} records.`);
  },
};
