/** What all scripts share: how they read their arguments, explain themselves, and refuse what they do not know. */

import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Exit status after arguments that make no sense. */
const usageError = 2;

/**
 * Reads the arguments of a script. With `--help` or `-h` it prints the help and ends the process instead; with arguments
 * that the script does not know it says which on standard error and ends the process with status 2.
 */
export function readArguments<T extends ParseArgsConfig>(
  { command, help, ...config }: T & { readonly command: string; readonly help: string },
  parameters: readonly string[] = process.argv.slice(2),
): ReturnType<typeof parseArgs<T>> {
  if (parameters.includes('--help') || parameters.includes('-h')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs({ ...config, args: [...parameters] } as unknown as T);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node goes on to explain how such an argument could be passed as a value.
    console.error(`${error.message.split('. ', 1)[0]}.\n${command} -- --help tells what it takes.`);
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
