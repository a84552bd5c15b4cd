/** The list of mutants that are set aside stays true. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { equivalentOf, readEquivalents } from '../../../../scripts/mutate/equivalents.ts';
import { type Mutant, mutantsOf } from '../../../../scripts/mutate/mutants.ts';

const root = join(import.meta.dirname, '../../../..');

describe('equivalents.json', () => {
  test('names mutants that there are, each with its reason', () => {
    const list = readEquivalents();
    const files = [...new Set(list.map(({ file }) => file))];
    const isListed = (mutant: Mutant) => equivalentOf(list, mutant) !== undefined;
    const mutants = files.flatMap((file) =>
      mutantsOf(file, readFileSync(join(root, file), 'utf8'), isListed),
    );
    const listed = new Set(mutants.map((mutant) => equivalentOf(list, mutant)));
    expect(list.filter((entry) => !listed.has(entry) || entry.reason === '')).toEqual([]);
  });
});
