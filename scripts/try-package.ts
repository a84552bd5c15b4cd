/**
 * Runs app.zip under Azure Functions Core Tools (`func` on the PATH) over the dev stack's emulators, and requests the health address, every
 * path of the document and some others. This shows that the real host loads the package and routes each request to its function. Used by
 * continuous integration.
 */

import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import yauzl from 'yauzl';
import { basePathOf, startDevStack } from '../local/index.ts';
import { prepareDatabases } from './migrate/migrate.ts';
import { packageApp } from './package.ts';

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const port = 7099;

async function unpack(zip: string, target: string): Promise<void> {
  const archive = await yauzl.openPromise(zip);
  for await (const entry of archive.eachEntry()) {
    const file = join(target, entry.fileName);
    mkdirSync(dirname(file), { recursive: true });
    await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(file));
  }
}

/** Asks until the host answers, for two minutes at the most. */
async function health(): Promise<{ status: number; text: string }> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      const response = await fetch(`${base}/health`);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(1_000);
    }
  }
}

/** The paths of the document that are answered as if nothing were there: those that the host gives to another function. */
async function missingPaths(): Promise<string[]> {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: object };
  const asked = Object.keys(paths).map(async (path) => {
    const { status } = await fetch(base + path.replaceAll(/\{\w+\}/g, '1'), { method: 'OPTIONS' });
    return status === 404 ? [path] : [];
  });
  return (await Promise.all(asked)).flat();
}

/** Paths outside of the base path that the host answers itself, instead of the app. */
async function silentPaths(): Promise<string[]> {
  const asked = ['/', '/favicon.ico', '/no/such/path', '/v8.0/authorized'].map(async (path) => {
    const { headers } = await fetch(new URL(path, base));
    return headers.has('x-request-id') ? [] : [path];
  });
  return (await Promise.all(asked)).flat();
}

await packageApp(join(folder, 'app.zip'));
await unpack(join(folder, 'app.zip'), join(folder, 'app'));
const stack = await startDevStack({ migrate: prepareDatabases, sampleData: false });
const base = `http://localhost:${port}${basePathOf(stack.settings)}`;
writeFileSync(
  join(folder, 'app', 'local.settings.json'),
  JSON.stringify({
    IsEncrypted: false,
    Values: { FUNCTIONS_WORKER_RUNTIME: 'node', AzureWebJobsStorage: '', ...stack.settings },
  }),
);
const host = spawn('func', ['start', '--port', String(port)], { cwd: join(folder, 'app'), stdio: 'inherit' });
try {
  const { status, text } = await health();
  console.log(`health: ${status} ${text}`);
  const missing = status === 200 ? await missingPaths() : [];
  console.log(missing.length === 0 ? 'every path is there' : `not found: ${missing.join(', ')}`);
  const silent = await silentPaths();
  console.log(
    silent.length === 0 ? 'every other path is answered' : `without a reply of the app: ${silent.join(', ')}`,
  );
  process.exitCode = status === 200 && missing.length + silent.length === 0 ? 0 : 1;
} finally {
  host.kill('SIGTERM');
  await stack.stop();
  rmSync(folder, { recursive: true });
}
