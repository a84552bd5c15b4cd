/** What the parser of a command itself says of words, without running the command: an option that none has is added, at which it stops. */

import { execFile } from 'node:child_process';

/** The option that none has. */
export const unknownOption = '--sentinel';

/** How the parsers of Node, Vitest, Python, Go and Cobra begin to refuse the first option that they do not know. */
const refusal =
  /(?:Unknown option|unrecognized arguments|flag provided but not defined|unknown flag):? ['"`]?--?([\w-]+)/i;

/** Runs a program with words that have the unknown option in them; returns what else its parser refuses, and nothing when that option is the first. */
export async function refusedByParser(
  program: string,
  words: readonly string[],
  cwd: string,
): Promise<readonly string[]> {
  const said = await new Promise<string>((resolve) => {
    execFile(program, [...words], { cwd, timeout: 120_000 }, (_error, stdout, stderr) =>
      resolve(`${stderr}${stdout}`),
    );
  });
  return refusal.exec(said)?.[1] === unknownOption.slice(2) ? [] : [said.trim().slice(0, 400)];
}
