/** Runs of `npm run deploy` as child processes, which can be killed. */

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { FakeTools } from './fake-tools.ts';

const root = join(import.meta.dirname, '../..');

/** Starts a run with fake tools first on the PATH. */
export function startDeploy(
  words: readonly string[],
  tools: FakeTools,
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [join(root, 'infra/deploy/main.ts'), ...words], {
    env: { ...process.env, ...environment, PATH: `${tools.folder}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  /** Its exit code, or the signal that ended it. */
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code) => resolve(code));
    // A tool that a killed run leaves behind may keep its output open for as long as it goes on.
    child.on('exit', (_code, signal) => signal && resolve(signal));
  });
  return {
    child,
    ended,
    /** Resolves when a tool was called with something. Throws an error when the run ends before. */
    async begun(what: string) {
      const isCalled = () => tools.calls().some((call) => call.includes(what));
      await until(() => isCalled() || child.exitCode !== null);
      if (!isCalled()) throw new Error(`The run ended before it called "${what}":\n${said}`);
    },
    said: () => said,
  };
}

/** Waits until something holds that another process does. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Removes what runs of environments whose names begin so have left. */
export function forgetRuns(environment: string): void {
  const folder = join(root, '.deployments');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name.startsWith(environment)) rmSync(join(folder, name), { recursive: true });
}
