/** Builds the app into dist/: one bundle that the Functions Node worker loads, what it loads later on first use, and the files of the explorer. */

import { cpSync, mkdirSync, rmSync } from 'node:fs';
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

/** Builds into a folder, `dist` unless told. */
export async function buildApp(target = join(root, 'dist')): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  await build({
    entryPoints: [join(root, 'functions', 'index.ts')],
    outdir: join(target, 'functions'),
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
  copyExplorerFiles(join(target, 'functions', 'swagger-ui'));
}

function copyExplorerFiles(target: string): void {
  const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(target, { recursive: true });
  for (const name of explorerFiles) cpSync(join(source, name), join(target, name));
}

if (import.meta.main) {
  await buildApp();
  console.log('Built dist/functions/index.js.');
}
