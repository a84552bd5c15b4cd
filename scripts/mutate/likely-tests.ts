/** Which test files may notice a mutant, and in which order: those that run the changed part, the likely and cheap ones first. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Coverage, type CoveredRegion, digest } from './coverage.ts';
import type { Journal } from './journal.ts';
import type { Mutant } from './mutants.ts';
import { type Node, parse } from './syntax.ts';

export interface LikelyTests {
  readonly root: string;
  readonly coverage: Coverage;
  /** The tests that reach a file as far as imports tell, for files that no test was seen to run. */
  readonly related: (file: string) => readonly string[];
  readonly journal: Pick<Journal, 'noticedBy' | 'successOf'>;
}

/** Returns a function that gives the test files for a mutant in the order in which they are worth running. */
export function likelyTests(sources: LikelyTests): (mutant: Mutant) => readonly string[] {
  const { coverage, related, journal } = sources;
  const widths = widthsOf(coverage);
  const declarations = declarationsOf(sources);
  return (mutant) => {
    const { file } = mutant;
    const regions = coverage.files[file]?.regions ?? [];
    const seen = regions.some(({ tests }) => tests.length > 0);
    const found = seen ? testsOfPlace(sources, mutant, regions, declarations) : related(file);
    const usable = [...found].filter((test) => coverage.tests[test]?.passed !== false);
    const earlier = journal.noticedBy(file);
    const worth = (test: string) =>
      (shareWords(file, test) *
        journal.successOf(test) *
        (1 + 3 * earlier.filter((one) => one === test).length)) /
      Math.sqrt(100 + (widths.get(test) ?? 1000)) /
      (1000 + (coverage.tests[test]?.milliseconds ?? 10_000));
    const worths = new Map(usable.map((test) => [test, worth(test)]));
    return usable.sort((one, other) => (worths.get(other) ?? 0) - (worths.get(one) ?? 0));
  };
}

/** How many regions each test file enters: who enters few knows what it is about. */
function widthsOf(coverage: Coverage): ReadonlyMap<string, number> {
  const widths = new Map<string, number>();
  for (const { regions } of Object.values(coverage.files))
    for (const { tests } of regions) for (const test of tests) widths.set(test, (widths.get(test) ?? 0) + 1);
  return widths;
}

function testsOfPlace(
  { root, coverage }: LikelyTests,
  { file, start, end }: Mutant,
  regions: readonly CoveredRegion[],
  declarations: Declarations,
): ReadonlySet<string> {
  // The places are those of an older text.
  if (coverage.files[file]?.digest !== digest(root, file)) return union(regions);
  const around = regions.filter((one) => one.start <= start && end <= one.end);
  const inner = around.reduce<CoveredRegion | undefined>(
    (best, one) => (best === undefined || one.end - one.start <= best.end - best.start ? one : best),
    undefined,
  );
  return inner === undefined ? declarations.users(file, start) : new Set(inner.tests);
}

function union(regions: readonly CoveredRegion[]): ReadonlySet<string> {
  return new Set(regions.flatMap(({ tests }) => tests));
}

interface Declarations {
  /** Returns the tests that enter what uses the declaration at a place outside of all functions. */
  users(file: string, at: number): ReadonlySet<string>;
}

interface Statement {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly names: readonly string[];
}

/**
 * Constants of a module are read when it is loaded, which every test does. What tells more is who enters a function that
 * names them, or one that names a constant which is made of them.
 */
function declarationsOf({ root, coverage }: LikelyTests): Declarations {
  const files = new Map<string, { text: string; statements: readonly Statement[] }>();
  const load = (file: string) => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(root, file), 'utf8');
    const loaded = { text, statements: statementsOf(file, text) };
    files.set(file, loaded);
    return loaded;
  };
  const isCurrent = (file: string) => coverage.files[file]?.digest === digest(root, file);
  return {
    users(file, at) {
      const tests = new Set<string>();
      const first = load(file).statements.find(({ start, end }) => start <= at && at < end);
      const statements = new Set(first === undefined ? [] : [first]);
      for (const { names, file: home } of statements)
        for (const name of names)
          for (const user of Object.keys(coverage.files).filter(isCurrent)) {
            const { text, statements: others } = load(user);
            if (user !== home && !text.includes(basename(home))) continue;
            for (const { index } of text.matchAll(new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`, 'g'))) {
              const region = innermost(coverage.files[user]?.regions ?? [], index);
              if (region !== undefined) for (const test of region.tests) tests.add(test);
              else for (const one of others) if (one.start <= index && index < one.end) statements.add(one);
            }
          }
      return tests.size > 0 ? tests : union(coverage.files[file]?.regions ?? []);
    },
  };
}

function innermost(regions: readonly CoveredRegion[], at: number): CoveredRegion | undefined {
  return regions
    .filter(({ start, end }) => start <= at && at < end)
    .reduce<CoveredRegion | undefined>(
      (best, one) => (best === undefined || one.end - one.start <= best.end - best.start ? one : best),
      undefined,
    );
}

/** The statements of a module that declare something, imports aside. */
function statementsOf(file: string, text: string): Statement[] {
  const body = (parse(text, file)?.['body'] ?? []) as readonly Node[];
  return body.flatMap((node) => {
    const declaration = (node['declaration'] ?? node) as Node;
    const declared = (declaration['declarations'] ?? [declaration]) as readonly Node[];
    const names = declared.flatMap((one) => {
      const name = (one['id'] as Node | undefined)?.['name'];
      return typeof name === 'string' ? [name] : [];
    });
    return names.length === 0 ? [] : [{ file, start: node.start, end: node.end, names }];
  });
}

/** How much the path of a test has in common with that of a file: 1 when nothing. */
function shareWords(file: string, test: string): number {
  const words = new Set(wordsOf(file));
  const last = wordsOf(basename(file));
  return wordsOf(test).reduce((sum, word) => sum * (last.includes(word) ? 4 : words.has(word) ? 2 : 1), 1);
}

/** The words of a path, in the singular. */
function wordsOf(path: string): string[] {
  return path
    .replace(/\.test\.ts$|\.tsx?$/, '')
    .split(/[/-]/)
    .map((word) => word.replace(/s$/, ''));
}
