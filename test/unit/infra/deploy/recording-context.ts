/** A context for tests of single parts. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, commandLine } from '../../../../infra/deploy/context.ts';
import type { Options } from '../../../../infra/deploy/options.ts';

/** A context that records commands and messages, and never waits. */
export function recordingContext(run: Context['run'] = async () => '') {
  const said: string[] = [];
  const ran: string[] = [];
  const options = { environment: 'dev', maxAttempts: 3, wait: 0 } as Options;
  const context: Context = {
    options,
    environment: {},
    signal: new AbortController().signal,
    folder: mkdtempSync(join(tmpdir(), 'deploy-')),
    say: (line) => said.push(line),
    run: (command, parameters, more) => {
      ran.push(commandLine(command, parameters));
      return run(command, parameters, more);
    },
  };
  return { context, said, ran };
}
