/** Tools that are not there, played by small scripts that record how they were called. */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A folder of fake tools for the PATH. */
export interface FakeTools {
  readonly folder: string;
  /** The calls so far, one line each: the tool and its parameters. */
  readonly calls: () => string[];
}

/**
 * Creates tools that run JavaScript: `words` are their parameters, `call` is all of them as one text, `before` says how often
 * the tool was called with the same ones. They start with the Node of this process.
 */
export function fakeTools(scripts: Readonly<Record<string, string>>): FakeTools {
  const folder = mkdtempSync(join(tmpdir(), 'fake-tools-'));
  const log = join(folder, 'calls');
  for (const [tool, script] of Object.entries(scripts)) {
    const file = join(folder, tool);
    // One that does nothing is a script of the shell, which starts in a tenth of the time.
    const recorder = `#!/bin/sh\nprintf '%s\\n' "${tool} $*" >> '${log}'\n`;
    writeFileSync(
      file,
      script === '' ? recorder : `#!${process.execPath}\n${prelude(tool, log)}\n${script}\n`,
    );
    chmodSync(file, 0o755);
  }
  return {
    folder,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []),
  };
}

const prelude = (tool: string, log: string) => `
const fs = require('node:fs');
const words = process.argv.slice(2);
const call = words.join(' ');
const line = ${JSON.stringify(tool)} + ' ' + call;
const earlier = fs.existsSync(${JSON.stringify(log)}) ? fs.readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n') : [];
const before = earlier.filter((one) => one === line).length;
fs.appendFileSync(${JSON.stringify(log)}, line + '\\n');`;

/** Runs one of our scripts with fake tools first on the PATH; gives what it printed and its exit code. */
export function runScript(
  script: string,
  parameters: readonly string[],
  { folder }: FakeTools,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [script, ...parameters], {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}
