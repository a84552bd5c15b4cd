/** Builds the app into dist/: one bundle that the Functions Node worker loads, what it loads later on first use, and the files of the pages. */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explained, readArguments } from 'command-line';
import { type BuildOptions, build } from 'esbuild';

const root = join(import.meta.dirname, '..');
/** What the pages load in a browser, in `functions/pages/browser/`. */
const pageFiles = [
  'page.css',
  'start.ts',
  'calendar.css',
  'calendar.ts',
  'records.tsx',
  'explorer.tsx',
  'signed-in.ts',
  'icon.svg',
];

/** Bundled packages that are CommonJS ask for Node's own modules, and for the worker's, through `require`. */
const requireForPackages =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Contents by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Builds into a folder, `dist` unless told, and tells whether that changed anything there. Files that are as they should
 * be are not touched, so that an app that is starting from the folder meanwhile, or a test, finds it whole.
 */
export async function buildApp(target = join(root, 'dist')): Promise<boolean> {
  const folder = join(target, 'functions');
  const files: Files = new Map([...(await bundle(folder)), ...(await pages(join(folder, 'pages')))]);
  const written = [...files].filter(([path, content]) => replace(path, content));
  const leftOver = filesBelow(target).filter((path) => !files.has(path));
  for (const path of leftOver) rmSync(path);
  return written.length + leftOver.length > 0;
}

async function bundle(folder: string): Promise<Files> {
  return esbuild({
    entryPoints: [join(root, 'functions', 'index.ts')],
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'later/[name]-[hash]',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    minifySyntax: true,
    minifyWhitespace: true,
    external: ['@azure/functions-core'],
    banner: { js: requireForPackages },
    logLevel: 'warning',
  });
}

async function pages(folder: string): Promise<Files> {
  const source = join(root, 'functions', 'pages', 'browser');
  return esbuild({
    entryPoints: pageFiles.map((name) => join(source, name)),
    outdir: folder,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    loader: { '.svg': 'copy' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  });
}

/** Runs esbuild, which prints what is wrong in the source, with its place. */
async function esbuild(options: BuildOptions): Promise<Files> {
  try {
    const { outputFiles } = await build({ ...options, write: false });
    return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  } catch (cause) {
    if (!(cause instanceof Error && 'errors' in cause)) throw cause;
    throw new Error('Cannot build the app: its source has the errors above.', { cause });
  }
}

/** Writes a file unless it holds the content already; tells whether it did. */
function replace(path: string, content: Uint8Array): boolean {
  if (existsSync(path) && readFileSync(path).equals(content)) return false;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
  return true;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.main) {
  readArguments({
    command: 'npm run build',
    help: `Builds the app into dist/, from where npm start and the tests run it.

  npm run build         takes no options`,
  });
  await explained(async () => {
    await buildApp();
    console.log('Built dist/functions/index.js.');
  });
}
