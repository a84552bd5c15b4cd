/** A copy of the calendar and its pictures in the account for backups, whose rules remove old ones. */

import type { Context } from '../context.ts';
import { needOutput, textOutput } from '../outputs.ts';
import { outputsOf } from '../stacks/index.ts';
import { timeLimits } from '../time-limits.ts';

/** Copies the calendar at one version into a new file, and the pictures that the account lacks. Nothing that is there is changed or removed. */
export async function backupCalendar(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const from = needOutput(outputs, 'CALENDAR_PLACE');
  const pictures = needOutput(outputs, 'PICTURES_PLACE');
  const account = textOutput(outputs, 'BACKUP_BLOB_URL').replace(/\/$/, '');
  if (account === '')
    throw new Error(
      'The deployment has no account for backups: run the step provision with calendarBackup=true.',
    );
  const time = (context.today?.() ?? new Date()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const to = `${account}/backups/${from.split('/').at(-1)}/${time}.jsonl`;
  const calendar = (...words: string[]) =>
    context.run('npm', ['run', 'calendar', '--', ...words], {
      show: true,
      minutes: timeLimits.backup,
      // As the signed-in principal; a runner in Azure has an endpoint for identities that gives none.
      environment: { AZURE_TOKEN_CREDENTIALS: 'AzureCliCredential' },
    });
  await calendar('backup', '--from', from, '--to', to);
  // Behind the records: a picture that one of them shows is there already. What was deleted is not deleted in the copy.
  const place = pictures.split('/').slice(-2).join('/');
  await calendar('copy-pictures', '--from', pictures, '--to', `${account}/${place}`);
}
