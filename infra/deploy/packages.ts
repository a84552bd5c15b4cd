/** Packages that were pushed, kept so that a release can be taken back. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const retainedPackages = 5;

/** Keeps a copy of a package under the time of its push, and the last five in all. `folder` is one environment's. */
export function keepPackage(folder: string, file: string, now: Date): string {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, `${now.toISOString().replaceAll(/[:.]/g, '-')}.zip`);
  // Whole or not at all: half a package must not become the one before the last.
  copyFileSync(file, `${copy}.new`);
  renameSync(`${copy}.new`, copy);
  for (const old of packagesIn(folder).slice(retainedPackages)) rmSync(old);
  return copy;
}

/** The package that was pushed last; undefined without one. */
export function newestPackage(folder: string): string | undefined {
  return packagesIn(folder)[0];
}

/** Checks whether bytes are a zip with host.json at its top, by the list of files at its end. */
export function isPackage(zip: Buffer): boolean {
  const end = zip.lastIndexOf('PK\x05\x06');
  if (end < 0 || zip.length < end + 22) return false;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0 && at + 46 <= end; left -= 1) {
    const name = zip.readUInt16LE(at + 28);
    const extra = zip.readUInt16LE(at + 30);
    const comment = zip.readUInt16LE(at + 32);
    if (zip.toString('utf8', at + 46, at + 46 + name) === 'host.json') return true;
    at += 46 + name + extra + comment;
  }
  return false;
}

/** The package before the newest. Throws an error without one. */
export function previousPackage(folder: string): string {
  const [, previous] = packagesIn(folder);
  if (previous === undefined)
    throw new Error(`There is no earlier package in ${folder}: push one with --package <file>.`);
  return previous;
}

/** Takes the newest package away, after the one before it was pushed again. */
export function forgetNewestPackage(folder: string): void {
  const [newest] = packagesIn(folder);
  if (newest !== undefined) rmSync(newest);
}

/** The packages in a folder, the newest first. */
function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.zip'));
  return names
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}
