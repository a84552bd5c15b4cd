/** Keeps two local clouds from sharing one state folder, which would overwrite each other's data. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Takes the folder for this process until it exits; throws when another process that still runs has it. */
export function lockStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'running.pid');
  if (!tryToCreate(file)) {
    const owner = Number(readFileSync(file, 'utf8'));
    if (isRunning(owner)) throw new Error(advice(folder, owner));
    rmSync(file, { force: true });
    if (!tryToCreate(file)) throw new Error(advice(folder, Number(readFileSync(file, 'utf8'))));
  }
  process.once('exit', () => rmSync(file, { force: true }));
}

function tryToCreate(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function advice(folder: string, owner: number): string {
  return `The state in ${folder} is in use by process ${owner}. Stop that one, or choose another folder: LOCAL_STATE=memory npm start`;
}
