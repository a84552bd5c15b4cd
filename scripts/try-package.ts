/**
 * Runs app.zip under Azure Functions Core Tools (`func` on the PATH) over the local cloud's stand-ins, and asks it for its health:
 * shows that the real host loads what is deployed. Used by continuous integration.
 */

import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import yauzl from 'yauzl';
import { startLocalCloud } from '../local/cloud.ts';
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
      const response = await fetch(`http://localhost:${port}/api/health`);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(1_000);
    }
  }
}

await packageApp(join(folder, 'app.zip'));
await unpack(join(folder, 'app.zip'), join(folder, 'app'));
const cloud = await startLocalCloud({ sampleData: false });
writeFileSync(
  join(folder, 'app', 'local.settings.json'),
  JSON.stringify({
    IsEncrypted: false,
    Values: { FUNCTIONS_WORKER_RUNTIME: 'node', AzureWebJobsStorage: '', ...cloud.settings },
  }),
);
const host = spawn('func', ['start', '--port', String(port)], { cwd: join(folder, 'app'), stdio: 'inherit' });
try {
  const { status, text } = await health();
  console.log(`health: ${status} ${text}`);
  process.exitCode = status === 200 ? 0 : 1;
} finally {
  host.kill('SIGTERM');
  await cloud.stop();
  rmSync(folder, { recursive: true });
}
