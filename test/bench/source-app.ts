/** Small apps under the same host as the real one: to test the host, and to measure against. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FunctionsHost,
  type FunctionsHostOptions,
  startFunctionsHost,
} from '@records-and-calendar/functions-host';
import { build } from 'esbuild';

/** Bundles the source of an app (JavaScript, with imports of this project's packages) and starts it below `/api`. */
export async function startSourceApp(
  source: string,
  options: Partial<FunctionsHostOptions> = {},
): Promise<FunctionsHost> {
  const folder = mkdtempSync(join(tmpdir(), 'source-app-'));
  const root = join(import.meta.dirname, '..', '..');
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{ "main": "dist/index.cjs" }');
  const hostJson = JSON.parse(readFileSync(join(root, 'host.json'), 'utf8'));
  hostJson.extensions.http.routePrefix = 'api';
  writeFileSync(join(folder, 'host.json'), JSON.stringify(hostJson));
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    outfile: join(folder, 'dist', 'index.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@azure/functions-core'],
    logLevel: 'error',
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const host = await startFunctionsHost({ app: folder, port: 0, settings: {}, ...options });
    return { ...host, stop: () => host.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
