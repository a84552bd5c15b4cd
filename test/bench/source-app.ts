/** Small apps under the same host as the real one, to measure it against. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type FunctionsHost, startFunctionsHost } from '../../local/functions-host/start.ts';

/** Bundles the source of an app (JavaScript, with imports of this project's packages) and starts it. */
export async function startSourceApp(
  source: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<FunctionsHost> {
  const folder = mkdtempSync(join(tmpdir(), 'source-app-'));
  const root = join(import.meta.dirname, '..', '..');
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{ "main": "dist/index.cjs" }');
  cpSync(join(root, 'host.json'), join(folder, 'host.json'));
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    outfile: join(folder, 'dist', 'index.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@azure/functions-core'],
    logLevel: 'error',
  });
  const host = await startFunctionsHost({ app: folder, port: 0, settings });
  rmSync(folder, { recursive: true });
  return host;
}
