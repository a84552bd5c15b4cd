/** Folders of T-SQL scripts that a test may change, and databases to migrate with them. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './temporary-folder.ts';

/** Creates a folder. Paths are such as `main/1.sql`. */
export function scriptFolder(files: Readonly<Record<string, string>>) {
  const folder = newFolder();
  const write = (path: string, content: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return { folder, write, remove: (path: string) => rmSync(join(folder, path)) };
}
