/** Whether a command of npm can be typed: its script exists, and the script's own parser takes its words. */

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { calendarArguments, commandIn } from '../../scripts/calendar/arguments.ts';
import { parseWords } from '../../scripts/command-line.ts';
import { placeholder } from './documented-commands.ts';
import { refusedByParser, unknownOption } from './parsed-by-tool.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
/** Scripts that `npm <name>` runs, too. */
const short = ['start', 'test'];
/** Commands of npm itself. */
const ofNpm = ['ci', 'install', 'outdated', 'pack'];
/** Options of npm before the name of a script, with the number of their values. */
const npmOptions: Readonly<Record<string, number>> = {
  '--silent': 0,
  '--prefix': 1,
};

/** Splits the words of a call into the script and its own words; no script for a command of npm itself. Returns a fault as a text. */
export function scriptOf(
  words: readonly string[],
): { readonly script: string; readonly own: readonly string[] } | string {
  if (ofNpm.includes(words[0] ?? '')) return { script: '', own: [] };
  const before: string[] = [];
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  for (let at = 0; at < end; at += 1) {
    const word = words[at] ?? '';
    const values = npmOptions[word];
    if (word.startsWith('-') && values === undefined)
      return `npm keeps ${word} for itself: write -- before it`;
    if (values === undefined) before.push(word);
    at += values ?? 0;
  }
  const [first = '', ...others] = before;
  const [script = '', ...positionals] = first === 'run' ? others : before;
  if (first !== 'run' && !short.includes(first)) return `npm has no command ${first}`;
  if (scripts[script] === undefined) return `package.json has no script ${script}`;
  return { script, own: [...positionals, ...words.slice(end + 1)] };
}

/** Returns what is wrong with a call of npm. `isMention`: it may leave out what its script needs. */
export async function faultsOfNpm(
  words: readonly string[],
  { isMention = false } = {},
): Promise<readonly string[]> {
  const found = scriptOf(words);
  if (typeof found === 'string') return [found];
  const { script } = found;
  const own = found.own.filter((word) => word !== '...');
  if (own.length === 0 || own.includes('--help')) return [];
  const name = `npm run ${script}`;
  const command = scripts[script] ?? '';
  const faults = / vitest /.test(command)
    ? await faultsOfTest(command, own)
    : !/\.ts\b/.test(command)
      ? [`takes no words of its own`]
      : [
          ...(await faultsOfScript(script, command, own)),
          ...(script === 'calendar' && !isMention ? faultsOfCalendar(own) : []),
        ];
  return faults.map((fault) => `${name}: ${fault}`);
}

const tests = globSync('{test,packages,local}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });

/** Vitest takes the options, and there are tests whose path has each word. */
async function faultsOfTest(command: string, own: readonly string[]): Promise<readonly string[]> {
  const configuration = /--config \S+/.exec(command)?.[0].split(' ') ?? [];
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const filters = own.filter((word, at) => !word.startsWith('-') && own[at - 1] !== '-t');
  const missing = filters.filter((word) => {
    const isIn =
      own[own.indexOf(word) - 1] === '--exclude' ? matchesGlob : (file: string) => file.includes(word);
    return !word.includes(placeholder) && !tests.some((file) => isIn(file, word));
  });
  return [
    ...missing.map((word) => `no test has ${word} in its path`),
    ...(await refusedByParser(
      process.execPath,
      [program, 'run', ...configuration, ...own, unknownOption],
      root,
    )),
  ];
}

const helpTexts = new Map<string, string>();

/** What a script prints with --help. */
function helpOf(script: string, program: readonly string[]): string {
  const known = helpTexts.get(script);
  if (known !== undefined) return known;
  const help = execFileSync(process.execPath, [...program, '--help'], { cwd: root, encoding: 'utf8' });
  helpTexts.set(script, help);
  return help;
}

/** The script takes the options; a plain word that is no value of an option is one that its help has, or a file or folder. */
async function faultsOfScript(
  script: string,
  command: string,
  own: readonly string[],
): Promise<readonly string[]> {
  const program = command.replace(/^node (?:scripts\/run\.mjs )?(?:--(?:with=\S+|dev) )*/, '').split(' ');
  const help = helpOf(script, program);
  const unknown = own.filter(
    (word, at) =>
      /^[a-z][a-z-]*$/.test(word) &&
      !own[at - 1]?.startsWith('-') &&
      !new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`).test(help) &&
      !existsSync(join(root, word)),
  );
  return [
    ...unknown.map((word) => `its help does not know ${word}`),
    ...(await refusedByParser(process.execPath, [...program, ...own, unknownOption], root)),
  ];
}

function faultsOfCalendar(own: readonly string[]): readonly string[] {
  try {
    const { positionals, values } = parseWords(own, calendarArguments);
    commandIn(positionals, values);
    return [];
  } catch (error) {
    return [String(error)];
  }
}
