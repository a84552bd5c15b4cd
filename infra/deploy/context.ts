/** What every step works with: the options, a way to run tools, and a voice. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Options } from './options.ts';

/** The root of the repository; tools run there. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A tool ended with an error. `output` is all that it said. */
export class ToolFailure extends Error {
  readonly output: string;
  constructor(command: string, code: number | null, output: string) {
    super(`${command} failed with exit code ${code}.`);
    this.output = output;
  }
}

export interface RunOptions {
  /** Variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True: the command is not announced; for those that only ask. */
  readonly quiet?: boolean;
  /** True: what it writes appears as it comes, so that it can ask a person. */
  readonly show?: boolean;
}

export interface Context {
  readonly options: Options;
  /** Prints a line about the progress. */
  readonly say: (line: string) => void;
  /** Runs a tool and gives what it wrote to stdout; in a dry run prints it and gives ''. Throws a ToolFailure. */
  readonly run: (command: string, parameters: readonly string[], options?: RunOptions) => Promise<string>;
}

/** Makes the context of one command. */
export function createContext(options: Options): Context {
  const say = (line: string) => console.log(line);
  return {
    options,
    say,
    async run(command, parameters, { environment = {}, quiet = false, show = false } = {}) {
      const line = commandLine(command, parameters);
      if (options.dryRun) say(withVariables(line, environment));
      if (options.dryRun) return '';
      if (!quiet) say(`> ${line}`);
      return execute(command, parameters, environment, show);
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

/** A command for the shell of Windows, which az, azd and npm need there, since they are scripts. */
export function windowsCommandLine(command: string, parameters: readonly string[]): string {
  const inQuotes = (word: string) =>
    /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  return [command, ...parameters].map(inQuotes).join(' ');
}

/** What a tool is, for someone who lacks it. */
const tools: Readonly<Record<string, string>> = {
  az: 'the Azure CLI (https://aka.ms/azure-cli)',
  azd: 'the Azure Developer CLI (https://aka.ms/azd)',
  terraform: 'Terraform (https://developer.hashicorp.com/terraform/install)',
};

function missingTool(command: string): Error {
  const tool = tools[command];
  return new Error(`Cannot run ${command}: it is not on the PATH.${tool ? ` Install ${tool}.` : ''}`);
}

/** Runs a tool; its messages (stderr) appear as they come, what it writes to stdout is kept. */
function execute(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  show: boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['inherit', 'pipe', 'pipe'] as ['inherit', 'pipe', 'pipe'],
    };
    const child =
      process.platform === 'win32'
        ? spawn(windowsCommandLine(command, parameters), { ...settings, shell: true })
        : spawn(command, parameters, settings);
    let [output, everything] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      everything += text;
      if (show) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      everything += text;
      process.stderr.write(text);
    });
    child.on('error', () => reject(missingTool(command)));
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new ToolFailure(command, code, everything)),
    );
  });
}
