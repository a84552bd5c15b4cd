/** `npm run sql`: runs T-SQL in one of the two databases, from files, from standard input, or line by line. */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { readConfig } from '../shared/config.ts';
import { explained, readArguments } from './command-line.ts';
import { batches } from './migrate/batches.ts';
import { databaseSettings } from './settings-beside-start.ts';
import { formatResult } from './sql/format-result.ts';
import { openSession, type Session } from './sql/session.ts';

const root = join(import.meta.dirname, '..');

const help = `Runs T-SQL in the customization database (or the main one) and prints the results.

  npm run sql -- [--database main|customization] [<file>]...

  <file>           a script; without one: standard input, which on a terminal is a prompt
                   where GO, or an empty line after a semicolon, runs what was typed
  --database main  the main database (default: the customization database)
  --help           this text

GO alone on a line separates batches. The first batch that fails ends a script; on the prompt it goes on.
The server is the one that DB_SERVER names (environment, else local.settings.json), with the settings
that "npm run migrate -- --help" lists; else that of the running "npm start".`;

/** Milliseconds for a batch. */
const batchTime = 10 * 60_000;

const { values, positionals } = readArguments({
  command: 'npm run sql',
  help,
  options: { database: { type: 'string', default: 'customization' } },
  allowPositionals: true,
});

await explained(async () => {
  if (values.database !== 'main' && values.database !== 'customization')
    throw new Error(`--database is "main" or "customization", not "${values.database}".`);
  const config = readConfig(databaseSettings(root, process.env));
  const name = values.database === 'main' ? config.DB_NAME : config.DB_CUSTOMIZATION_NAME;
  const session = await openSession(config, name, batchTime);
  try {
    if (positionals.length === 0 && process.stdin.isTTY) await prompt(session, name);
    else for (const script of await scripts()) await run(session, script);
  } finally {
    await session.close();
  }
});

/** npm runs in the project's folder, but the user may be in another one. */
async function scripts(): Promise<string[]> {
  if (positionals.length === 0) return [await text(process.stdin)];
  const folder = process.env['INIT_CWD'] ?? process.cwd();
  return positionals.map((file) => readFileSync(resolve(folder, file), 'utf8'));
}

async function run(session: Session, script: string): Promise<void> {
  for (const { text: batch, line, count } of batches(script)) {
    for (let number = 1; number <= count; number++) {
      const results = await session.batch(batch).catch((cause: Error) => {
        throw new Error(`The batch that starts in line ${line} failed: ${cause.message}`, { cause });
      });
      for (const result of results) console.log(formatResult(result));
    }
  }
}

async function prompt(session: Session, name: string): Promise<void> {
  console.log(`${name}: GO, or an empty line after a semicolon, runs what you have typed. Ctrl-D ends.`);
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  let typed = '';
  lines.prompt();
  for await (const line of lines) {
    typed += `${line}\n`;
    if (/^\s*GO\s*;?\s*$/i.test(line) || (line.trim() === '' && typed.trimEnd().endsWith(';'))) {
      await run(session, typed).catch((error: Error) => console.error(error.message));
      typed = '';
    }
    lines.prompt();
  }
}
