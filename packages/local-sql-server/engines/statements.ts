/** All T-SQL of this repository: the corpus and the verdicts, the product's scripts, and the texts of tests. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVerdicts } from '../test/verdicts/verdicts.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns the batches of T-SQL, each once. */
export function allBatches(): string[] {
  const files = execFileSync('git', ['ls-files', '*.sql', '*.sql.txt', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const batches = files.flatMap((file) => batchesOf(file, readFileSync(join(root, file), 'utf8')));
  const statements = readVerdicts().map(({ sql }) => sql);
  return [...new Set([...batches, ...statements].map((batch) => batch.trim()))].filter(Boolean);
}

function batchesOf(file: string, text: string): string[] {
  if (file.endsWith('.ts')) return textsOf(text);
  if (file.includes('/verdicts/statements')) return [];
  if (file.endsWith('.sql')) return split(text);
  const cases = text.split(/^## .*$/m).slice(1);
  return cases.flatMap((part) => split(part.replace(/^-->.*$/gm, '')));
}

function split(script: string): string[] {
  return script.split(/^GO\s*$/m);
}

/** Texts that a test hands to a client whole, without placeholders. */
function textsOf(source: string): string[] {
  const calls = source.matchAll(/\.(?:query|batch)\(\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g);
  return [...calls]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => /^\s*[A-Z]+\s/.test(text) && !/\$\{|\\/.test(text));
}
