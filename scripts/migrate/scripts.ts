/** The scripts of a folder: `main/*.sql` and `customization/*.sql`, in the order of their names. */

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The databases by the names of their folders. */
export const databaseKinds = ['main', 'customization'] as const;

export type DatabaseKind = (typeof databaseKinds)[number];

export interface Script {
  /** The last parts of its path, independent of the place of the checkout: `database/main/010-languages.sql`. */
  readonly name: string;
  /** SHA-256 of the content, without a byte order mark and with normalized line breaks. */
  readonly digest: string;
  readonly content: string;
  /** Whether a changed script runs again: its first line is `-- repeatable`. */
  readonly repeatable: boolean;
  /** Whether the script runs inside a transaction; false when one of its first two lines is `-- no transaction`. */
  readonly transaction: boolean;
}

export interface ScriptSet {
  readonly database: DatabaseKind;
  /** The prefix of the names of its scripts: `database/main/`. */
  readonly prefix: string;
  readonly scripts: readonly Script[];
}

/** Reads the scripts of a folder. Throws for a folder without main and customization. */
export function readScripts(folder: string): ScriptSet[] {
  const sets = databaseKinds.map((database) => readSet(folder, database));
  if (sets.every(({ scripts }) => scripts === undefined))
    throw new Error(
      `Cannot apply scripts: ${folder} holds neither a folder main nor a folder customization.`,
    );
  return sets.map(({ scripts = [], ...set }) => ({ ...set, scripts }));
}

function readSet(folder: string, database: DatabaseKind) {
  const parts = folder.split(/[\\/]/).filter((part) => part !== '');
  const prefix = `${parts.at(-1) ?? ''}/${database}/`;
  const path = join(folder, database);
  if (!existsSync(path)) return { database, prefix };
  const files = readdirSync(path).filter((name) => name.endsWith('.sql'));
  return {
    database,
    prefix,
    scripts: files.sort().map((file) => toScript(prefix + file, readFileSync(join(path, file), 'utf8'))),
  };
}

function toScript(name: string, file: string): Script {
  const content = file.replace(/^\uFEFF/, '');
  const lines = content.split(/\r?\n/);
  return {
    name,
    content,
    digest: hash('sha256', content.replaceAll('\r\n', '\n')),
    repeatable: /^--\s*repeatable\b/i.test(lines[0] ?? ''),
    transaction: !lines.slice(0, 2).some((line) => /^--\s*no transaction\b/i.test(line)),
  };
}
