/** `running.json`: what a running `npm start` tells the commands beside it, for as long as it runs. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { issuerFolder } from './identity/issuer-file.ts';
import { ownerFile } from './state-lock.ts';

export interface Running {
  /** Of the process that has written it. */
  readonly pid: number;
  /** URL of the app without its base path. */
  readonly url: string;
  /** The settings of the databases and of the calendar, as the app has them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Writes the file into the state folder, until this process ends. */
export function writeRunning(folder: string, { url, settings }: Omit<Running, 'pid'>): void {
  mkdirSync(folder, { recursive: true });
  const ofStores = Object.entries(settings).filter(([name]) => /^(?:DB|CALENDAR)_/.test(name));
  const running: Running = { pid: process.pid, url, settings: Object.fromEntries(ofStores) };
  writeFileSync(fileIn(folder), `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  process.once('exit', () => {
    if (readRunning(folder)?.pid === process.pid) rmSync(fileIn(folder), { force: true });
  });
}

/** Returns what a start with this folder has written, if it still runs. */
export function readRunning(folder: string): Running | undefined {
  if (!existsSync(fileIn(folder))) return undefined;
  const running = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Running;
  return isRunning(running.pid) ? running : undefined;
}

/** Checks whether a start has taken this folder, and does not serve yet. */
export function isStarting(folder: string): boolean {
  const owner = ownerFile(folder);
  return (
    existsSync(owner) && isRunning(Number(readFileSync(owner, 'utf8'))) && readRunning(folder) === undefined
  );
}

/**
 * Returns the folder, below the project, of a start. Without LOCAL_STATE, that is the start that keeps its state, or the one that keeps none
 * when only that runs.
 */
export function folderOfStart(root: string, localState: string | undefined): string {
  const persistent = resolve(root, issuerFolder(''));
  const memory = resolve(root, issuerFolder('memory'));
  if (localState) return resolve(root, issuerFolder(localState));
  return readRunning(persistent) === undefined && readRunning(memory) !== undefined ? memory : persistent;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fileIn(folder: string): string {
  return join(folder, 'running.json');
}
