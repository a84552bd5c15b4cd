/** A copy of the project in which files can be changed while the project itself is worked on. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Scratch {
  readonly folder: string;
  /** Replaces the text of a file. */
  write(file: string, text: string): void;
  remove(): void;
}

/** Returns the files of a project that are not ignored, as paths from its root. */
export function projectFiles(root: string): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
  return [...new Set(names)].filter(
    (name) => name !== '' && statSync(join(root, name), { throwIfNoEntry: false })?.isFile(),
  );
}

/** Copies files of a project into a folder of the system for temporary ones, and links its dependencies. */
export function makeScratch(root: string, files: readonly string[]): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  linkDependencies(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Links each package by itself, so that those of the workspace can be the copies. */
function linkDependencies(source: string, target: string): void {
  mkdirSync(target);
  const packages = join(target, '..', 'packages');
  const copied = existsSync(packages) ? readdirSync(packages) : [];
  // What tools keep between runs, they keep in a folder of the copy.
  for (const name of readdirSync(source).filter((entry) => !/^\.(vite|vitest)/.test(entry)))
    symlinkSync(join(copied.includes(name) ? packages : source, name), join(target, name));
}
