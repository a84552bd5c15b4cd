/** `npm run calendar -- <command>`: work on a calendar as a whole, beside the service. */

import { join } from 'node:path';
import { explained, readArguments } from 'command-line';
import { readConfig } from '../../shared/config.ts';
import { readSettingsFile } from '../settings-file.ts';
import { backup, type Copied } from './backup.ts';
import { noteBackup, prune } from './catalogue.ts';
import { exportCalendar } from './export.ts';
import { importCommand } from './import/command.ts';
import { openTarget } from './import/target.ts';
import { openPlace, placeName } from './place.ts';
import { restore } from './restore.ts';

const help = `Works on a calendar as a whole, while the service runs.

  npm run calendar -- backup  --from <place> --to <place>
  npm run calendar -- restore --from <place> --to <place>
  npm run calendar -- prune   --to <place> [--keep 35]
  npm run calendar -- import  <address or file> [--to <place>] [--dry-run] [--watch 5m]
                              [--user <name> --password <password>]
  npm run calendar -- export  <file> [--from <place>]

  backup              copies the calendar as it is at one version into another account, and
                      notes there that the copy is whole (table backups)
  restore             copies a backup into a partition that is empty, its head last
  prune               removes tables backup<yyyymmdd> that are older than the last whole ones
  import              brings a calendar along, with its ids and slugs: from the address of
                      a site whose calendar has this API, or from a file of export (.jsonl);
                      or events from iCalendar (.ics) or a table (.csv), under ids of their own
  export              writes all records as JSON lines (.jsonl), or the events as iCalendar
                      (.ics) or as a table (.csv)
  --from, --to        <address of a table service>/<table>/<calendar>, with your sign-in (az login)
                      or the managed identity; or a connection string, then #<table>/<calendar>.
                      Without it import and export use the calendar of the settings (CALENDAR_*),
                      from the environment, else from local.settings.json
  --user, --password  sign in to the old site with an application password, to bring
                      drafts and what is private as well
  --dry-run           say what would be written, and write nothing
  --watch <time>      import again after so long (90s, 5m, 2h), until it is ended
  --help              print this

A backup keeps the versions of the rows, so it can be copied back as it is. A restored
calendar becomes visible with its head, the last row that is written; until then the
partition is empty to the service. An import can be ended and run again: it goes on where
it was, and writes only what changed. It stops before anything is written when an id or a
slug is taken by another record. Passwords of events do not come along, nor events that
are hidden from all listings.`;

const { values, positionals } = readArguments({
  command: 'npm run calendar',
  help,
  allowPositionals: true,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    user: { type: 'string' },
    password: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    watch: { type: 'string' },
    keep: { type: 'string', default: '35' },
  },
});

const say = (line: string) => console.log(line);

/** Opens the calendar that a place names, or the settings. */
function openCalendar(place: string | undefined) {
  const settings = { ...readSettingsFile(join(import.meta.dirname, '..', '..')), ...process.env };
  return openTarget(readConfig(settings), place === undefined ? {} : placeName(place));
}

async function betweenPlaces(name: string, copy: typeof backup): Promise<Copied> {
  if (values.from === undefined || values.to === undefined)
    throw new Error(`${name} needs --from and --to; npm run calendar -- --help tells what they are.`);
  const copied = await copy(await openPlace(values.from), await openPlace(values.to));
  say(`${name}: ${copied.rows} rows, version ${copied.version}.`);
  return copied;
}

/** What each command does. Further ones have a file of their own. */
const commands: Readonly<Record<string, (subject: string) => Promise<void>>> = {
  backup: async () => await noteBackup(values.to ?? '', await betweenPlaces('backup', backup)),
  restore: async () => void (await betweenPlaces('restore', restore)),
  prune: async () => {
    if (!/^[1-9]\d{0,3}$/.test(values.keep)) throw new Error('--keep must be a whole number above 0.');
    const removed = await prune(values.to ?? '', Number(values.keep));
    say(removed.length === 0 ? 'prune: nothing is old enough.' : `prune: removed ${removed.join(', ')}.`);
  },
  import: async (subject) =>
    await importCommand(subject, await openCalendar(values.to), {
      user: values.user,
      password: values.password,
      isDryRun: values['dry-run'],
      watch: values.watch,
      say,
    }),
  export: async (subject) => {
    say(`export: ${await exportCalendar(subject, await openCalendar(values.from))} records.`);
  },
};

const withSubject = ['import', 'export'];

await explained(async () => {
  const [name = '', subject, ...more] = positionals;
  const command = commands[name];
  if (!command || more.length > 0 || (subject !== undefined && !withSubject.includes(name)))
    throw new Error(
      `There is no command "${positionals.join(' ')}"; there are: ${Object.keys(commands).join(', ')}.`,
    );
  if (subject === undefined && withSubject.includes(name))
    throw new Error(`${name} needs an address or a file; npm run calendar -- --help tells which.`);
  await command(subject ?? '');
});
