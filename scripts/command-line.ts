/** Reads the arguments of every command of the project, prints its help, and rejects unknown words. */

import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Exit status after invalid arguments. */
const usageError = 2;

/** Wrong use of a command; the message is for its user. */
export class UsageError extends Error {}

/** Parses the words of a command line. Throws a UsageError for an unknown word. */
export function parseWords<T extends ParseArgsConfig>(
  words: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs({ ...config, args: [...words] } as unknown as T);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The rest of the message explains how to pass such an argument as a value.
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
  return orUsage(command, () => parseWords(words, config as unknown as T));
}

/** Returns what is read from a command line. Of a UsageError prints the message on standard error, and ends the process with status 2. */
export function orUsage<T>(command: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n${command} -- --help tells what it takes.`);
    process.exit(usageError);
  }
}

/** Returns a text for a terminal. Files and other computers have a part in messages: no control character of theirs gets there. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

/** Runs the work of a script. Prints the message of an error, which users may correct, and ends the process with status 1. */
export async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? printable(error.message) : error);
    process.exitCode = 1;
  }
}
