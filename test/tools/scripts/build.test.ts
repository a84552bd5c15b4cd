import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '..', '..', '..', 'dist', 'functions', 'index.js');
const imports = /\b(?:from|import)"([\w@./:-]+)"/g;

/** Returns the files of the bundle that a file loads, with the names that each of them imports. */
function loadedWith(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const names = [...readFileSync(file, 'utf8').matchAll(imports)].map(([, name = '']) => name);
  seen.set(file, names);
  for (const name of names) if (name.startsWith('.')) loadedWith(join(dirname(file), name), seen);
  return seen;
}

/** Returns the packages whose source is in a file. */
function packagesIn(file: string): string[] {
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { readonly sources: string[] };
  return sources.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
}

test('the app loads only the packages of its start', () => {
  const packages = [...loadedWith(entry).keys()].flatMap(packagesIn);
  expect([...new Set(packages)].sort()).toEqual([
    // What the library of Azure Functions has bundled.
    'cookie',
    'dom-serializer',
    'domelementtype',
    'domhandler',
    'domutils',
    'entities',
    'htmlparser2',
    'lru-cache',
    'negotiator',
    'remove-accents',
    'typebox',
  ]);
});
