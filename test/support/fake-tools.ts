/** Tools that are not there, played by small scripts that record how they were called. */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './temporary-folder.ts';

/** A folder of fake tools for the PATH. */
export interface FakeTools {
  readonly folder: string;
  /** The calls so far, a line each: the tool and its parameters. */
  readonly calls: () => string[];
}

/**
 * Creates tools that run JavaScript: `words` are their parameters, `call` is all of them as one text, `before` says how often
 * the tool was called with the same ones, and `earlier` has all calls. They start with the Node of this process.
 */
export function fakeTools(scripts: Readonly<Record<string, string>>): FakeTools {
  return createTools(scripts, (tool, log, script) =>
    // One that does nothing is left to the shell, which starts in a tenth of the time.
    script === ''
      ? inShell(tool, log, '')
      : `#!${process.execPath}\n${preludeInNode(tool, log)}\n${script}\n`,
  );
}

/** Creates tools that run lines of the shell, with `$call`, `$before` and the file `$log` of all calls; they start in a tenth of the time that Node takes. */
export function shellTools(scripts: Readonly<Record<string, string>>): FakeTools {
  return createTools(scripts, inShell);
}

/** A tool that runs the given lines of the shell; `calls` gives the parameters of each call so far. */
export function fakeTool(script: string) {
  const { folder, calls } = shellTools({ tool: script });
  return { tool: join(folder, 'tool'), calls: () => calls().map((call) => call.slice('tool '.length)) };
}

/** Writes the line of the shell that prints a text for calls that hold some words. */
export function answers(words: string, text: string): string {
  return `case "$call" in *${quote(words)}*) printf '%s\\n' ${quote(text)};; esac`;
}

/** Writes the line of the shell that hangs until it is ended at the first call that holds some words. */
export function hangs(words: string): string {
  return `case "$call" in *${quote(words)}*) [ "$(grep -cF -e ${quote(words)} "$log")" -gt 1 ] || exec sleep 120;; esac`;
}

function createTools(
  scripts: Readonly<Record<string, string>>,
  write: (tool: string, log: string, script: string) => string,
): FakeTools {
  const log = join(newFolder(), 'calls');
  const folder = writeTools(
    Object.fromEntries(Object.entries(scripts).map(([tool, script]) => [tool, write(tool, log, script)])),
  );
  return {
    folder,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []),
  };
}

/** Writes programs by their names into a new folder, and returns it. */
export function writeTools(programs: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(folder, name), program);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const inShell = (tool: string, log: string, script: string) => `#!/bin/sh
call="$*"
log=${quote(log)}
line="${tool} $call"
${script.includes('$before') ? `before=$(grep -cxF -e "$line" "$log" 2>/dev/null)\nbefore=\${before:-0}` : ''}
printf '%s\\n' "$line" >> "$log"
${script}
exit 0
`;

const preludeInNode = (tool: string, log: string) => `
const fs = require('node:fs');
const words = process.argv.slice(2);
const call = words.join(' ');
const line = ${JSON.stringify(tool)} + ' ' + call;
const earlier = fs.existsSync(${JSON.stringify(log)}) ? fs.readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n') : [];
const before = earlier.filter((earlierCall) => earlierCall === line).length;
fs.appendFileSync(${JSON.stringify(log)}, line + '\\n');`;
