/** The sample calendar is loaded as a whole: a start that was interrupted while it did so has left a part, and the next one begins anew. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Fills the empty calendar that a folder of tables keeps; while it does, a mark says so. */
export async function fillWhole(tables: string | undefined, fill: () => Promise<void>): Promise<void> {
  if (tables === undefined) return fill();
  mkdirSync(tables, { recursive: true });
  writeFileSync(markIn(tables), '');
  await fill();
  rmSync(markIn(tables));
}

/** Empties a folder of tables whose calendar was not filled to its end: nothing else had been in it before. */
export function dropUnfinished(tables: string): void {
  if (existsSync(markIn(tables))) rmSync(tables, { recursive: true });
}

function markIn(tables: string): string {
  return join(tables, 'filling');
}
