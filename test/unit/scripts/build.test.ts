import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '..', '..', '..', 'dist', 'functions', 'index.js');
const imports = /\b(?:from|import)"([\w@./:-]+)"/g;

/** Returns the files of the bundle that are loaded with one, each with the names that it imports. */
function loadedWith(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const found = [...readFileSync(file, 'utf8').matchAll(imports)].map(([, name = '']) => name);
  seen.set(file, found);
  for (const name of found) if (name.startsWith('.')) loadedWith(join(dirname(file), name), seen);
  return seen;
}

/** Returns the packages whose source is in a file. */
function packagesIn(file: string): string[] {
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { readonly sources: string[] };
  return sources.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
}

test('the app imports none of the modules of Node, since an import evaluates the whole of one', () => {
  const names = [...loadedWith(entry).values()].flat();
  expect(names.filter((name) => !name.startsWith('.'))).toEqual([]);
});

test('the app is loaded with no package but those that it starts with', () => {
  const packages = [...loadedWith(entry).keys()].flatMap(packagesIn);
  expect([...new Set(packages)].sort()).toEqual([
    '@azure/functions',
    '@azure/functions-extensions-base',
    'cookie',
    'entities',
    'lru-cache',
    'remove-accents',
    'typebox',
  ]);
});

test('what the library of the platform keeps of a request is not held by weak maps, as it is when compiled for old versions of Node', () => {
  expect(readFileSync(entry, 'utf8')).not.toContain('__classPrivateField');
});

test('the SQL driver comes without the library of credentials, which is loaded where a managed identity is used', () => {
  const folder = join(dirname(entry), 'later');
  const driver = readdirSync(folder).find((name) => /^mssql-\w+\.js$/.test(name)) ?? '';
  const packages = [...loadedWith(join(folder, driver)).keys()].flatMap(packagesIn);
  expect(packages).toContain('tedious');
  expect(packages).not.toContain('@azure/identity');
});
