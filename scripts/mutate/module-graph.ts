/** Which files run when a test runs: what it imports, and what it starts by path in other processes. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Node, parse } from './syntax.ts';

/** What the files of a project lead to: paths from the root, as `git ls-files` writes them. */
export type ModuleGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the graph of the files. An edge leads to each module that a file imports, by its place or as a package of the
 * workspace, and to each file that it names in a text, from its own folder or from the root: these it starts as processes.
 */
export function moduleGraph(root: string, files: readonly string[]): ModuleGraph {
  const known = new Set(files);
  const packages = workspaceEntries(root, files);
  return new Map(
    files
      .filter((file) => /\.(tsx?|mjs)$/.test(file))
      .map((file) => [file, edgesOf(root, file, known, packages)] as const),
  );
}

function edgesOf(
  root: string,
  file: string,
  known: ReadonlySet<string>,
  packages: ReadonlyMap<string, string>,
): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const texts = [...source.matchAll(/(['"`])((?:[\w@./-])+)\1/g)].map(([, , text = '']) => text);
  const typeOnly = typeOnlyImports(source, file);
  const targets = texts
    .filter((text) => !typeOnly.has(text))
    .flatMap((text) => packages.get(text) ?? [relativeTo(root, dirname(file), text), text])
    .filter((target) => known.has(target) && target !== file);
  return [...new Set(targets)];
}

function relativeTo(root: string, folder: string, text: string): string {
  return relative(root, join(root, folder, text)).replaceAll('\\', '/');
}

/** The modules that a file imports for their types alone: they do not run. */
function typeOnlyImports(source: string, file: string): ReadonlySet<string> {
  const declarations = (parse(source, file)?.['body'] ?? []) as readonly Node[];
  const imports = declarations
    .filter(({ type }) => type === 'ImportDeclaration')
    .map((node) => ({ name: (node['source'] as Node)['value'] as string, forTypes: isForTypes(node) }));
  const used = new Set(imports.filter(({ forTypes }) => !forTypes).map(({ name }) => name));
  return new Set(imports.map(({ name }) => name).filter((name) => !used.has(name)));
}

function isForTypes(declaration: Node): boolean {
  const specifiers = declaration['specifiers'] as readonly Node[];
  const named = specifiers.length > 0 && specifiers.every((one) => one['importKind'] === 'type');
  return declaration['importKind'] === 'type' || named;
}

/** The entry points of the packages of the workspace, by name. */
function workspaceEntries(root: string, files: readonly string[]): ReadonlyMap<string, string> {
  const manifests = files.filter(
    (file) => /^packages\/[^/]+\/package\.json$/.test(file) && existsSync(join(root, file)),
  );
  return new Map(
    manifests.flatMap((file) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, file), 'utf8'));
      const entry = typeof exports === 'string' ? exports : exports?.['.'];
      return typeof entry === 'string' ? [[name, relativeTo(root, dirname(file), entry)] as const] : [];
    }),
  );
}

/** Returns what the files lead to, themselves included, without going through `closed` ones. */
export function reachable(
  graph: ModuleGraph,
  from: string,
  closed: ReadonlySet<string> = new Set(),
): Set<string> {
  const found = new Set<string>([from]);
  for (const file of found) if (!closed.has(file)) for (const next of graph.get(file) ?? []) found.add(next);
  return found;
}
