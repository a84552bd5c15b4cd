/** `npm run deploy -- <step>`: brings one environment to Azure, step by step. */

import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { deploy } from './deploy.ts';
import { root } from './root.ts';
import { executeTool } from './tools.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // The second time, nothing is waited for.
    if (interruption.signal.aborted) process.exit(1);
    console.error(`${signal}: ending what is at work, and taking away what must not stay ...`);
    interruption.abort(signal);
  });

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} `, { signal: interruption.signal });
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

const code = await deploy(process.argv.slice(2), {
  environment: process.env,
  say: (line) => console.log(line),
  ask,
  complain: (line) => console.error(line),
  execute: executeTool,
  signal: interruption.signal,
  folder: join(root, '.deployments'),
});

// Connections that are still open must not keep an interrupted run from ending.
if (interruption.signal.aborted) process.exit(interruption.signal.reason === 'SIGTERM' ? 143 : code);
process.exitCode = code;
