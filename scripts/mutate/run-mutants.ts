/** Tries mutants one after another in a copy of the checkout. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout } from './checkout-copy.ts';
import type { Mutant } from './mutants.ts';
import { runTests, type TestResult, type TestTable, testRunsOf } from './tests.ts';

/** Returns the outcome of each mutant, and logs it. Throws when the tests fail without any mutant. */
export async function runMutants(
  root: string,
  mutants: readonly Mutant[],
  table: TestTable,
  log: (line: string) => void,
): Promise<ReadonlyMap<Mutant, TestResult['outcome']>> {
  const copy = copyCheckout(root);
  const outcomes = new Map<Mutant, TestResult['outcome']>();
  /** Test files that pass without a mutant: tests that cannot run at all would kill every mutant. */
  const verified = new Set<string>();
  for (const mutant of mutants) {
    const testRuns = testRunsOf(mutant.file, table, root);
    const { outcome, file, test } = await tryMutant(copy, mutant, testRuns);
    if (outcome === 'killed' && !verified.has(file)) {
      const original = await firstFailure(copy, file === '' ? testRuns : [['run', file]]);
      if (original.outcome !== 'survived')
        throw new Error(`The tests fail without any mutant: ${original.file} ${original.test}`.trimEnd());
      verified.add(file);
    }
    outcomes.set(mutant, outcome);
    const count = `${outcomes.size}/${mutants.length}`.padStart(9);
    const place = `${mutant.file}:${mutant.line}  ${mutant.kind}`;
    log(`${count}  ${outcome.padEnd(9)}  ${place}  ${file} ${test}`.trimEnd());
  }
  return outcomes;
}

async function tryMutant(copy: string, mutant: Mutant, testRuns: readonly string[][]): Promise<TestResult> {
  const path = join(copy, mutant.file);
  const original = readFileSync(path);
  writeFileSync(path, mutant.text);
  const result = await firstFailure(copy, testRuns);
  writeFileSync(path, original);
  return result;
}

async function firstFailure(copy: string, testRuns: readonly string[][]): Promise<TestResult> {
  let result: TestResult = { outcome: 'untested', file: '', test: '' };
  for (const words of testRuns) {
    const { outcome, ...failure } = await runTests(copy, words);
    if (outcome !== 'untested') result = { outcome, ...failure };
    if (outcome === 'killed' || outcome === 'timed out') break;
  }
  return result;
}
