/** How every command of the project reads its arguments, explains itself, and refuses what it does not know. */

import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Exit status after arguments that make no sense. */
const usageError = 2;

/** Wrong use of a command; the message is for the person who typed it. */
export class UsageError extends Error {}

/** Parses the words of a command line as the options say. Throws a UsageError for a word that is none of them. */
export function parseWords<T extends ParseArgsConfig>(
  words: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs({ ...config, args: [...words] } as unknown as T);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node continues with an explanation of how such an argument could be passed as a value.
    throw new UsageError(`${error.message.split('. ', 1)[0]?.replace(/\.$/, '')}.`, { cause: error });
  }
}

/**
 * Reads the arguments of a script. With `--help` or `-h` it prints the help and ends the process. With unknown arguments it names the
 * first on standard error and ends the process with status 2.
 */
export function readArguments<T extends ParseArgsConfig>(
  { command, help, ...config }: T & { readonly command: string; readonly help: string },
  words: readonly string[] = process.argv.slice(2),
): ReturnType<typeof parseArgs<T>> {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseWords(words, config as unknown as T);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n${command} -- --help tells what it takes.`);
    process.exit(usageError);
  }
}

/** Does the work of a script. An error, which users may be able to mend, is shown by its message and ends the process with status 1. */
export async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
