/** Builds the app into dist/: one bundle that the Functions Node worker loads, what it loads later on first use, and the files of the explorer. */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const explorerFiles = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
  'favicon-32x32.png',
];

/** Bundled packages that are CommonJS ask for Node's own modules, and for the worker's, through `require`. */
const requireForPackages =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Contents by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Builds into a folder, `dist` unless told. Files that are as they should be are not touched, so that an app that is
 * starting from the folder meanwhile, or a test, finds it whole.
 */
export async function buildApp(target = join(root, 'dist')): Promise<void> {
  const folder = join(target, 'functions');
  const files: Files = new Map([...(await bundle(folder)), ...explorer(join(folder, 'swagger-ui'))]);
  for (const [path, content] of files) replace(path, content);
  for (const path of filesBelow(target)) if (!files.has(path)) rmSync(path);
}

async function bundle(folder: string): Promise<Files> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'functions', 'index.ts')],
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: 'later/[name]-[hash]',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    external: ['@azure/functions-core'],
    banner: { js: requireForPackages },
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

function explorer(folder: string): Files {
  const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return new Map(explorerFiles.map((name) => [join(folder, name), readFileSync(join(source, name))]));
}

function replace(path: string, content: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.main) {
  await buildApp();
  console.log('Built dist/functions/index.js.');
}
