/** Starts the functions host in a process of its own. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface FunctionsHostOptions {
  /** The folder with package.json and host.json. */
  readonly app: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The app's settings; nothing else is passed on but PATH and what Node itself reads. */
  readonly settings: Readonly<Record<string, string>>;
  /** Takes what the app writes; by default nobody does. */
  readonly log?: 'ignore' | ((text: string) => void);
}

export interface FunctionsHost {
  readonly address: string;
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the host and waits until it serves. Rejects with what the app wrote when it ends before. */
export async function startFunctionsHost({
  app,
  port,
  settings,
  log = 'ignore',
}: FunctionsHostOptions): Promise<FunctionsHost> {
  const child = fork(join(import.meta.dirname, 'main.ts'), ['--app', app, '--port', String(port)], {
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      ...settings,
    },
    stdio: ['ignore', log === 'ignore' ? 'ignore' : 'pipe', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (typeof log === 'function') log(text);
      if (stream === child.stderr) written.push(text);
    });
  }
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const message = ready[0] as { port?: number } | number | null;
  if (typeof message !== 'object' || message?.port === undefined) {
    throw new Error(
      `Cannot start the functions host: it ended with ${String(message)}.\n${written.join('')}`,
    );
  }
  return {
    address: `http://localhost:${message.port}`,
    port: message.port,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
