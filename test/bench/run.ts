/** `npm run bench`: runs the benchmarks and prints a table. */

import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { orUsage, readArguments, UsageError } from '../../scripts/command-line.ts';
import type { BenchmarkOptions, BenchmarkRow } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';
import { isSmoke } from './pace.ts';
import { runBenchmark } from './run-benchmark.ts';
import { cellsOf, pageWith, questions } from './summary.ts';

const root = join(import.meta.dirname, '..', '..');

const command = 'npm run bench';

const { values, positionals } = readArguments({
  command,
  help: `Measures speed and memory, and prints a table of ratios: everything in a row is measured side by side, in turn.
All of it takes some twenty minutes, and needs an idle machine. load compares the app with the same app without limits,
for honest callers and for a clerk during three attacks, without a gateway.

  npm run bench                       every benchmark
  npm run bench -- <name> ...         some of them: ${Object.keys(benchmarks).join(', ')}

  --smoke          starts each benchmark with the least that it can measure, to see that it runs; its figures mean nothing
  --output <file>  writes all tables into a file, each as its benchmark ends
  --write          puts the answers to the questions of docs/benchmarks.md into that page
  --scenes <texts> only the scenes of load whose names contain one of the texts, with commas between them
  --seconds <n>    how long load measures callers before an attack, and during it (2)
  --events <n,n>   sizes of the calendars of calendar-instances (10000,100000,1000000)
  --help           this text`,
  options: {
    smoke: { type: 'boolean', default: false },
    output: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: isSmoke ? '0.1' : '2' },
    scenes: { type: 'string', default: '' },
    events: { type: 'string', default: isSmoke ? '1000' : '10000,100000,1000000' },
  },
  allowPositionals: true,
});

const options = orUsage(command, readOptions);
const { buildApp } = await import('../../scripts/build.ts');
await buildApp();
const rows: BenchmarkRow[] = [];
const page = join(root, 'docs', 'benchmarks.md');
if (values.output) writeFileSync(values.output, `${machine()}\n`);
for (const name of Object.keys(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`Running ${name} ...`);
  const measured = await runBenchmark(name, options);
  rows.push(...measured);
  console.log(toTable(measured));
  // A later benchmark that fails costs nothing that was measured before.
  if (values.output) appendFileSync(values.output, `\n## ${name}\n\n${toTable(measured)}\n`);
  if (values.write && !isSmoke) {
    const when = `${new Date().toISOString().slice(0, 10)}, ${commit()}`;
    writeFileSync(page, pageWith(readFileSync(page, 'utf8'), rows, when));
  }
}
for (const problem of problems()) {
  console.error(problem);
  process.exitCode = 1;
}

/** Returns what is wrong with the run, a line each. */
function problems(): string[] {
  const failed = rows.filter(({ failure }) => failure !== undefined);
  if (failed.length > 0) return failed.map(({ name, failure }) => `FAILED: ${name}: ${failure}`);
  if (positionals.length > 0 || values.scenes) return [];
  const unanswered = questions.filter(({ answer }) => answer(rows).length === 0);
  return unanswered.map(({ asks }) => `No benchmark answers "${asks}" of docs/benchmarks.md.`);
}

function readOptions(): BenchmarkOptions {
  const unknown = positionals.filter((name) => !(name in benchmarks));
  if (unknown.length > 0) throw new UsageError(`There is no benchmark "${unknown.join('", "')}".`);
  return {
    seconds: positive('seconds', values.seconds),
    scenes: values.scenes,
    events: values.events.split(',').map((text) => positive('events', text)),
  };
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (number > 0 && number < Number.POSITIVE_INFINITY) return number;
  throw new UsageError(`--${option} takes numbers above 0, not "${text}".`);
}

function toTable(all: readonly BenchmarkRow[]): string {
  const heads = ['What', 'Measured', 'Against', 'Ratio', 'Target', 'Besides'];
  const lines = [heads, heads.map(() => '---'), ...all.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, on ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, commit ${commit()}, load average ${loadavg()[1]?.toFixed(1)}`;
}

/** Returns the short name of the commit that is measured; a sign tells of changes that are not committed. */
function commit(): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty=+'], { cwd: root, encoding: 'utf8' });
  return stdout.trim() || 'unknown';
}
