/** Holds the layers of docs/architecture.md, and which may depend on which, by reading the imports. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folders = ['functions', 'shared', 'local', 'packages', 'infra', 'scripts'];

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^[a-z-]+\/test\//.test(name))
    .map((name) => `${folder}/${name}`),
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** Imports of our own files as paths from the root, those of packages by name. */
function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const found = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map(([, type, from, dynamic, bare]) => {
    const target = from ?? dynamic ?? bare ?? '';
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target;
    return { from: file, to, typeOnly: type !== undefined };
  });
}

const imports = files.flatMap(importsOf);

/** The table of codes and the parsers of settings are as open to all as the files beside them. */
const layerOf = (file: string) => (/^shared\/(?:errors|config)\//.test(file) ? 'shared/' : folderOf(file));

const folderOf = (file: string) => /^shared\/[a-z]+\//.exec(file)?.[0] ?? /^[a-z]+\//.exec(file)?.[0] ?? file;

/** Which layers a layer may import from; files directly in shared/ are open to all. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  'functions/': [
    'functions/',
    'shared/http/',
    'shared/auth/',
    'shared/sql/',
    'shared/records/',
    'shared/calendar/',
    'shared/',
  ],
  'shared/http/': ['shared/http/', 'shared/'],
  'shared/auth/': ['shared/auth/', 'shared/'],
  'shared/sql/': ['shared/sql/', 'shared/'],
  'shared/records/': ['shared/records/', 'shared/sql/', 'shared/'],
  'shared/calendar/': ['shared/calendar/', 'shared/'],
  'shared/': ['shared/'],
  'local/': ['local/'],
  'scripts/': ['scripts/', 'local/', 'shared/sql/', 'shared/'],
  'packages/': ['packages/'],
};

/** Packages that one place only may import. */
const keepers: Readonly<Record<string, string>> = {
  mssql: 'shared/sql/',
  '@azure/identity': 'shared/managed-identity.ts',
  'lru-cache': 'shared/cache.ts',
  '@azure/data-tables': 'shared/calendar/log/',
  '@azure/functions': 'shared/http/',
};

describe('dependencies', () => {
  test.each(Object.entries(dependencies))('%s imports only what it may', (layer, allowed) => {
    const wrong = imports.filter(
      ({ from, to }) =>
        layerOf(from) === layer &&
        /^(functions|shared|local|packages|infra|scripts)\//.test(to) &&
        !allowed.includes(layerOf(to)) &&
        !allowed.includes(to),
    );
    expect(wrong).toEqual([]);
  });

  test('of local/ on scripts/ do not hide in paths either', () => {
    const starting = files.filter(
      (file) => file.startsWith('local/') && /['"/]scripts['"/]/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(starting).toEqual([]);
  });

  const isPackage = ({ from }: Import) => from.startsWith('packages/');

  test('have no cycles in the app, of types either', () => {
    expect(cyclesIn(imports.filter((one) => !isPackage(one)))).toEqual([]);
  });

  test('have no cycles in packages when they run', () => {
    expect(cyclesIn(imports.filter((one) => isPackage(one) && !one.typeOnly))).toEqual([]);
  });
});

function cyclesIn(edges: readonly Import[]): string[][] {
  const graph = Map.groupBy(edges, ({ from }) => from);
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file]);
    if (done.has(file) || trail.includes(file)) return;
    for (const { to } of graph.get(file) ?? []) walk(to, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}

describe('packages', () => {
  test.each(Object.entries(keepers))('%s is imported only in %s', (name, keeper) => {
    const elsewhere = imports.filter(
      ({ from, to }) => to === name && /^(functions|shared)\//.test(from) && !from.startsWith(keeper),
    );
    expect(elsewhere).toEqual([]);
  });
});

describe('files', () => {
  test('stay under 300 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 300);
    expect(long).toEqual([]);
  });
});
