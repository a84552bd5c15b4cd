/** Runs tools as child processes that end in any case. */

import { type ChildProcess, spawn } from 'node:child_process';
import { type Execute, Interrupted, TimeLimit, ToolFailure } from './context.ts';
import { root } from './root.ts';

/** What a tool is, for someone who lacks it. */
const tools: Readonly<Record<string, string>> = {
  az: 'the Azure CLI (https://aka.ms/azure-cli)',
  terraform: 'Terraform (https://developer.hashicorp.com/terraform/install)',
};

/** Milliseconds that a tool gets to end by itself after it was asked to; Terraform writes its state then. */
const grace = { terraform: 120_000, otherTools: 10_000 };

/** A command for the shell of Windows, which az and npm need there, since they are scripts. */
export function windowsCommandLine(command: string, parameters: readonly string[]): string {
  const inQuotes = (word: string) =>
    /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  return [command, ...parameters].map(inQuotes).join(' ');
}

/** Runs a tool; its messages (stderr) appear as they come, what it writes to stdout is kept. */
export const executeTool: Execute = (...call) => runTool(grace, ...call);

/** The same with other times for tools to end by themselves. */
export const runTool = (
  times: typeof grace,
  ...[command, parameters, { environment, show, minutes, signal }]: Parameters<Execute>
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = start(command, parameters, environment);
    let output = '';
    let complaints = '';
    let ended: Error | undefined;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (show) process.stdout.write(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
      process.stderr.write(text);
    });
    const end = (reason: Error, politely: boolean) => {
      ended ??= reason;
      stop(command, child, politely, times);
    };
    const limit = setTimeout(() => end(new TimeLimit(command, minutes), true), minutes * 60_000);
    const interrupt = () => end(new Interrupted(), !reachedByTerminal(signal));
    signal?.addEventListener('abort', interrupt, { once: true });
    const cleanUp = () => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', interrupt);
    };
    child.on('error', () => {
      cleanUp();
      reject(missingTool(command));
    });
    child.on('close', (code) => {
      cleanUp();
      if (ended) reject(ended);
      else if (code === 0) resolve(output);
      else reject(new ToolFailure(command, code, complaints));
    });
  });

function start(command: string, parameters: readonly string[], more: Readonly<Record<string, string>>) {
  const settings = {
    cwd: root,
    env: { ...process.env, ...more },
    stdio: ['inherit', 'pipe', 'pipe'] as ['inherit', 'pipe', 'pipe'],
  };
  return process.platform === 'win32'
    ? spawn(windowsCommandLine(command, parameters), { ...settings, shell: true })
    : spawn(command, parameters, settings);
}

/** Ctrl-C in a terminal reaches the tool by itself, and a second signal would end Terraform before it has written its state. */
const reachedByTerminal = (signal: AbortSignal | undefined) =>
  signal?.reason === 'SIGINT' && process.stdin.isTTY === true;

function stop(command: string, child: ChildProcess, politely: boolean, times: typeof grace): void {
  if (politely) child.kill(command === 'terraform' ? 'SIGINT' : 'SIGTERM');
  const last = setTimeout(
    () => {
      child.kill('SIGKILL');
      // The Azure CLI is a script around another process, which would keep these open, and us waiting.
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    command === 'terraform' ? times.terraform : times.otherTools,
  );
  child.once('close', () => clearTimeout(last));
}

function missingTool(command: string): Error {
  const tool = tools[command];
  return new Error(`Cannot run ${command}: it is not on the PATH.${tool ? ` Install ${tool}.` : ''}`);
}
