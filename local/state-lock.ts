/** Keeps two dev stacks from sharing one state folder, which would overwrite each other's data. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { damaged } from './check-state.ts';

/**
 * Takes the folder for this process until it exits; throws when another running process has it. The lock is one of the operating system
 * (SQLite takes it on a separate file), so it ends with its process in any case.
 */
export function lockStateFolder(folder: string): void {
  const lock = openLock(folder);
  const owner = ownerFile(folder);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (!/locked/.test(String(error))) throw damaged(folder, join(folder, 'lock.sqlite'), error as Error);
    throw new Error(advice(folder, existsSync(owner) ? `process ${readFileSync(owner, 'utf8')}` : 'it'), {
      cause: error,
    });
  }
  writeFileSync(owner, String(process.pid));
  process.once('exit', () => {
    rmSync(owner, { force: true });
    lock.close();
  });
}

/** Returns the file that names the process that has a folder. */
export function ownerFile(folder: string): string {
  return join(folder, 'running.pid');
}

/**
 * Takes the folder of one emulator for this process until it exits, once its predecessor has released it. That one may still be saving
 * after its dev stack was killed. Throws after 20 seconds.
 */
export function takeOverFolder(folder: string): void {
  const lock = openLock(folder, 20_000);
  lock.exec('BEGIN EXCLUSIVE');
  process.once('exit', () => lock.close());
}

function openLock(folder: string, timeout = 0): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true });
    return new DatabaseSync(join(folder, 'lock.sqlite'), { timeout });
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`Cannot keep the state in ${folder} (LOCAL_STATE): ${message}.`, { cause });
  }
}

function advice(folder: string, owner: string): string {
  return [
    `npm start runs already: ${owner} has the state in ${folder}.`,
    'Stop that one, or start another one beside it: PORT=0 LOCAL_STATE=memory npm start',
  ].join('\n');
}
