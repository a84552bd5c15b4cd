/** `npm run calendar` beside a running `npm start`: it finds the tables of that. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeRunning } from '../../local/index.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { connectionStringOfTables } from '../support/shared-emulators.ts';

const main = join(import.meta.dirname, '../../scripts/calendar/main.ts');

/** Runs the command without settings of its own but those given. Returns its exit status and output. */
function run(folder: string, settings: NodeJS.ProcessEnv, ...words: string[]) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:CALENDAR|DB)_/.test(name));
  const env = { ...Object.fromEntries(kept), NO_COLOR: '1', LOCAL_STATE: folder, ...settings };
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

test('it reads and writes the calendar of the start, or another one of its tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const { connectionString, calendar } = newCalendar(connectionStringOfTables());
  writeRunning(folder, {
    url: 'http://localhost:7071',
    settings: {
      CALENDAR_TABLE_CONNECTION_STRING: connectionString,
      CALENDAR_TABLE_NAME: 'tests',
      CALENDAR_NAME: calendar,
    },
  });
  const file = join(folder, 'a.csv');
  writeFileSync(file, 'title,start_date\nFair,2031-05-01\n');
  expect((await run(folder, {}, 'import', file)).output).toContain('import: 1 new');
  expect((await run(folder, {}, 'export', join(folder, 'b.csv'))).output).toBe('export: 2 records.\n');
  expect(readFileSync(join(folder, 'b.csv'), 'utf8')).toContain('Fair');
  // Its addresses are those that the start shows.
  await run(folder, {}, 'export', join(folder, 'b.ics'));
  expect(readFileSync(join(folder, 'b.ics'), 'utf8')).toContain('URL:http://localhost:7071/event/fair');
  const named = { CALENDAR_SITE_URL: 'https://new.example.org' };
  await run(folder, named, 'export', join(folder, 'd.ics'));
  expect(readFileSync(join(folder, 'd.ics'), 'utf8')).toContain('URL:https://new.example.org/event/fair');
  const other = { CALENDAR_NAME: `${calendar}-2` };
  expect((await run(folder, other, 'export', join(folder, 'c.csv'))).output).toBe('export: 0 records.\n');
});

test('without a start and without settings it says what is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  expect(await run(folder, {}, 'export', join(folder, 'a.csv'))).toEqual({
    status: 1,
    output:
      'No calendar is named: give a place (--from, --to), set CALENDAR_TABLE_ENDPOINT, or run "npm start" beside this command.\n',
  });
});
