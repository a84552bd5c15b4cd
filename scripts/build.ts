/** Builds the app into dist/: one bundle that the Functions Node worker loads, and the files of the explorer. */

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** Builds into a folder, `dist` unless told. */
export async function buildApp(target = join(root, 'dist')): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  await build({
    entryPoints: [join(root, 'functions', 'index.ts')],
    outfile: join(target, 'functions', 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    external: ['@azure/functions-core'],
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
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
