/** Tries mutants one after another in a scratch copy, and tells how each ended. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Equivalent, equivalentOf } from './equivalents.ts';
import type { Journal, Outcome } from './journal.ts';
import type { Mutant } from './mutants.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { type Limits, type TestRunner, testRunner } from './test-runner.ts';

export interface Run {
  readonly root: string;
  /** The files of the project. */
  readonly files: readonly string[];
  readonly mutants: readonly Mutant[];
  /** The test files that may notice a mutant, in the order in which they run. */
  readonly testsOf: (mutant: Mutant) => readonly string[];
  /** Milliseconds that a test file takes without a mutant. */
  readonly timeOf: (test: string) => number;
  /** Whether a test file drives the built app. */
  readonly startsApp: (test: string) => boolean;
  /** Seconds of test files for one mutant, as they take without it; then it counts as survived. */
  readonly patience: number;
  readonly journal: Journal;
  readonly equivalents: readonly Equivalent[];
  /** Whether mutants are tried although the journal knows their outcome. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  readonly onStep: (line: string) => void;
}

/** Seconds that a test file has beyond three times what it takes without a mutant. */
const extra = { processor: 20, clock: 180 };

/** Returns the outcome of each mutant. Aborting ends it; what is known stays known. */
export async function runMutants(run: Run): Promise<ReadonlyMap<Mutant, Outcome | 'equivalent'>> {
  const outcomes = new Map<Mutant, Outcome | 'equivalent'>();
  for (const mutant of run.mutants) {
    const known = run.again ? undefined : run.journal.outcomeOf(mutant);
    const outcome = equivalentOf(run.equivalents, mutant) ? 'equivalent' : known;
    if (outcome !== undefined) outcomes.set(mutant, outcome);
  }
  const open = run.mutants.filter((mutant) => !outcomes.has(mutant));
  if (outcomes.size > 0) run.onStep(`${outcomes.size} of ${run.mutants.length} faults are known already.`);
  if (open.length > 0) for (const [mutant, outcome] of await tryAll(run, open)) outcomes.set(mutant, outcome);
  return new Map(run.mutants.map((mutant) => [mutant, outcomes.get(mutant) ?? 'untested']));
}

async function tryAll(run: Run, mutants: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Outcome>> {
  const scratch = makeScratch(run.root, run.files);
  const runner = testRunner(scratch.folder, run.signal);
  try {
    const outcomes = new Map<Mutant, Outcome>();
    // Of the tests that drive the app, and of the others, whether one was seen to pass without a fault where it fails with one.
    const trusted = new Set<boolean>();
    for (const mutant of mutants) {
      const { outcome, by } = await tryOne(run, mutant, scratch, runner, trusted);
      run.journal.add(mutant, outcome, by);
      outcomes.set(mutant, outcome);
      const count = `${outcomes.size}/${mutants.length}`.padStart(9);
      run.onStep(`${count}  ${outcome.padEnd(9)}  ${mutant.file}:${mutant.line}  ${mutant.mutator}  ${by}`);
    }
    return outcomes;
  } finally {
    runner.stop();
    scratch.remove();
  }
}

async function tryOne(
  run: Run,
  mutant: Mutant,
  scratch: Scratch,
  runner: TestRunner,
  trusted: Set<boolean>,
): Promise<Ended> {
  const tests = run.testsOf(mutant);
  if (tests.length === 0) return { outcome: 'untested', by: '' };
  const original = readFileSync(join(scratch.folder, mutant.file), 'utf8');
  const write = (text: string) => {
    scratch.write(mutant.file, text);
    runner.touch(mutant.file);
  };
  write(mutant.text);
  const ended = await firstToFail(run, tests, runner).finally(() => write(original));
  const { failed } = ended;
  if (failed !== undefined && !(ended.isTest && trusted.has(run.startsApp(failed)))) {
    await mustPass(run, failed, runner);
    trusted.add(run.startsApp(failed));
  }
  return ended;
}

/** What fails with a fault may fail without any: where the tests cannot run at all. */
async function mustPass(run: Run, test: string, runner: TestRunner): Promise<void> {
  const { passed, failure } = await runner.run(test, run.startsApp(test), limitsOf(run, test));
  if (!passed) throw new Error(`The tests fail without any fault: ${test}\n${failure}`);
}

function limitsOf(run: Run, test: string): Limits {
  const seconds = run.timeOf(test) / 1000;
  return { processor: 3 * seconds + extra.processor, clock: 3 * seconds + extra.clock };
}

interface Ended {
  readonly outcome: Outcome;
  readonly by: string;
  /** The test file that did not pass. */
  readonly failed?: string;
  /** Whether that was a test, and not the process of the tests. */
  readonly isTest?: boolean;
}

async function firstToFail(run: Run, tests: readonly string[], runner: TestRunner): Promise<Ended> {
  let patience = run.patience;
  for (const [index, test] of tests.entries()) {
    if (patience <= 0) return { outcome: 'survived', by: `after ${index} of ${tests.length} test files` };
    const { passed, isTest, timedOut, failure } = await runner.run(
      test,
      run.startsApp(test),
      limitsOf(run, test),
    );
    const by = `${test}: ${failure}`;
    if (timedOut) return { outcome: 'timed out', by };
    if (!passed) return { outcome: 'noticed', by, failed: test, isTest };
    patience -= run.timeOf(test) / 1000;
  }
  return { outcome: 'survived', by: `after all ${tests.length} test files` };
}
