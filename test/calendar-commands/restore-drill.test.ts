/** Follows the restore drill of docs/restore.md line by line on local tables. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backup } from '../../scripts/calendar/backup.ts';
import { openBackupFile } from '../../scripts/calendar/backup-file.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { openPlace } from '../../scripts/calendar/place.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { connectionStringOfTables, localBlobs } from '../support/shared-emulators.ts';
import { save } from './support/as-editor.ts';

const root = join(import.meta.dirname, '../..');
const operations = readFileSync(join(root, 'docs/restore.md'), 'utf8');
const settings = { CALENDAR_SITE_URL: 'https://drill.example.org', CALENDAR_TIME_ZONE: 'Europe/Copenhagen' };

/** Returns the commands of the first block with a text, each in one line. */
function commandsWith(text: string): string[] {
  const blocks = [...operations.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const block = blocks.find((candidate) => candidate.includes(text)) ?? '';
  return block
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n');
}

test('a restored backup equals the calendar', async () => {
  const { tableName, calendar, connectionString } = newCalendar(connectionStringOfTables());
  const folder = mkdtempSync(join(tmpdir(), 'drill-'));
  const places: Readonly<Record<string, string>> = {
    'calendar/default': `${tableName}/${calendar}`,
    'drill/default': `${tableName}/${calendar}-drill`,
  };
  const ofBackup = `${localBlobs()}#backups/${calendar}/20260131T014300.jsonl`;
  const run = (command: string) => {
    const localCommand = command
      .replaceAll(
        /https:\/\/<\w+ account>\.table\.core\.windows\.net\/(\S+)/g,
        (_, place: string) => `${connectionString}#${places[place]}`,
      )
      .replaceAll(/https:\/\/<\w+ account>\.blob\.core\.windows\.net\/\S+/g, ofBackup);
    const words = localCommand.replace('npm run calendar -- ', '').trim().split(/\s+/);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts/calendar/main.ts'), ...words],
      { cwd: folder, env: { ...process.env, ...settings }, encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  const target = await openTarget(readConfig(settings), {
    endpoint: '',
    connectionString,
    tableName,
    calendar,
  });
  for (let day = 1; day <= 3; day += 1)
    await save(target, undefined, event(`Concert ${day}`, `2030-01-0${day}`));
  target.close();

  const drill = commandsWith('drill/default');
  expect(drill.map((command) => command.split(' ').slice(0, 5).join(' '))).toEqual([
    'az storage table create --account-name',
    'az storage blob list --account-name',
    'npm run calendar -- restore',
    'npm run calendar -- export',
    'npm run calendar -- export',
    'az storage table delete --account-name',
  ]);
  const [restore = '', ...exports] = drill.filter((command) => command.startsWith('npm run calendar'));
  const copied = await backup(
    await openPlace(`${connectionString}#${tableName}/${calendar}`),
    openBackupFile(ofBackup),
  );
  expect(run(restore)).toContain(`restore: ${copied.rows} rows, version ${copied.version}.`);
  for (const line of exports) run(line);
  const restored = readFileSync(join(folder, 'drill.csv'), 'utf8');
  const original = readFileSync(join(folder, 'events.csv'), 'utf8');
  expect(original.match(/Concert \d/g)).toEqual(['Concert 1', 'Concert 2', 'Concert 3']);
  expect(restored).toBe(original);
});

const event = (title: string, day: string) => ({
  title,
  start_date: `${day} 10:00:00`,
  end_date: `${day} 11:00:00`,
});
