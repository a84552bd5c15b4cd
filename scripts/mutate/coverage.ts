/** Which test files run which parts of which files: found out by running them once on an instrumented copy, and kept in a file. */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
  readonly signal: AbortSignal;
  readonly onStep: (line: string) => void;
}

/** A test file has this many seconds. */
const limits = { processor: 300, clock: 1200 };

/** Returns the coverage that the file holds, after running the tests that it lacks or that have changed since. */
export async function collectCoverage(collecting: Collecting): Promise<Coverage> {
  const { root, tests, path } = collecting;
  let coverage = readCoverage(path);
  const open = tests.filter((test) => coverage.tests[test]?.digest !== digest(root, test));
  if (open.length === 0) return coverage;
  const scratch = makeScratch(root, collecting.files);
  const folder = mkdtempSync(join(tmpdir(), 'mutate-hits-'));
  const parts = instrumentAll(collecting.sources, scratch);
  const preload = `${pathToFileURL(join(import.meta.dirname, 'hits.mjs')).href}?folder=${encodeURIComponent(folder)}`;
  const runner = testRunner(scratch.folder, collecting.signal, { NODE_OPTIONS: `--import=${preload}` });
  try {
    for (const [index, test] of open.entries()) {
      const { record, entered } = await runOne(test, root, folder, runner);
      coverage = withTest(coverage, test, record, entered, parts, root);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(coverage));
      const seconds = (record.milliseconds / 1000).toFixed(1);
      collecting.onStep(
        `${index + 1}/${open.length}  ${seconds} s  ${record.passed ? '' : 'FAILED '}${test}`,
      );
    }
    return coverage;
  } finally {
    runner.stop();
    scratch.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function readCoverage(path: string): Coverage {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Coverage) : { tests: {}, files: {} };
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
    const known = files[file]?.digest === now ? files[file].regions : undefined;
    files[file] = {
      digest: now,
      regions: regions.map(({ start, end }, index) => {
        const others = (known?.[index]?.tests ?? []).filter((one) => one !== test);
        return { start, end, tests: entered.has(from + index) ? [...others, test] : others };
      }),
    };
  }
  return { files, tests: { ...coverage.tests, [test]: record } };
}

export function digest(root: string, file: string): string {
  return hash('sha256', readFileSync(join(root, file))).slice(0, 16);
}
