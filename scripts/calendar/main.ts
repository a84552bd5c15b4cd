/** `npm run calendar -- <command>`: works on whole calendars while the service runs. */

import { explained, orUsage, readArguments } from '../command-line.ts';
import { calendarArguments, commandIn } from './arguments.ts';

const help = `Works on whole calendars while the service runs.

  npm run calendar -- backup  --from <place> --to <backup>
  npm run calendar -- restore --from <backup or place> --to <place>
  npm run calendar -- copy-pictures --from <pictures> --to <pictures>
  npm run calendar -- import  <address or file> [--to <place>] [--dry-run] [--watch 5m]
                              [--user <name> --password <password>]
                              [--source <old address or name>] [--prune-missing]
                              [--prune-at-most <number>] [--pictures] [--pictures-from <host>]
                              [--take-slugs]
                              [--report <file>]
  npm run calendar -- export  <file> [--from <place>]

  backup              copies a calendar at one version into a file of another account:
                      <address of a blob service>/<container>/<calendar>/<file>.jsonl
  restore             copies a backup, or another calendar, into an empty partition, its head last
  copy-pictures       copies uploaded pictures that the other container lacks, to back them
                      up and to restore them: <address of a blob service>/<container>/<calendar>
  import              copies a calendar with its ids and slugs: from the address of a site
                      whose calendar has this API, or from a file of export (.jsonl);
                      or creates events from iCalendar (.ics) or a table (.csv): a file, or
                      the address of one (https or webcal), such as that of a feed
  export              writes all records as JSON lines (.jsonl), or the events as iCalendar
                      (.ics) or as a table (.csv)
  --from, --to        <address of a table service>/<table>/<calendar>, with your sign-in (az login)
                      or the managed identity; or a connection string, then #<table>/<calendar>.
                      Without it import and export use the calendar of the settings (CALENDAR_*),
                      from the environment, else from local.settings.json, else that of a
                      running "npm start"
  --user, --password  sign in to the source site with an application password, to import
                      drafts and private records too; or to a feed that wants them
  --source            the address under which the records of a site were imported earlier,
                      for a site that has moved; http, https and www make no difference;
                      or the name of the calendar in a file or a feed, where it has none
  --prune-missing     move records to the trash that were imported from the site, and that
                      it has deleted (categories and tags are deleted), and events that a file
                      of a calendar with a name has no longer; without it they are listed.
                      What a site does not show any more is made private with or without it
  --prune-at-most     number of records that may be pruned; without it a run that would prune
                      more than 20, and more than a tenth, is refused before its first write
  --pictures          copy the pictures of the site too, with their sizes and those in texts, so that
                      the site can be switched off
  --pictures-from     a host beside that of the site which serves its pictures (a CDN, a bucket,
                      i0.wp.com), and from which they are copied; may be repeated. Without it
                      such pictures are named in the report, and stay there
  --report <file>     write the lists of the report whole into <file>.txt and <file>.json;
                      without it into .local/import/report.txt and .json
  --take-slugs        give the site the slugs of records that were created here, for a site that
                      moves here: their pages get other addresses. Without it they keep their
                      slugs, and those of the site get a number behind theirs
  --dry-run           print what an import would write, and write nothing; no comparison
  --watch <time>      repeat the import after this time (90s, 5m, 2h), until the command is stopped
  --help              print this text

A backup has the versions of the rows and can be copied back unchanged. A restored calendar
becomes visible with its head, the last row that is written; until then the service sees an
empty partition. An import can be stopped and run again: it resumes where it stopped, and
writes only records that changed. It stops before the first write when another record has an
id or a slug of the source. Passwords of events are imported where the user may edit the events;
else such an event is private and listed.
Values pass the same checks as a write over the API: refused lines and values are listed.

An import ends with status 0 when all is done, 1 when it was refused and nothing was written,
3 when it was partly done, and 2 for an invalid command line.`;

const command = 'npm run calendar';
const { values, positionals } = readArguments({ command, help, ...calendarArguments });
const { name, subject } = orUsage(command, () => commandIn(positionals, values));

// Loaded late, since the help needs none of it.
const { commands } = await import('./commands.ts');
await explained(() => commands[name](values, subject));
