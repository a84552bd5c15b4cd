/** Runs of `npm run deploy` inside of this process, with tools that are played by small scripts. */

import fs from 'node:fs';
import { join } from 'node:path';
import { type Execute, ToolFailure } from '../../infra/deploy/context.ts';
import { deploy } from '../../infra/deploy/deploy.ts';
import type { Environments } from '../../infra/deploy/environments.ts';
import { mustBeKnown } from './known-commands.ts';
import { newFolder } from './temporary-folder.ts';

/** Tools that record how they were called. */
export interface PlayedTools {
  /** A folder that the scripts know as `__dirname`. */
  readonly folder: string;
  readonly calls: () => string[];
  readonly execute: Execute;
}

class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Plays tools by JavaScript: `words` are their parameters, `call` is all of them as one text, `before` says how often the tool
 * was called with the same ones, `earlier` has all calls before. A tool without a script is not on the PATH.
 */
export function playTools(scripts: Readonly<Record<string, string>>): PlayedTools {
  const folder = newFolder();
  const calls: string[] = [];
  const execute: Execute = async (command, parameters, { environment }) => {
    const script = scripts[command];
    if (script === undefined) throw new Error(`Cannot run ${command}: it is not on the PATH.`);
    mustBeKnown(command, parameters);
    const call = parameters.join(' ');
    const line = `${command} ${call}`;
    const earlier = [...calls];
    const before = earlier.filter((call) => call === line).length;
    calls.push(line);
    const output: string[] = [];
    const messages: string[] = [];
    const voice = { log: (text: string) => output.push(text), error: (text: string) => messages.push(text) };
    const world = {
      env: environment,
      exit: (code: number) => {
        throw new Exit(code);
      },
    };
    try {
      new Function('words', 'call', 'before', 'earlier', 'console', 'process', 'fs', '__dirname', script)(
        parameters,
        call,
        before,
        earlier,
        voice,
        world,
        fs,
        folder,
      );
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      if (error.code !== 0) throw new ToolFailure(command, error.code, messages.join('\n'));
    }
    return output.map((text) => `${text}\n`).join('');
  };
  return { folder, calls: () => [...calls], execute };
}

/** Does one run with these words, or those of a text with blanks between them; gives what it printed and its exit code. */
export async function runDeploy(
  words: string | readonly string[],
  tools: PlayedTools,
  environment: Readonly<Record<string, string>> = {},
  environments: Environments = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await deploy(typeof words === 'string' ? words.split(' ') : words, {
    environment,
    environments,
    say: (line) => said.push(line),
    ask: async () => false,
    complain: (line) => complained.push(line),
    execute: tools.execute,
    signal: new AbortController().signal,
    folder: join(tools.folder, 'deployments'),
  });
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return { code, stdout: text(said), stderr: text(complained) };
}
