/** An app that answers a constant, under the same host: what the others are measured against. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type FunctionsHost, startFunctionsHost } from '../../local/functions-host/start.ts';

const source = `
import { app } from '@azure/functions';
app.http('constant', {
  route: 'constant/{bytes}',
  methods: ['GET'],
  authLevel: 'anonymous',
  handler: ({ params }) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify('x'.repeat(Number(params.bytes) - 2)) }),
});
`;

/** Starts the app; `GET /api/constant/{bytes}` answers JSON of that many bytes. */
export async function startConstantApp(): Promise<FunctionsHost> {
  const folder = mkdtempSync(join(tmpdir(), 'constant-app-'));
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
  const host = await startFunctionsHost({ app: folder, port: 0, settings: {} });
  rmSync(folder, { recursive: true });
  return host;
}
