/** `npm run bench`: runs the benchmarks and prints a table. */

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { readArguments } from 'command-line';
import type { Benchmark, BenchmarkRow } from './benchmark.ts';

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
  hostile: async () => (await import('./hostile/hostile.ts')).hostile,
  telemetry: async () => (await import('./telemetry.ts')).telemetry,
};

const command = 'npm run bench';

const { values, positionals } = readArguments({
  command,
  help: `Measures speed and memory, and prints a table of ratios: everything in a row is measured side by side, in turn.
All of it takes some ten minutes, and wants a machine that does nothing else.

  npm run bench                       every benchmark
  npm run bench -- <name> ...         some of them: ${Object.keys(benchmarks).join(', ')}

  --write          puts the table into docs/benchmarks.md too
  --seconds <n>    how long hostile measures each victim, alone and under attack (2)
  --rounds <n>     how often it does that, in turn (5)
  --attack <texts> only the attacks of hostile whose names hold one of the texts, with commas between
  --events <n,n>   sizes of the calendars of calendar-instances (10000,100000,1000000)
  --help           this text`,
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    attack: { type: 'string', default: '' },
    events: { type: 'string', default: '10000,100000,1000000' },
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
for (const [name, load] of Object.entries(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`Running ${name} ...`);
  const benchmark = await load();
  const found = await benchmark({
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    attack: values.attack,
    events: values.events.split(',').map(Number),
  });
  (name === 'hostile' ? underAttack : rows).push(...found);
}
console.log(toTable([...rows, ...underAttack]));
if (values.write) writePage(join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md'));

/** Writes the sections of the page that were run, and leaves the other. */
function writePage(file: string): void {
  const heading = '\n## Under attack\n';
  const [general = '', attack = ''] = readFileSync(file, 'utf8').split(heading);
  const first = rows.length === 0 ? general : page(toTable(rows));
  const second = underAttack.length === 0 ? attack : attackSection(toTable(underAttack));
  writeFileSync(file, second === '' ? first : first + heading + second);
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

function page(content: string): string {
  return `# Benchmarks

The last run of \`npm run bench -- --write\`: ${machine()}. Everything in a row was measured side by side in one run, in turn;
quote the ratios, not the absolute numbers. The load generator, the app and its emulators shared the machine.

${content}
`;
}

function attackSection(content: string): string {
  return `
The last run of \`npm run bench -- hostile --write\`: ${machine()}, with a load average of ${loadavg()[1]?.toFixed(1)} at its end.
Each attack meets an app of its own with a heap of 384 MiB and 10,000 events (a new one each round, ${values.rounds} in all), from as many connections as it has, each of which sends again as soon as it has its answer;
callers are measured alone on the same app, right before. The local host lets callers have turns, which Microsoft's does not ([decisions](decisions/security.md)).
Four honest callers of each kind call meanwhile, 25 times a second at most. The number of the finding stands behind each attack; the attacker, the host, the emulators
and the honest callers share the cores with the app. Attackers have machines of their own, so the attacker is a process of the lowest priority (nice 19), which takes what the others leave:
its requests a second, and how many are in flight on average, say whether it still is an attack. Refusals are timed by one more connection that sends what the attacker sends, with the priority of the honest callers.

${content}
`;
}
