/** Applies T-SQL scripts to the two databases, once each: a journal table remembers which, and in which state. */

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../shared/sql/database.ts';
import type { Databases } from '../shared/sql/databases.ts';
import { nvarchar, rowsOf } from '../shared/sql/values.ts';

const createJournal = `
IF OBJECT_ID(N'dbo.tSchemaJournal', N'U') IS NULL
CREATE TABLE dbo.tSchemaJournal (
    script nvarchar(200) NOT NULL,
    digest nvarchar(64) NOT NULL,
    appliedAt datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    CONSTRAINT PK_tSchemaJournal PRIMARY KEY (script)
);`;

const selectJournal = 'SELECT script, digest FROM dbo.tSchemaJournal';

const writeJournal = `
UPDATE dbo.tSchemaJournal SET digest = @digest, appliedAt = SYSUTCDATETIME() WHERE script = @script;
IF @@ROWCOUNT = 0 INSERT INTO dbo.tSchemaJournal (script, digest) VALUES (@script, @digest);`;

/** Called for each script: what is being done with it. */
export type Progress = (script: string, action: 'apply' | 'skip') => void;

/**
 * Applies the scripts of a folder, `main/*.sql` to the main database and `customization/*.sql` to the customization
 * database, each in the order of the names. A script that was applied before and has not changed since is skipped. Throws when the folder has neither.
 */
export async function applyScripts(databases: Databases, folder: string, progress: Progress): Promise<void> {
  const found = (['main', 'customization'] as const).filter((name) => existsSync(join(folder, name)));
  if (found.length === 0)
    throw new Error(
      `Cannot apply scripts: ${folder} holds neither a folder main nor a folder customization.`,
    );
  for (const name of found) await applyTo(databases[name], join(folder, name), progress);
}

async function applyTo(database: Database, folder: string, progress: Progress): Promise<void> {
  await database.query(createJournal);
  const [found] = await database.query(selectJournal);
  const journal = new Map(rowsOf(found).map((row) => [row['script'], row['digest']]));
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    const content = readFileSync(join(folder, file), 'utf8').replace(/^\uFEFF/, '');
    const script = journalName(folder, file);
    const digest = hash('sha256', content.replaceAll('\r\n', '\n'));
    const applied = journal.get(script) === digest;
    progress(script, applied ? 'skip' : 'apply');
    if (!applied) await applyScript(database, script, digest, content);
  }
}

/** The last parts of the path, so that it does not matter where the project stands: `database/main/010-languages.sql`. */
function journalName(folder: string, file: string): string {
  return [...folder.split(/[\\/]/).slice(-2), file].join('/');
}

async function applyScript(
  database: Database,
  script: string,
  digest: string,
  content: string,
): Promise<void> {
  for (const { line, text } of batches(content)) {
    await database.query(text, {}, { repeatable: false }).catch((cause: unknown) => {
      throw new Error(`Cannot apply ${script}: the batch that starts in line ${line} failed`, { cause });
    });
  }
  await database.query(writeJournal, { script: nvarchar(script, 200), digest: nvarchar(digest, 64) });
}

/** Splits a script at the lines that hold only GO, as sqlcmd does; batches without any statement are left out. */
export function batches(script: string): { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = [];
  let start = 0;
  const lines = script.split(/\r?\n/);
  for (const [index, content] of [...lines, 'GO'].entries()) {
    if (!/^\s*GO\s*;?\s*$/i.test(content)) continue;
    const text = lines.slice(start, index).join('\n');
    if (text.replace(/^\s*--.*$/gm, '').trim() !== '') found.push({ line: start + 1, text });
    start = index + 1;
  }
  return found;
}
