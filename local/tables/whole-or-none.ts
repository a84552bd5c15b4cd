/** Fills tables as a whole: a start that is interrupted while it fills them leaves a part, and the next one begins anew. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Fills the empty tables of a folder; while it does, a mark says so. */
export async function fillWhole(folder: string | undefined, fill: () => Promise<void>): Promise<void> {
  if (folder === undefined) return fill();
  mkdirSync(folder, { recursive: true });
  writeFileSync(markIn(folder), '');
  await fill();
  rmSync(markIn(folder));
}

/** Checks whether the tables of a folder were not filled to their end. */
export function isUnfinished(folder: string | undefined): boolean {
  return folder !== undefined && existsSync(markIn(folder));
}

/** Empties the tables of a folder that were not filled to their end: nothing else had been in them before. */
export function dropUnfinished(folder: string): void {
  if (!isUnfinished(folder)) return;
  rmSync(tablesFile(folder), { force: true });
  rmSync(markIn(folder));
}

/** Returns the file in which Azurite keeps the tables of a folder. */
export function tablesFile(folder: string): string {
  return join(folder, 'tables.json');
}

function markIn(folder: string): string {
  return join(folder, 'filling');
}
