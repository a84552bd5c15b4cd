/** A copy of the calendar and its pictures in the account for backups, and an end to old ones. */

import type { Context } from '../context.ts';
import { needOutput, textOutput } from '../outputs.ts';
import { outputsOf } from '../stacks/index.ts';

/** Backups that are kept: those of the last 35 days on which there was one. */
const retentionDays = '35';

/** Copies the calendar at one version into a table of today, and removes tables beyond those that are kept. */
export async function backupCalendar(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const from = needOutput(outputs, 'CALENDAR_PLACE');
  const account = textOutput(outputs, 'BACKUP_ACCOUNT_URL');
  if (account === '')
    throw new Error(
      'The deployment has no account for backups: run the step provision with --set calendarBackup=true.',
    );
  const table = `backup${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
  const to = `${account.replace(/\/$/, '')}/${table}/${from.split('/').at(-1)}`;
  const calendar = (...words: string[]) =>
    context.run('npm', ['run', 'calendar', '--', ...words], {
      show: true,
      minutes: 90,
      // As the signed-in principal; a runner in Azure has an endpoint for identities that gives none.
      environment: { AZURE_TOKEN_CREDENTIALS: 'AzureCliCredential' },
    });
  await calendar('backup', '--from', from, '--to', to);
  // Behind the records: a picture that one of them shows is there already. What was deleted is not deleted in the copy.
  const pictures = needOutput(outputs, 'PICTURES_PLACE');
  const blobs = needOutput(outputs, 'BACKUP_BLOB_URL').replace(/\/$/, '');
  const place = pictures.split('/').slice(-2).join('/');
  await calendar('copy-pictures', '--from', pictures, '--to', `${blobs}/${place}`);
  await calendar('prune', '--to', to, '--keep', retentionDays);
}
