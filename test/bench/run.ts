/** `npm run bench`: runs the benchmarks and prints a table. */

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../scripts/command-line.ts';
import type { Benchmark, BenchmarkRow } from './benchmark.ts';
import { isSmoke } from './pace.ts';

/** Each by its name, loaded when it runs. */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  startup: async () => (await import('./startup.ts')).startup,
  'refused-token': async () => (await import('./refused-token.ts')).refusedToken,
  records: async () => (await import('./records.ts')).records,
  'sql-server': async () => (await import('./sql-server.ts')).sqlServer,
  calendar: async () => (await import('./calendar/calendar.ts')).calendar,
  'calendar-instances': async () => (await import('./calendar/instances.ts')).calendarInstances,
  'calendar-import': async () => (await import('./calendar-import.ts')).calendarImport,
  'calendar-store': async () => (await import('./calendar-store.ts')).calendarStore,
  load: async () => (await import('./load/load.ts')).load,
  hostile: async () => (await import('./load/hostile.ts')).hostile,
  telemetry: async () => (await import('./telemetry.ts')).telemetry,
};

const command = 'npm run bench';

const { values, positionals } = readArguments({
  command,
  help: `Measures speed and memory, and prints a table of ratios: everything in a row is measured side by side, in turn.
All of it takes some fifteen minutes, and needs an idle machine. load compares the app with the same app without limits;
hostile makes all known attacks, and measures what the app alone does, without a gateway.

  npm run bench                       every benchmark
  npm run bench -- <name> ...         some of them: ${Object.keys(benchmarks).join(', ')}

  --smoke          starts each benchmark with the least that it can measure, to see that it runs; its figures mean nothing
  --write          puts the table into docs/benchmarks.md too
  --scenes <texts> only the scenes of load whose names contain one of the texts, with commas between them
  --attack <texts> only the attacks of hostile whose names contain one of the texts
  --seconds <n>    how long load and hostile measure callers before an attack, and during it (2)
  --events <n,n>   sizes of the calendars of calendar-instances (10000,100000,1000000)
  --help           this text`,
  options: {
    smoke: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: isSmoke ? '0.1' : '2' },
    scenes: { type: 'string', default: '' },
    attack: { type: 'string', default: '' },
    events: { type: 'string', default: isSmoke ? '1000' : '10000,100000,1000000' },
  },
  allowPositionals: true,
});

const unknown = positionals.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark "${unknown.join('", "')}".\n${command} -- --help tells what it takes.`,
  );
  process.exit(2);
}

const { buildApp } = await import('../../scripts/build.ts');
await buildApp();
const rows: BenchmarkRow[] = [];
const underAttack: BenchmarkRow[] = [];
const page = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');
for (const [name, load] of Object.entries(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`Running ${name} ...`);
  const measured = await measure(name, load);
  (name === 'hostile' ? underAttack : rows).push(...measured);
  console.log(toTable(measured));
  // A later benchmark that fails costs nothing that was measured before.
  if (values.write && !isSmoke) writePage(page);
}

/** Runs a benchmark. One that fails is a row that says so, and the exit status. */
async function measure(name: string, load: () => Promise<Benchmark>): Promise<readonly BenchmarkRow[]> {
  try {
    const benchmark = await load();
    return await benchmark({
      seconds: Number(values.seconds),
      scenes: values.scenes,
      attack: values.attack,
      events: values.events.split(',').map(Number),
    });
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    const details = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return [{ name: `${name} FAILED`, value: Number.NaN, unit: '', ...(details && { details }) }];
  }
}

/** Replaces the sections of the page that were run. */
function writePage(file: string): void {
  const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const replaceSection = (heading: string, found: readonly BenchmarkRow[], text: string) => {
    const at = sections.findIndex((section) => section.startsWith(`## ${heading}\n`));
    if (at === -1) throw new Error(`Cannot write the table: ${file} has no section "${heading}".`);
    if (found.length > 0) sections[at] = `## ${heading}\n\n${text}\n\n${toTable(found)}\n\n`;
  };
  replaceSection('Speed and memory', rows, `The last run: ${machine()}.`);
  replaceSection('Under attack', underAttack, attackText());
  writeFileSync(file, `${sections.join('').trimEnd()}\n`);
}

function toTable(all: readonly BenchmarkRow[]): string {
  const lines = all.map(({ name, value, unit, against, ratio, target, details }) =>
    [
      name,
      `${round(value)} ${unit}`,
      against === undefined ? '' : `${against.name}: ${round(against.value)}`,
      ratio === undefined ? '' : ratio.toFixed(2),
      target ?? '',
      details ?? '',
    ].join(' | '),
  );
  return [
    '| What | Measured | Against | Ratio | Target | Besides |',
    '|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, on ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

function attackText(): string {
  return `The last run of \`npm run bench -- hostile --write\`: ${machine()}, with a load average of ${loadavg()[1]?.toFixed(1)} at its end.
It measures what the app alone does: like Microsoft's host, the local host has no fairness between callers, and no gateway is in front.
Each attack meets a new process of the app with a heap of 384 MiB and 10,000 events. Each connection of the attack sends its next request once its reply has arrived.
Four honest callers of each kind call before the attack and during it, 25 times a second at most. The ratio compares the medians; p99 is printed and not judged.
Attackers have machines of their own. Here the attacker, the host, the emulators and the honest callers share the cores with the app, so the attacker has the lowest priority (nice 19).`;
}
