/** Mutants that make no difference that anybody could see: looked at by hand, each with its reason. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

/** A mutant that is set aside: its lines without the spaces around them, so that it is found wherever it moves in its file. */
export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

/** Reads the list that is kept beside this file. */
export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'equivalents.json'), 'utf8')) as Equivalent[];
}

/** Returns the entry of a list that names a mutant. */
export function equivalentOf(
  list: readonly Equivalent[],
  { file, before, after }: Mutant,
): Equivalent | undefined {
  return list.find((one) => one.file === file && one.before === before.trim() && one.after === after.trim());
}
