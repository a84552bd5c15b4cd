/** Tries mutants one after another in a scratch copy, and tells how each ended. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Equivalent, equivalentOf } from './equivalents.ts';
import type { Journal, Outcome } from './journal.ts';
import type { Mutant } from './mutants.ts';
import { runTests } from './run-tests.ts';
import { makeScratch, type Scratch } from './scratch.ts';

export interface Run {
  readonly root: string;
  /** The files of the project. */
  readonly files: readonly string[];
  readonly mutants: readonly Mutant[];
  /** The tests of a file, in the groups in which they run. */
  readonly testsOf: (file: string) => readonly (readonly string[])[];
  readonly journal: Journal;
  readonly equivalents: readonly Equivalent[];
  /** Whether mutants are tried although the journal knows their outcome. */
  readonly again: boolean;
  readonly onStep: (line: string) => void;
}

/** Milliseconds that tests have beyond twice the time that they took without a mutant. */
const extraTime = 15_000;
/** Milliseconds for the tests without a mutant. */
const baselineTime = 15 * 60_000;

/** Returns the outcome of each mutant. Throws when the tests fail without any. Ctrl-C ends it; what is known stays known. */
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
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error('Stopped. The same command goes on from here.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    const timeOf = timeWithoutFault(run, scratch, stop.signal);
    const outcomes = new Map<Mutant, Outcome>();
    for (const mutant of mutants) {
      const outcome = await tryOne(run.testsOf(mutant.file), mutant, scratch, timeOf, stop.signal);
      run.journal.add(mutant, outcome);
      outcomes.set(mutant, outcome);
      const count = `${outcomes.size}/${mutants.length}`.padStart(9);
      run.onStep(`${count}  ${outcome.padEnd(9)}  ${mutant.file}:${mutant.line}  ${mutant.mutator}`);
    }
    return outcomes;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    scratch.remove();
  }
}

/** Returns a function that runs a group of tests without a mutant when it is first asked about it, and gives its time in milliseconds. */
function timeWithoutFault({ onStep }: Run, { folder }: Scratch, signal: AbortSignal) {
  const times = new Map<string, number>();
  return async (group: readonly string[]): Promise<number> => {
    const key = group.join(' ');
    const known = times.get(key);
    if (known !== undefined) return known;
    onStep(`Running ${group.length} test files without a fault ...`);
    const options = { folder, timeout: baselineTime, bail: true, signal };
    const { passed, seconds, output } = await runTests(group, options);
    if (!passed) throw new Error(`The tests fail without any fault: ${key}\n${output}`);
    times.set(key, seconds * 1000);
    return seconds * 1000;
  };
}

async function tryOne(
  groups: readonly (readonly string[])[],
  mutant: Mutant,
  scratch: Scratch,
  timeOf: (group: readonly string[]) => Promise<number>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (groups.length === 0) return 'untested';
  const { folder } = scratch;
  const original = readFileSync(join(folder, mutant.file), 'utf8');
  for (const group of groups) {
    const timeout = extraTime + 2 * (await timeOf(group));
    scratch.write(mutant.file, mutant.text);
    const { passed, timedOut } = await runTests(group, { folder, timeout, bail: true, signal }).finally(() =>
      scratch.write(mutant.file, original),
    );
    if (!passed) return timedOut ? 'timed out' : 'noticed';
  }
  return 'survived';
}
