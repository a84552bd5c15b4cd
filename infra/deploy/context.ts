/** What every step works with: the options, a way to run tools, and a voice. */

import type { Connect } from './connect.ts';
import type { DomainNames } from './domain-names.ts';
import type { Environments } from './environments.ts';
import type { Options } from './options.ts';

/**
 * A tool ended with an error. `code` is its exit code, `complaint` what it said of it (stderr): a plan that it has written before has words
 * of its own, such as the daily quota of logs, that mean nothing here.
 */
export class ToolFailure extends Error {
  readonly code: number | null;
  readonly complaint: string;
  constructor(command: string, code: number | null, complaint: string) {
    super(`${command} failed with exit code ${code}.`);
    this.code = code;
    this.complaint = complaint;
  }
}

/** A tool was ended because it took too long. */
export class TimeLimit extends Error {
  constructor(command: string, minutes: number) {
    super(
      `${command} did not end within ${minutes} minutes and was stopped (--time-limit sets another limit).`,
    );
  }
}

/** Someone asked the run to end: a signal, or the end of the terminal. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.');
  }
}

export interface RunOptions {
  /** Variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True: the command is not announced; for those that only ask. */
  readonly quiet?: boolean;
  /** True: what it writes appears as it comes, so that it can ask a person. */
  readonly show?: boolean;
  /** Minutes that it may take; default 5. */
  readonly minutes?: number;
  /** True: it runs although the run was interrupted, since it takes something away that must not stay. */
  readonly cleanup?: boolean;
  /** True: it is not called again where Azure or GitHub fail for a moment, since whoever calls it does that. */
  readonly once?: boolean;
}

/** How a tool is run. */
export interface Execution {
  readonly environment: Readonly<Record<string, string>>;
  readonly show: boolean;
  readonly minutes: number;
  readonly signal: AbortSignal | undefined;
}

/** Runs a tool to its end and returns what it wrote to stdout. Throws a ToolFailure, a TimeLimit or Interrupted. */
export type Execute = (command: string, parameters: readonly string[], how: Execution) => Promise<string>;

/** What a run gets from the process that it runs in. */
export interface CommandRuntime {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Asks a person for yes or no; no where nobody can be asked. */
  readonly ask: (question: string) => Promise<boolean>;
  readonly execute: Execute;
  /** Aborted when the run shall end. */
  readonly signal: AbortSignal;
  /** Where runs, packages and firewall rules are remembered: .deployments. */
  readonly folder: string;
  /** The environments that have a file; default: those in infra/environments. */
  readonly environments?: Environments;
  /** Where `npm run package` writes app.zip, and where a package without a path is; default: the root of the repository. */
  readonly packageFolder?: string;
  /** Opens connections to a server; default: by the driver. */
  readonly connect?: (server: string) => Connect;
  /** What DNS says of names; default: what the machine's resolver says. */
  readonly names?: DomainNames;
  /** The day of today; default: by the clock. */
  readonly today?: () => Date;
}

export interface Context extends Omit<CommandRuntime, 'execute' | 'complain'> {
  readonly options: Options;
  /** Writes what a step is asked for as data; everything else is said. */
  readonly print: (text: string) => void;
  /** Runs a tool and returns what it wrote to stdout; in a dry run prints it and returns ''. Throws as Execute does. */
  readonly run: (command: string, parameters: readonly string[], options?: RunOptions) => Promise<string>;
}

/** Creates the context of one command. `isData`: only data goes to where the command writes, so that another one can read it. */
export function createContext(options: Options, runtime: CommandRuntime, { isData = false } = {}): Context {
  const { execute, complain, ...ofRuntime } = runtime;
  const { signal } = runtime;
  const say = isData ? complain : runtime.say;
  return {
    ...ofRuntime,
    options,
    say,
    print: runtime.say,
    async run(
      command,
      parameters,
      { environment = {}, quiet = false, show = false, minutes = 5, cleanup = false } = {},
    ) {
      const line = commandLine(command, parameters);
      if (options.dryRun) say(withVariables(line, environment));
      if (options.dryRun) return '';
      if (signal.aborted && !cleanup) throw new Interrupted();
      if (!quiet) say(`> ${line}`);
      return execute(command, parameters, {
        environment,
        show,
        minutes: options.timeLimit ?? minutes,
        signal: cleanup ? undefined : signal,
      });
    },
  };
}

/** A command as one would type it, in a POSIX shell. */
export function commandLine(command: string, parameters: readonly string[]): string {
  return [command, ...parameters].map(quoted).join(' ');
}

function withVariables(line: string, environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...variables, line].join(' ');
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
