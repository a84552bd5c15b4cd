/** What is known of mutants: kept in a file, a line each, so that a run that was stopped goes on where it was. */

import { hash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';

export type Outcome = 'noticed' | 'timed out' | 'survived' | 'untested';

export interface Journal {
  /** Returns the outcome of an earlier run that still holds. */
  outcomeOf(mutant: Mutant): Outcome | undefined;
  /** Returns the test files that did not notice a mutant, as far as they still count. */
  passedWith(mutant: Mutant): readonly string[];
  /** Adds an outcome, what brought it about (the test that failed, or how many did not), and the test files that passed. */
  add(mutant: Mutant, outcome: Outcome, by: string, passed: readonly string[]): void;
  /** Returns the test files that noticed mutants of a file, once for each. */
  noticedBy(file: string): readonly string[];
  /** Returns how many mutants a test file has noticed of those that it was run with, as a part; a half when it was never run. */
  successOf(test: string): number;
}

interface Line {
  readonly mutant: string;
  readonly tests: string;
  readonly outcome: Outcome;
  readonly file: string;
  readonly by: string;
  readonly passed?: readonly string[];
}

/**
 * Opens the journal in a file. What was noticed stays so while the mutated file is the same; what was not is tried again when
 * any file of the project has changed, `state` being the digest of them all.
 */
export function openJournal(path: string, state: string): Journal {
  const lines = new Map<string, Line>();
  const written = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  // The last line is cut when the run was killed while it wrote.
  for (const line of written.filter((text) => text.endsWith('}'))) {
    const one = JSON.parse(line) as Line;
    lines.set(one.mutant, one);
  }
  return {
    outcomeOf(mutant) {
      const line = lines.get(keyOf(mutant));
      if (line === undefined) return undefined;
      return line.outcome === 'noticed' || line.tests === state ? line.outcome : undefined;
    },
    passedWith(mutant) {
      const line = lines.get(keyOf(mutant));
      return line?.tests === state ? (line.passed ?? []) : [];
    },
    noticedBy: (file) =>
      [...lines.values()].flatMap((line) =>
        line.file === file && line.outcome === 'noticed' ? [testOf(line)] : [],
      ),
    successOf(test) {
      const all = [...lines.values()];
      const noticed = all.filter((line) => line.outcome === 'noticed' && testOf(line) === test).length;
      const passed = all.filter((line) => line.passed?.includes(test)).length;
      return (noticed + 1) / (noticed + passed + 2);
    },
    add(mutant, outcome, by, passed) {
      const line: Line = { mutant: keyOf(mutant), tests: state, outcome, file: mutant.file, by, passed };
      lines.set(line.mutant, line);
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
  };
}

function testOf({ by }: Line): string {
  return by.split(':')[0] ?? '';
}

function keyOf({ file, text }: Mutant): string {
  return hash('sha256', `${file}\n${text}`);
}

/** Returns the digest of files of a project. */
export function digestOf(root: string, files: readonly string[]): string {
  return hash(
    'sha256',
    files.map((file) => `${file} ${hash('sha256', readFileSync(join(root, file)))}`).join('\n'),
  );
}
