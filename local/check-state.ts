/** Checks what a start finds of an earlier one: a file that is damaged is named, with what to do. */

import { createPrivateKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlServerFolder } from './emulators.ts';

/** Read the files of the state by the ends of their names, and throw where one is damaged. */
const readers: Readonly<Record<string, (file: string) => void>> = {
  '.json': (file) => void JSON.parse(readFileSync(file, 'utf8')),
  '.pem': (file) => void createPrivateKey(readFileSync(file, 'utf8')),
  '.sqlite': checkDatabase,
};

/** The parts of a state folder: its own files, and the folders of emulators. Tools keep other things beside them. */
const parts = ['.', 'tables', 'blobs', sqlServerFolder];

/** Throws an error that names the first damaged file of a state folder. Files that another process holds are not looked at: its lock comes first. */
export function checkState(folder: string): void {
  const folders = parts.map((part) => join(folder, part)).filter((part) => existsSync(part));
  const files = folders.flatMap((part) => readdirSync(part).map((name) => join(part, name)));
  for (const file of files.toSorted()) {
    // The lock itself is held by now.
    if (basename(file) === 'lock.sqlite') continue;
    try {
      readers[extname(file)]?.(file);
    } catch (cause) {
      throw damaged(folder, file, cause as Error);
    }
  }
}

/** The error for a damaged file of a state folder. */
export function damaged(folder: string, file: string, cause: Error): Error {
  const advice = `Put it back from a copy of ${folder}, or delete that folder: the next start makes it anew, with the sample data.`;
  return new Error(
    `Cannot use the state of the last start: ${file} is damaged (${cause.message}).\n${advice}`,
    {
      cause,
    },
  );
}

function checkDatabase(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const [result] = database.prepare('PRAGMA quick_check(1)').all();
    const outcome = String(Object.values(result ?? {})[0]);
    if (outcome !== 'ok') throw new Error(outcome);
  } finally {
    database.close();
  }
}
