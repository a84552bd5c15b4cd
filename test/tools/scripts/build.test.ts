import { readdirSync, readFileSync } from 'node:fs';
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

test('the app imports no module of Node, since an import evaluates the whole module', () => {
  const names = [...loadedWith(entry).values()].flat();
  expect(names.filter((name) => !name.startsWith('.'))).toEqual([]);
});

test('the app loads only the packages of its start', () => {
  const packages = [...loadedWith(entry).keys()].flatMap(packagesIn);
  expect([...new Set(packages)].sort()).toEqual([
    '@azure/functions',
    '@azure/functions-extensions-base',
    'cookie',
    'entities',
    'lru-cache',
    'negotiator',
    'remove-accents',
    'typebox',
  ]);
});

test('the SQL driver does not load the library of credentials, which only a managed identity needs', () => {
  const folder = join(dirname(entry), 'later');
  const driver = readdirSync(folder).find((name) => /^mssql-\w+\.js$/.test(name)) ?? '';
  const packages = [...loadedWith(join(folder, driver)).keys()].flatMap(packagesIn);
  expect(packages).toContain('tedious');
  expect(packages).not.toContain('@azure/identity');
});
