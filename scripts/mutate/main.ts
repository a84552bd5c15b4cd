/** `npm run mutate`: puts small faults into source files, one at a time, and reports those that no test notices. */

import { readFileSync, statSync } from 'node:fs';
import { normalize } from 'node:path';
import { explained, readArguments } from '../command-line.ts';
import { projectFiles } from './checkout-copy.ts';
import { type Mutant, mutantsOf, sample } from './mutants.ts';
import { mutators } from './mutators.ts';
import { runMutants } from './run-mutants.ts';

const kinds = Object.keys(mutators);

const help = `Puts small faults (mutants) into source files, one at a time, in a copy of the checkout, runs the related
tests, and prints the mutants that survive.

  npm run mutate -- <file or folder> ...

  --sample <n>    only n of the mutants
  --seed <n>      which ones (default 1): the same seed chooses the same mutants of the same sources
  --kind <name>   only mutants of a kind; may be repeated:
                  ${kinds.slice(0, 10).join(', ')},
                  ${kinds.slice(10).join(', ')}
  --list          print the mutants and run nothing

The field "mutate" of package.json names further tests of a folder: those that reach it over HTTP only.
The exit status is 1 when a mutant survives.`;

const { values, positionals } = readArguments({
  command: 'npm run mutate',
  help,
  options: {
    sample: { type: 'string', default: '999999999' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', multiple: true, default: kinds },
    list: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

await explained(async () => {
  const unknown = values.kind.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined) throw new Error(`No kind of mutants is called "${unknown}".`);
  const all = sourceFiles().flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8'), values.kind));
  const mutants = sample(all, wholeNumber('sample'), wholeNumber('seed'));
  if (values.list) return console.log([...mutants.map(describe), `${mutants.length} mutants.`].join('\n'));
  // On exit the processes end and the copy is removed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const { mutate: table = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
  const outcomes = [...(await runMutants(process.cwd(), mutants, table, console.log))];
  const survivors = outcomes.filter(([, outcome]) => /survived|untested/.test(outcome));
  for (const [mutant, outcome] of survivors) console.log(`\n${outcome}: ${describe(mutant)}`);
  const killed = outcomes.length - survivors.length;
  console.log(`\n${killed} of ${outcomes.length} mutants killed, ${survivors.length} survived.`);
  if (survivors.length > 0) process.exitCode = 1;
});

/** Returns the TypeScript files that the command line names, and those in its folders that are no tests. */
function sourceFiles(): string[] {
  if (positionals.length === 0)
    throw new Error('Name a file or a folder; npm run mutate -- --help explains.');
  return positionals.flatMap((path) => {
    const name = normalize(path).replaceAll('\\', '/').replace(/\/$/, '');
    if (!statSync(name).isDirectory()) return [name];
    const isSource = (file: string) => /\.tsx?$/.test(file) && !/(^|\/)test\/|\.d\.ts$/.test(file);
    return projectFiles('.').filter((file) => file.startsWith(`${name}/`) && isSource(file));
  });
}

function wholeNumber(option: 'sample' | 'seed'): number {
  const value = values[option];
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${option} takes a whole number, not "${value}".`);
  return Number(value);
}

function describe({ file, line, kind, before, after }: Mutant): string {
  const lines = (mark: string, text: string) => text.split('\n').map((row) => `  ${mark} ${row.trimEnd()}`);
  return [`${file}:${line}  ${kind}`, ...lines('-', before), ...lines('+', after)].join('\n');
}
