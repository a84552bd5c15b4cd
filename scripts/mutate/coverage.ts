/** Which test files run which parts of which files: found out by running them once on an instrumented copy, and kept in a file. */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inParallel } from './in-parallel.ts';
import { instrument, type Region } from './instrument.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { type TestRunner, testRunner } from './test-runner.ts';

export interface TestRecord {
  readonly passed: boolean;
  readonly milliseconds: number;
  /** Of its text when it ran. */
  readonly digest: string;
}

/** A region and the test files that enter it. */
export interface CoveredRegion extends Region {
  readonly tests: readonly string[];
}

export interface Coverage {
  readonly tests: Readonly<Record<string, TestRecord>>;
  readonly files: Readonly<
    Record<string, { readonly digest: string; readonly regions: readonly CoveredRegion[] }>
  >;
}

export interface Collecting {
  readonly root: string;
  /** All files of the project. */
  readonly files: readonly string[];
  /** The files to be instrumented. */
  readonly sources: readonly string[];
  /** The test files to be run, the ones that are wanted first in front. */
  readonly tests: readonly string[];
  readonly path: string;
  /** How many test files run at once. */
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onStep: (line: string) => void;
}

/** A test file has this many seconds. */
const limits = { processor: 300, clock: 1200 };

/** Returns the coverage that the file holds, after running the tests that it lacks or that have changed since. */
export async function collectCoverage(collecting: Collecting): Promise<Coverage> {
  const { root, tests, path, workers, signal, onStep } = collecting;
  let coverage = readCoverage(path, root);
  const open = tests.filter((test) => coverage.tests[test]?.digest !== digest(root, test));
  if (open.length === 0) return coverage;
  const left = open.values();
  let done = 0;
  mkdirSync(dirname(path), { recursive: true });
  await inParallel(Math.min(workers, open.length), signal, async (common) => {
    const scratch = makeScratch(root, collecting.files);
    const folder = mkdtempSync(join(tmpdir(), 'mutate-hits-'));
    const parts = instrumentAll(collecting.sources, scratch);
    const preload = `${pathToFileURL(join(import.meta.dirname, 'hits.mjs')).href}?folder=${encodeURIComponent(folder)}`;
    const runner = testRunner(scratch.folder, common, { NODE_OPTIONS: `--import=${preload}` });
    try {
      for (const test of left) {
        const { record, entered } = await runOne(test, root, folder, runner);
        coverage = withTest(coverage, test, record, entered, parts, root);
        writeFileSync(path, JSON.stringify(coverage));
        done += 1;
        const seconds = (record.milliseconds / 1000).toFixed(1);
        onStep(`${done}/${open.length}  ${seconds} s  ${record.passed ? '' : 'FAILED '}${test}`);
      }
    } finally {
      runner.stop();
      scratch.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return coverage;
}

/** Returns what is kept of the tests and files that are still there. */
function readCoverage(path: string, root: string): Coverage {
  if (!existsSync(path)) return { tests: {}, files: {} };
  const { tests, files } = JSON.parse(readFileSync(path, 'utf8')) as Coverage;
  const present = <T>(entries: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(entries).filter(([file]) => existsSync(join(root, file))));
  return { tests: present(tests), files: present(files) };
}

type Parts = ReadonlyMap<string, { readonly from: number; readonly regions: readonly Region[] }>;

function instrumentAll(sources: readonly string[], scratch: Scratch): Parts {
  const parts = new Map<string, { from: number; regions: readonly Region[] }>();
  let from = 0;
  for (const file of sources) {
    const found = instrument(file, readFileSync(join(scratch.folder, file), 'utf8'), from);
    if (found === undefined) continue;
    scratch.write(file, found.text);
    parts.set(file, { from, regions: found.regions });
    from += found.regions.length;
  }
  return parts;
}

async function runOne(test: string, root: string, folder: string, runner: TestRunner) {
  writeFileSync(join(folder, 'running'), 'hits');
  const hits = join(folder, 'hits');
  writeFileSync(hits, '');
  const { passed, milliseconds } = await runner.run(test, false, limits);
  const entered = new Set(readFileSync(hits, 'utf8').split('\n').filter(Boolean).map(Number));
  const record: TestRecord = { passed, milliseconds: Math.round(milliseconds), digest: digest(root, test) };
  return { record, entered };
}

function withTest(
  coverage: Coverage,
  test: string,
  record: TestRecord,
  entered: ReadonlySet<number>,
  parts: Parts,
  root: string,
): Coverage {
  const files = { ...coverage.files };
  for (const [file, { from, regions }] of parts) {
    const now = digest(root, file);
    const known = files[file]?.regions ?? [];
    // The places of an older text are not those of this one: who entered any part of it counts as one who enters all.
    const ofAll = files[file]?.digest === now ? undefined : [...new Set(known.flatMap(({ tests }) => tests))];
    files[file] = {
      digest: now,
      regions: regions.map(({ start, end }, index) => {
        const others = (ofAll ?? known[index]?.tests ?? []).filter((one) => one !== test);
        return { start, end, tests: entered.has(from + index) ? [...others, test] : others };
      }),
    };
  }
  return { files, tests: { ...coverage.tests, [test]: record } };
}

export function digest(root: string, file: string): string {
  return hash('sha256', readFileSync(join(root, file))).slice(0, 16);
}
