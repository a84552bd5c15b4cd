/** `npm run calendar -- <command>`: work on a calendar as a whole, beside the service. */

import { explained, readArguments } from 'command-line';

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

// What does the work takes longer to load than an explanation to read.
const { runCommand } = await import('./commands.ts');
await explained(() => runCommand(positionals, values));
