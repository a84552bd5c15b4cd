/** The commands of tools of others that are called and documented here, and what each takes, as infra/facts/commands.txt lists them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands behind the name of an option. */
export interface KnownOption {
  readonly isRequired: boolean;
  /** Whether a value follows: as the next word, or behind `=`. */
  readonly value?: ' ' | '=';
  /** Whether several words may follow. */
  readonly isList: boolean;
  /** The values that it may have; any without. */
  readonly choices?: readonly string[];
}

export interface KnownCommand {
  readonly tool: string;
  /** The words that name it, such as `group delete`. */
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, KnownOption>;
  readonly operands: { readonly min: number; readonly max: number };
  /** The version of the tool that it came with, where an older one will do otherwise. */
  readonly since?: string;
}

const part =
  /(\[?)(--?[a-z][\w-]*)(?:([ =])(?:<[^>]+>|\{([^}]+)\})(\.\.\.)?)?\]?|(\[?)<[^>]+>(\.\.\.)?\]?|([a-z][\w-]*)/g;

function readLine(line: string): KnownCommand {
  const [text = '', since] = line.split(/\s*# /);
  const words: string[] = [];
  const options = new Map<string, KnownOption>();
  const operands = { min: 0, max: 0 };
  for (const [all, bracket, option, by, choices, several, optional, more, word] of text.matchAll(part)) {
    if (word !== undefined) words.push(word);
    else if (option !== undefined)
      options.set(option, {
        isRequired: bracket === '',
        isList: several !== undefined,
        ...(by === ' ' || by === '=' ? { value: by } : {}),
        ...(choices === undefined ? {} : { choices: choices.split(', ') }),
      });
    else if (all !== '') {
      operands.min += optional === '' ? 1 : 0;
      operands.max = more === undefined ? operands.max + 1 : Number.POSITIVE_INFINITY;
    }
  }
  const [tool = '', ...command] = words;
  return { tool, words: command, options, operands, ...(since === undefined ? {} : { since }) };
}

const file = join(import.meta.dirname, '../../infra/facts/commands.txt');
const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(readLine);

/** Every command, without the lines that have what all commands of a tool take. */
export const knownCommands: readonly KnownCommand[] = lines.filter(({ words }) => words.length > 0);

/** The tools whose commands are listed. */
export const knownTools: readonly string[] = [...new Set(lines.map(({ tool }) => tool))];

const isOption = (word: string) => /^--?[a-zA-Z]/.test(word);

/** The command that words call: the one with most words of those that they begin with, apart from options before them. */
function commandOf(tool: string, words: readonly string[]): KnownCommand | undefined {
  const named = words.filter((word) => !isOption(word));
  return knownCommands
    .filter((command) => command.tool === tool && command.words.every((word, index) => named[index] === word))
    .sort((one, other) => other.words.length - one.words.length)[0];
}

/**
 * Returns what is wrong with a call of a tool; nothing is known of other tools. A text may mention a command without all that it needs:
 * then `isMention` asks only whether what is there exists.
 */
export function faultsOfCall(
  tool: string,
  words: readonly string[],
  { isMention = false } = {},
): readonly string[] {
  if (!knownTools.includes(tool)) return [];
  const common = lines.find((line) => line.tool === tool && line.words.length === 0)?.options;
  const command = commandOf(tool, words);
  if (!command) return [`${tool} has no command "${words.join(' ')}"`];
  const name = [tool, ...command.words].join(' ');
  const faults: string[] = [];
  const given = new Set<string>();
  const operands: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!isOption(word)) {
      operands.push(word);
      continue;
    }
    const [option = '', attached] = word.includes('=') ? splitAt(word, word.indexOf('=')) : [word];
    const known = command.options.get(option) ?? common?.get(option);
    if (!known) {
      faults.push(`${option} is no option of "${name}"`);
      continue;
    }
    given.add(option);
    const values = attached === undefined ? [] : [attached];
    while (known.value === ' ' && attached === undefined && (known.isList || values.length === 0)) {
      const next = words[index + 1];
      if (next === undefined || isOption(next)) break;
      values.push(next);
      index += 1;
    }
    faults.push(...faultsOfValues(option, known, values).map((fault) => `${fault} ("${name}")`));
  }
  const count = operands.length - command.words.length;
  const { min, max } = command.operands;
  if (count > max)
    faults.push(`"${name}" takes no "${operands.slice(command.words.length + max).join(' ')}"`);
  if (isMention) return faults;
  const missing = [...command.options].filter(([option, { isRequired }]) => isRequired && !given.has(option));
  faults.push(...missing.map(([option]) => `"${name}" needs ${option}`));
  if (count < min) faults.push(`"${name}" needs more words`);
  return faults;
}

const splitAt = (text: string, index: number) => [text.slice(0, index), text.slice(index + 1)] as const;

function faultsOfValues(option: string, known: KnownOption, values: readonly string[]): string[] {
  const { value, choices } = known;
  if (value === undefined) return values.length > 0 ? [`${option} has no value`] : [];
  if (values.length === 0) return [`${option} needs a value`];
  const isChoice = (text: string) => choices?.some((choice) => choice.toLowerCase() === text.toLowerCase());
  return choices === undefined
    ? []
    : values
        .filter((text) => !isChoice(text))
        .map((text) => `${option} must be one of ${choices.join(', ')}, not ${text}`);
}

/** Throws an error when a tool, played by a test, is called by something that it does not have. */
export function mustBeKnown(tool: string, words: readonly string[]): void {
  const faults = faultsOfCall(tool, words);
  if (faults.length > 0)
    throw new Error(`${faults.join('; ')}: infra/facts/commands.txt has what the real one takes.`);
}
