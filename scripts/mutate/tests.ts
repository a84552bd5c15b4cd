/** Runs the tests of a checkout with vitest. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { JsonTestResults } from 'vitest/node';

/** Globs of test files by folder of the sources. */
export type TestTable = Readonly<Record<string, readonly string[]>>;

export interface TestResult {
  readonly outcome: 'killed' | 'timed out' | 'survived' | 'untested';
  /** The test file that killed the mutant, as a path from the root, and the name of its first failed test. */
  readonly file: string;
  readonly test: string;
}

/** Milliseconds without any output after which a run counts as endless; a test that only hangs fails sooner. */
const maxSilence = 300_000;

/** Returns the arguments of the vitest runs for a source file: first its related tests, then those of the table. */
export function testRunsOf(file: string, table: TestTable, root: string): string[][] {
  const folders = Object.keys(table).filter((folder) => file.startsWith(`${folder}/`));
  const files = globSync(
    folders.flatMap((folder) => table[folder] ?? []),
    { cwd: root },
  ).sort();
  return [['related', '--run', file], ...(files.length > 0 ? [['run', ...files]] : [])];
}

/** Runs vitest in the root of a checkout copy until the first test fails. */
export async function runTests(root: string, words: readonly string[]): Promise<TestResult> {
  const report = join(dirname(root), 'report.json');
  rmSync(report, { force: true });
  const options = ['--bail=1', '--retry=0', '--passWithNoTests', '--reporter=verbose', '--reporter=json'];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...words, ...options, `--outputFile.json=${report}`], {
    cwd: root,
    // A process group, which ends with all processes that the tests start.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, CI: '1', NO_COLOR: '1', TMPDIR: dirname(root) },
  });
  const kill = () => killGroup(child);
  process.once('exit', kill);
  const timer = setTimeout(kill, maxSilence);
  child.stdout.on('data', () => timer.refresh());
  await once(child, 'exit');
  process.off('exit', kill);
  clearTimeout(timer);
  // Processes in an endless loop do not notice that their parent has ended.
  kill();
  if (child.signalCode === 'SIGKILL') return { outcome: 'timed out', file: '', test: '' };
  return readReport(report, root, child.exitCode === 0);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-Number(pid), 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readReport(path: string, root: string, hasPassed: boolean): TestResult {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{ "testResults": [] }';
  const { testResults } = JSON.parse(text) as JsonTestResults;
  // The first failure stops other files, which are reported as failed as well.
  const isFailed = ({ status }: { status: string }) => status === 'failed';
  const failed = testResults.find((file) => file.assertionResults.some(isFailed) || file.message !== '');
  return {
    outcome: !hasPassed ? 'killed' : testResults.length > 0 ? 'survived' : 'untested',
    file: failed === undefined ? '' : relative(root, failed.name),
    test: failed?.assertionResults.find(isFailed)?.fullName ?? failed?.message ?? '',
  };
}
