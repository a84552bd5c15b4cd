/** Builds the app into dist/: one bundle that the Functions Node worker loads, what it loads later on first use, the files of the pages, and the notices of the packages in them. */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';
import { forget, isUpToDate, noteBuild } from '../packages/up-to-date.ts';
import { explained, readArguments } from './command-line.ts';
import { bundledPackages, noticesFile, noticesOf } from './notices.ts';

const root = join(import.meta.dirname, '..');

// esbuild is written in Go: to collect its memory this much later saves it a third of its time.
process.env['GOGC'] ??= '400';

/** What the pages load in a browser: files of `functions/pages/`, which keep their names. */
const pageFiles = [
  'common/browser/page.css',
  'common/browser/copy.ts',
  'developers/browser/signed-in.ts',
  'common/browser/icon.svg',
  'site/browser/calendar.css',
  'site/browser/calendar.ts',
  'site/browser/embed.ts',
  'site/browser/frame-height.ts',
  'site/browser/map.css',
  'site/browser/map.ts',
  'site/browser/share.ts',
  'edit/browser/edit.css',
  'edit/browser/edit.tsx',
  'records/browser/records.tsx',
  'developers/browser/start.tsx',
  'developers/browser/explorer.css',
  'developers/browser/explorer.ts',
];

/** What the pages load as its authors publish it. The first lines of the scripts name the licences. */
const publishedFiles = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-standalone-preset.js.LICENSE.txt',
].map((name) => join(root, 'node_modules', 'swagger-ui-dist', name));

/** Bundled packages that are CommonJS ask for Node's own modules, and for the worker's, through `require`. esbuild does not see these names, so they are none that a package has. */
const requireForPackages =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** What decides, beside the files that a build reads, what comes out of it: how we build, and what is installed. */
const conditions = [
  'scripts/build.ts',
  'scripts/notices.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
].map((path) => join(root, path));

/** The folder of the app's build; names of files depend on the path to its sources, not on the folder that it is written to. */
const dist = join(root, 'dist');

/** What a build has read, the folders of packages of which it took something, and what it made: contents by path inside of the folder. */
interface Built {
  readonly inputs: readonly string[];
  readonly packages: readonly string[];
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Builds into `dist`, unless that would change nothing, and returns whether it changed anything there. Files that are up to date are not
 * touched, so that an app or a test that starts from the folder meanwhile finds it whole.
 */
export async function buildApp(): Promise<boolean> {
  const note = join(dist, 'build.json');
  if (isUpToDate(note)) return false;
  const began = Date.now();
  forget(note);
  const { changed, inputs, outputs } = await buildInto(dist);
  noteBuild(note, [...conditions, ...inputs], outputs, began);
  return changed;
}

/** Builds into a folder; plugins come before those of the build. Returns whether that changed anything there, what was read, and what stands there now. */
export async function buildInto(
  target: string,
  plugins: readonly Plugin[] = [],
): Promise<{ changed: boolean; inputs: readonly string[]; outputs: readonly string[] }> {
  const parts = [await bundle(plugins), await pages(), published()];
  const files = new Map(
    parts.flatMap((part) => [...part.files]).map(([path, content]) => [join(target, path), content]),
  );
  const packages = new Set(parts.flatMap((part) => part.packages));
  files.set(join(target, noticesFile), Buffer.from(noticesOf(root, [...packages])));
  const written = [...files].filter(([path, content]) => replace(path, content));
  const leftOver = filesBelow(target).filter((path) => !files.has(path));
  for (const path of leftOver) rmSync(path);
  return {
    changed: written.length + leftOver.length > 0,
    inputs: parts.flatMap((part) => part.inputs),
    outputs: [...files.keys()],
  };
}

async function bundle(plugins: readonly Plugin[]): Promise<Built> {
  return esbuild({
    entryPoints: [join(root, 'functions', 'index.ts')],
    outdir: join(dist, 'functions'),
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
    plugins: [...plugins],
    banner: { js: requireForPackages },
    logLevel: 'warning',
  });
}

async function pages(): Promise<Built> {
  return esbuild({
    entryPoints: pageFiles.map((path) => ({
      in: join(root, 'functions', 'pages', path),
      out: basename(path, extname(path)),
    })),
    outdir: join(dist, 'functions', 'pages'),
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    loader: { '.svg': 'copy', '.png': 'dataurl', '.woff2': 'copy' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  });
}

function published(): Built {
  const files = publishedFiles.map(
    (path) => [join('functions', 'pages', basename(path)), readFileSync(path)] as const,
  );
  return {
    inputs: publishedFiles,
    packages: [join('node_modules', 'swagger-ui-dist')],
    files: new Map(files),
  };
}

/** Runs esbuild, which prints what is wrong in the source, with its place. */
async function esbuild(options: BuildOptions): Promise<Built> {
  try {
    const { outputFiles, metafile } = await build({
      ...options,
      absWorkingDir: root,
      metafile: true,
      write: false,
    });
    return {
      // Not all are files: a plugin makes some.
      inputs: Object.keys(metafile.inputs)
        .map((path) => join(root, path))
        .filter((path) => existsSync(path)),
      packages: [...new Set([...bundledPackages(metafile), ...packagesWithin(outputFiles)])],
      files: new Map(outputFiles.map(({ path, contents }) => [relative(dist, path), contents])),
    };
  } catch (cause) {
    if (!(cause instanceof Error && 'errors' in cause)) throw cause;
    throw new Error('Cannot build the app: its source has the errors above.', { cause });
  }
}

/** Returns the folders of packages that others have bundled into what they publish, as their source maps say. */
function packagesWithin(files: readonly OutputFile[]): string[] {
  const sources = files
    .filter(({ path }) => path.endsWith('.map'))
    .flatMap(({ text }) => (JSON.parse(text) as { readonly sources: readonly string[] }).sources);
  const names = sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  const folders = [...new Set(names)].map((name) => join('node_modules', name));
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json')));
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
