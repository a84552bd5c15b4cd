/**
 * Tells whether a folder still holds the result of the last build. A build that would change nothing is skipped: it takes seconds, and every
 * start asks for one.
 */

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/**
 * The size and modification time of each file, by its path from the folder of the note, so that a copy of a checkout is compared with its
 * own files.
 */
type Stamps = Readonly<Record<string, string>>;

/** Milliseconds before the start of a build in which a change may have come too late for it, since clocks of file systems are coarse. */
const margin = 1_000;

/** Checks whether all files are as they were noted in a file; false where nothing is noted. */
export function isUpToDate(note: string): boolean {
  try {
    const noted = Object.entries(JSON.parse(readFileSync(note, 'utf8')) as Stamps);
    return (
      noted.length > 0 && noted.every(([path, stamp]) => stampOf(resolve(dirname(note), path)) === stamp)
    );
  } catch {
    return false;
  }
}

/**
 * Records the state of the files that a build has read and written. Records nothing when a file that was read has changed since the build
 * began, at a time in milliseconds.
 */
export function noteBuild(
  note: string,
  read: readonly string[],
  written: readonly string[],
  began: number,
): void {
  const cameTooLate = (path: string) => existsSync(path) && statSync(path).mtimeMs > began - margin;
  if (read.some(cameTooLate)) return;
  const stamps: Stamps = Object.fromEntries(
    [...read, ...written].map((path) => [relative(dirname(note), path), stampOf(path)]),
  );
  writeFileSync(note, JSON.stringify(stamps));
}

/** Forgets what is noted in a file. */
export function forget(note: string): void {
  rmSync(note, { force: true });
}

function stampOf(path: string): string {
  const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${size} ${mtimeMs}`;
}
