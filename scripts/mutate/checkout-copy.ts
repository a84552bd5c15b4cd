/** A copy of a checkout, whose files change while the checkout itself stays usable. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the files of a checkout that git does not ignore, as paths from its root. */
export function projectFiles(root: string): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  return names.filter((name) => name !== '' && existsSync(join(root, name)));
}

/** Copies a checkout, with links to its dependencies, into a temporary folder, which is removed when this process exits. */
export function copyCheckout(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const copy = join(folder, 'checkout');
  for (const file of projectFiles(root)) cpSync(join(root, file), join(copy, file));
  linkDependencies(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Links each dependency by itself: links to packages of the workspace are relative, so they lead to the copies. */
function linkDependencies(source: string, target: string): void {
  mkdirSync(target);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const path = join(source, entry.name);
    const link = join(target, entry.name);
    if (entry.isSymbolicLink()) cpSync(path, link, { recursive: true, verbatimSymlinks: true });
    // Caches of tools are not shared.
    else if (!/^\.(cache|vite)/.test(entry.name)) symlinkSync(path, link);
  }
}
