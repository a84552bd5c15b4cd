/** `npm run calendar -- <command>`: work on a calendar as a whole, beside the service. */

import { explained, readArguments } from 'command-line';
import { backup } from './backup.ts';
import { openPlace } from './place.ts';
import { restore } from './restore.ts';

const help = `Works on a calendar as a whole, while the service runs.

  npm run calendar -- backup  --from <place> --to <place>
  npm run calendar -- restore --from <place> --to <place>

  backup              copies the calendar as it is at one version into another account
  restore             copies a backup into a partition that is empty, its head last
  --from, --to        <address of a table service>/<table>/<calendar>, with your sign-in (az login)
                      or the managed identity; or a connection string, then #<table>/<calendar>
  --help              print this

A backup keeps the versions of the rows, so it can be copied back as it is. A restored
calendar becomes visible with its head, the last row that is written; until then the
partition is empty to the service.`;

/** What each command does, from one place to another. Further ones have a file of their own. */
const commands: Readonly<Record<string, typeof backup>> = { backup, restore };

const { values, positionals } = readArguments({
  command: 'npm run calendar',
  help,
  allowPositionals: true,
  options: { from: { type: 'string' }, to: { type: 'string' } },
});

await explained(async () => {
  const [name = '', ...more] = positionals;
  const command = commands[name];
  if (!command || more.length > 0)
    throw new Error(
      `There is no command "${positionals.join(' ')}"; there are: ${Object.keys(commands).join(', ')}.`,
    );
  if (values.from === undefined || values.to === undefined)
    throw new Error(`${name} needs --from and --to; npm run calendar -- --help tells what they are.`);
  const { rows, version } = await command(await openPlace(values.from), await openPlace(values.to));
  console.log(`${name}: ${rows} rows, version ${version}.`);
});
