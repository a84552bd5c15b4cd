/** `npm run mutate`: puts small faults into files one by one, and shows those that no test notices. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { explained, readArguments } from 'command-line';
import { type Collecting, type Coverage, collectCoverage } from './coverage.ts';
import { readEquivalents } from './equivalents.ts';
import { digestOf, type Outcome, openJournal } from './journal.ts';
import { likelyTests } from './likely-tests.ts';
import { moduleGraph } from './module-graph.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { mutators } from './mutators.ts';
import { relatedTests, startsApp } from './related-tests.ts';
import { runMutants } from './run-mutants.ts';
import { sample } from './sample.ts';
import { projectFiles } from './scratch.ts';

const root = join(import.meta.dirname, '..', '..');
/** Where outcomes and coverage are kept between runs. */
const kept = join(root, '.mutate');

const help = `Puts small faults into source files, one at a time, runs the tests that run the changed part, and prints
the faults that no test notices, with their places. Works in a copy of the project. What runs what is found
out once, by running all tests that reach the files, and kept in .mutate/.

  npm run mutate -- <file or folder> ...

  --sample <n>    only so many of the faults, chosen evenly
  --seed <n>      which ones (default 1): the same seed chooses the same faults in the same source
  --kind <name>   only faults of a kind; may be repeated: ${Object.keys(mutators).slice(0, 6).join(', ')},
                  ${Object.keys(mutators).slice(6, 13).join(', ')},
                  ${Object.keys(mutators).slice(13).join(', ')}
  --patience <s>  seconds of test files for one fault, as they take without it (default 60); the
                  likely ones run first, and then the fault counts as survived
  --first <test>  a test file to be run before the likely ones, where it runs the part; may be repeated:
                  test/api/openapi.test.ts for what endpoints declare
  --workers <n>   test files at once (default 1); with 2 a machine of two cores has nothing left for others
  --list          print the faults and the tests of each file, and run nothing
  --again         forget what earlier runs have found out about faults (.mutate/journal.jsonl)
  --help          this text

A run that was stopped goes on where it was: what was noticed is not tried again while its file is the
same, and what survived not while the whole project is. Faults that make no difference are set aside
in scripts/mutate/equivalents.json, each with its reason.
The exit status is 1 when a fault survived.`;

const { values, positionals } = readArguments({
  command: 'npm run mutate',
  help,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', multiple: true },
    patience: { type: 'string', default: '60' },
    first: { type: 'string', multiple: true, default: [] },
    workers: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

await explained(async () => {
  const files = projectFiles(root);
  const sources = sourcesAmong(files, positionals);
  const all = sources.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
  const mutants = chosen(all.filter(({ mutator }) => values.kind?.includes(mutator) ?? true));
  const graph = moduleGraph(root, files);
  const related = (file: string) => relatedTests(graph, file);
  if (values.list) return list(mutants, related);
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error('Stopped. The same command goes on from here.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const workers = wholeNumber('--workers', values.workers);
  const common = { root, files, workers, signal: stop.signal, onStep: console.log };
  const coverage = await coverageOf({ ...common, sources, related });
  const journal = openJournal(join(kept, 'journal.jsonl'), digestOf(root, files));
  const likely = likelyTests({ root, coverage, related, journal });
  report(
    await runMutants({
      ...common,
      mutants,
      testsOf: (mutant) => withFirst(likely(mutant)),
      timeOf: (test) => coverage.tests[test]?.milliseconds ?? 10_000,
      startsApp: (test) => startsApp(graph, test),
      patience: wholeNumber('--patience', values.patience),
      journal,
      equivalents: readEquivalents(),
      again: values.again,
    }),
  );
  process.exit();
});

/** Tests are run on instrumented copies of all files of the same houses, so that what is learned serves other runs too. */
async function coverageOf(
  options: Omit<Collecting, 'path' | 'tests'> & { related: (file: string) => readonly string[] },
): Promise<Coverage> {
  const house = (file: string) => file.replace(/^(functions|shared)\/.*/, 'app').replace(/\/.*/, '');
  const houses = new Set(options.sources.map(house));
  const sources = options.files.filter(
    (file) =>
      houses.has(house(file)) && /\.tsx?$/.test(file) && !/(^|\/)test\/|\.d\.ts$|\/browser\//.test(file),
  );
  const tests = [...new Set(options.sources.flatMap(options.related))];
  const path = join(kept, `coverage-${[...houses].sort().join('-')}.json`);
  return collectCoverage({ ...options, sources, tests, path });
}

/** The TypeScript files that paths name, or that stand below them; tests are none. */
function sourcesAmong(files: readonly string[], paths: readonly string[]): string[] {
  if (paths.length === 0) throw new Error('Which files? npm run mutate -- --help tells what it takes.');
  return paths.flatMap((path) => {
    const name = relative(root, resolve(root, path)).replaceAll('\\', '/');
    if (!existsSync(join(root, name))) throw new Error(`There is no ${path}.`);
    if (!statSync(join(root, name)).isDirectory()) return [name];
    return files.filter(
      (file) => file.startsWith(`${name}/`) && /\.tsx?$/.test(file) && !/(^|\/)test\/|\.d\.ts$/.test(file),
    );
  });
}

function chosen(mutants: readonly Mutant[]): readonly Mutant[] {
  return values.sample === undefined
    ? mutants
    : sample(mutants, wholeNumber('--sample', values.sample), wholeNumber('--seed', values.seed));
}

function withFirst(tests: readonly string[]): readonly string[] {
  const isFirst = (test: string) => values.first.includes(test);
  return [...tests.filter(isFirst), ...tests.filter((test) => !isFirst(test))];
}

function wholeNumber(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`${option} takes a whole number, not "${value}".`);
  return Number(value);
}

function list(mutants: readonly Mutant[], testsOf: (file: string) => readonly string[]): void {
  for (const [file, ofFile] of Map.groupBy(mutants, (one) => one.file)) {
    console.log(`${file}: ${ofFile.length} faults\n  tests: ${testsOf(file).join(' ')}`);
    for (const mutant of ofFile) console.log(shown(mutant));
  }
  console.log(`${mutants.length} faults.`);
}

function report(outcomes: ReadonlyMap<Mutant, Outcome | 'equivalent'>): void {
  const having = (...wanted: string[]) =>
    [...outcomes].flatMap(([mutant, outcome]) => (wanted.includes(outcome) ? [mutant] : []));
  const survivors = having('survived', 'untested');
  for (const mutant of survivors) console.log(`\n${shown(mutant)}`);
  const noticed = having('noticed', 'timed out').length;
  const tried = noticed + survivors.length;
  const percent = tried === 0 ? 100 : Math.floor((100 * noticed) / tried);
  const setAside = having('equivalent').length;
  console.log(
    `\n${noticed} of ${tried} faults noticed (${percent} %), ${setAside} set aside, ${survivors.length} survived.`,
  );
  if (survivors.length > 0) process.exitCode = 1;
}

function shown({ file, line, mutator, before, after }: Mutant): string {
  const lines = (mark: string, text: string) => text.split('\n').map((one) => `  ${mark} ${one.trimEnd()}`);
  return [`${file}:${line}  ${mutator}`, ...lines('-', before), ...lines('+', after)].join('\n');
}
