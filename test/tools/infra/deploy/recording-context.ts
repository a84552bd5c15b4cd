/** A context for tests of single parts. */

import { type Context, commandLine } from '../../../../infra/deploy/context.ts';
import type { Options } from '../../../../infra/deploy/options.ts';
import { newFolder } from '../../../support/temporary-folder.ts';

/** A context that records commands and messages, and never waits. */
export function recordingContext(run: Context['run'] = async () => '') {
  const said: string[] = [];
  const ran: string[] = [];
  const options = { environment: 'dev', maxAttempts: 3, wait: 0 } as Options;
  const context: Context = {
    options,
    environment: {},
    signal: new AbortController().signal,
    folder: newFolder(),
    ask: async () => false,
    say: (line) => said.push(line),
    print: (text) => said.push(text),
    run: (command, parameters, more) => {
      ran.push(commandLine(command, parameters));
      return run(command, parameters, more);
    },
  };
  return { context, said, ran };
}
