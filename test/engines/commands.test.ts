/** infra/facts/commands.txt has what the tools themselves take, of each that is on the PATH and recent enough. */

import { execFileSync } from 'node:child_process';
import { test } from 'vitest';
import { type KnownCommand, type KnownOption, knownCommands, knownTools } from '../support/known-commands.ts';
import { refusedByParser, unknownOption } from '../support/parsed-by-tool.ts';
import { newFolder } from '../support/temporary-folder.ts';

/** The version of a tool; undefined: it is not on the PATH. */
function versionOf(tool: string): string | undefined {
  try {
    const said = execFileSync(tool, ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return /\d+\.\d+/.exec(said)?.[0];
  } catch {
    return undefined;
  }
}

const isOlder = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) < 0;

/** A call with options and operands of a command, all or only those that it needs, and with an option that there is not. */
function callOf(
  { words, options, operands }: KnownCommand,
  isNeeded: (option: KnownOption) => boolean,
): string[] {
  const given = [...options].flatMap(([name, option]) => {
    const example = option.choices?.[0] ?? 'example=true';
    if (!isNeeded(option)) return [];
    if (option.value === '=') return [`${name}=${example}`];
    return option.value === ' ' ? [name, example] : [name];
  });
  // Go reads no options behind the first operand.
  return [...words, ...given, unknownOption, ...(operands.max === 0 ? [] : ['example'])];
}

const versions = new Map(knownTools.map((tool) => [tool, versionOf(tool)]));

test.concurrent.for(
  knownCommands.map((command) => [[command.tool, ...command.words].join(' '), command] as const),
)('%s', async ([, command], { expect, skip }) => {
  const version = versions.get(command.tool);
  if (version === undefined || isOlder(version, command.since ?? '')) return skip();
  const folder = newFolder();
  const calls = [() => true, ({ isRequired }: KnownOption) => isRequired].map((isNeeded) =>
    callOf(command, isNeeded),
  );
  // Each start of the Azure CLI takes seconds: the same call is made once.
  for (const call of new Map(calls.map((words) => [words.join(' '), words])).values())
    expect(await refusedByParser(command.tool, call, folder)).toEqual([]);
});
