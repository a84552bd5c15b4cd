/** Exit statuses of `npm run calendar -- import`: 0 done, 1 refused, 2 an invalid command line, 3 partly done. */

import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar } from '../support/calendar-log.ts';
import { connectionStringOfTables } from '../support/shared-emulators.ts';

const folder = mkdtempSync(join(tmpdir(), 'status-'));
const main = join(import.meta.dirname, '../../scripts/calendar/main.ts');

/** Runs the command. Returns its exit status and output. */
function run(...words: string[]): Promise<{ status: number; output: string }> {
  const { connectionString, calendar } = newCalendar(connectionStringOfTables());
  const env = {
    ...process.env,
    CALENDAR_TABLE_CONNECTION_STRING: connectionString,
    CALENDAR_NAME: calendar,
    NO_COLOR: '1',
    CALENDAR_TABLE_NAME: 'tests',
    CALENDAR_SITE_URL: 'https://new.example.org',
    LOCAL_STATE: folder,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const table = (...lines: string[]) => `${['title,start_date', ...lines].join('\n')}\n`;

test.each<[status: number, title: string, words: () => string[], output: RegExp]>([
  [0, 'all records', () => ['import', file('a.csv', table('A,2031-01-01'))], /import: 1 new, 0 changed/],
  [
    3,
    'some records',
    () => ['import', file('b.csv', table('A,2031-01-01', 'B,never'))],
    /refused: line 3: start_date/,
  ],
  [1, 'no record', () => ['import', file('c.csv', table('B,never'))], /refused: line 2: start_date/],
  [1, 'no file', () => ['import', join(folder, 'none.csv')], /^The file .*none\.csv does not exist\.\n$/],
  [2, 'an unknown option', () => ['import', 'x', '--unknown'], /Unknown option/],
  [2, 'an option of another command', () => ['export', 'x.csv', '--to', 'x'], /^export takes no --to\.\n/],
  [2, 'a command without what it needs', () => ['restore', '--from', 'x'], /^restore needs --to\.\n/],
  [2, 'a command without its file', () => ['import'], /^import needs an address or a file\.\n/],
  [
    2,
    'a follower that takes slugs',
    () => ['import', 'x', '--watch', '5m', '--take-slugs'],
    /^--take-slugs is for a site that moves here, once: not with --watch\.\n/,
  ],
  [
    2,
    'a number of records that is none',
    () => ['import', 'x', '--prune-at-most', 'many'],
    /^--prune-at-most must be a number of records, not "many"\.\n/,
  ],
  [2, 'no command', () => ['imports', 'x'], /^No command "imports x" exists\. The commands are: backup, /],
])('is %d for %s', async (status, _title, words, output) => {
  expect(await run(...words())).toEqual({ status, output: expect.stringMatching(output) });
});

test('an import whose writes fail after the first is partly done, and can be run again', async () => {
  const settings = newCalendar(connectionStringOfTables());
  const config = readConfig({ CALENDAR_SITE_URL: 'https://new.example.org', CALENDAR_TIME_ZONE: 'UTC' });
  const lines = Array.from({ length: 100 }, (_, index) =>
    JSON.stringify({ kind: 'category', id: index + 1, name: `C${index}`, slug: `c${index}` }),
  );
  const subject = file(
    'e.jsonl',
    ['{"format":"calendar-records-1","source":"https://old.example.org"}', ...lines].join('\n'),
  );
  const output: string[] = [];
  const options = { isDryRun: false, say: (line: string) => output.push(line), folder };
  const target = await openTarget(config, settings);
  const decide = () => Promise.reject(new Error('The disk is full.'));
  const refused = importCommand(subject, { ...(await openTarget(config, settings)), decide }, options);
  await expect(refused).rejects.toThrow(/^The disk is full/);
  let writes = 0;
  const failing: typeof target = {
    ...target,
    decide: (decision) => {
      writes += 1;
      return writes > 1 ? Promise.reject(new Error('The disk is full.')) : target.decide(decision);
    },
  };
  expect(await importCommand(subject, failing, options)).toBe('partlyDone');
  expect(output.at(-1)).toBe(
    'Partly done: 32 of 100 records were written. The disk is full. Run the import again: it writes what is missing.',
  );
  expect(await importCommand(subject, await openTarget(config, settings), options)).toBe('done');
  expect(output.at(-1)).toBe('import: 68 new, 0 changed, 32 unchanged.');
});
