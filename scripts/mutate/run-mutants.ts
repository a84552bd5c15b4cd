/** Tries mutants one after another in a scratch copy, and tells how each ended. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Equivalent, equivalentOf } from './equivalents.ts';
import { inParallel } from './in-parallel.ts';
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
  /** How many mutants are tried at once. */
  readonly workers: number;
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
    const outcome = equivalentOf(run.equivalents, mutant) ? 'equivalent' : knownOutcome(run, mutant);
    if (outcome !== undefined) outcomes.set(mutant, outcome);
  }
  const open = run.mutants.filter((mutant) => !outcomes.has(mutant));
  if (outcomes.size > 0) run.onStep(`${outcomes.size} of ${run.mutants.length} faults are known already.`);
  if (open.length > 0) for (const [mutant, outcome] of await tryAll(run, open)) outcomes.set(mutant, outcome);
  return new Map(run.mutants.map((mutant) => [mutant, outcomes.get(mutant) ?? 'untested']));
}

/** What survived is tried further when there are tests and patience left. */
function knownOutcome(run: Run, mutant: Mutant): Outcome | undefined {
  if (run.again) return undefined;
  const outcome = run.journal.outcomeOf(mutant);
  if (outcome !== 'survived') return outcome;
  const { tests, patience } = remaining(run, mutant);
  return tests.length === 0 || patience <= 0 ? outcome : undefined;
}

interface Remaining {
  /** The test files that an earlier run has not come to. */
  readonly tests: readonly string[];
  readonly passed: readonly string[];
  readonly patience: number;
}

function remaining(run: Run, mutant: Mutant): Remaining {
  const earlier = run.again ? [] : run.journal.passedWith(mutant);
  const tests = run.testsOf(mutant);
  const used = earlier.reduce((sum, test) => sum + run.timeOf(test) / 1000, 0);
  return {
    tests: tests.filter((test) => !earlier.includes(test)),
    passed: earlier.filter((test) => tests.includes(test)),
    patience: run.patience - used,
  };
}

async function tryAll(run: Run, mutants: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Outcome>> {
  const outcomes = new Map<Mutant, Outcome>();
  // Of the tests that drive the app, and of the others, whether one was seen to pass without a fault where it fails with one.
  const trusted = new Set<boolean>();
  const open = mutants.values();
  await inParallel(run.workers, run.signal, async (signal) => {
    const scratch = makeScratch(run.root, run.files);
    const runner = testRunner(scratch.folder, signal);
    try {
      for (const mutant of open) {
        const { outcome, by, passed } = await tryOne(run, mutant, scratch, runner, trusted);
        run.journal.add(mutant, outcome, by, passed);
        outcomes.set(mutant, outcome);
        const count = `${outcomes.size}/${mutants.length}`.padStart(9);
        run.onStep(`${count}  ${outcome.padEnd(9)}  ${mutant.file}:${mutant.line}  ${mutant.mutator}  ${by}`);
      }
    } finally {
      runner.stop();
      scratch.remove();
    }
  });
  return outcomes;
}

async function tryOne(
  run: Run,
  mutant: Mutant,
  scratch: Scratch,
  runner: TestRunner,
  trusted: Set<boolean>,
): Promise<Ended> {
  const left = remaining(run, mutant);
  if (left.tests.length + left.passed.length === 0) return { outcome: 'untested', by: '', passed: [] };
  const original = readFileSync(join(scratch.folder, mutant.file), 'utf8');
  const write = (text: string) => {
    scratch.write(mutant.file, text);
    runner.touch(mutant.file);
  };
  write(mutant.text);
  const ended = await firstToFail(run, left, runner).finally(() => write(original));
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
  /** The test files that passed, in earlier runs too. */
  readonly passed: readonly string[];
  /** The test file that did not pass. */
  readonly failed?: string;
  /** Whether that was a test, and not the process of the tests. */
  readonly isTest?: boolean;
}

async function firstToFail(run: Run, left: Remaining, runner: TestRunner): Promise<Ended> {
  const passed = [...left.passed];
  const all = passed.length + left.tests.length;
  let { patience } = left;
  for (const test of left.tests) {
    if (patience <= 0)
      return { outcome: 'survived', by: `after ${passed.length} of ${all} test files`, passed };
    const ended = await runner.run(test, run.startsApp(test), limitsOf(run, test));
    const by = `${test}: ${ended.failure}`;
    if (ended.timedOut) return { outcome: 'timed out', by, passed };
    if (!ended.passed) return { outcome: 'noticed', by, passed, failed: test, isTest: ended.isTest };
    passed.push(test);
    patience -= run.timeOf(test) / 1000;
  }
  return { outcome: 'survived', by: `after all ${all} test files`, passed };
}
