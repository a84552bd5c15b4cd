/** Child processes as both ends see them. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../child-process.ts';

const source = JSON.stringify(join(import.meta.dirname, '../child-process.ts'));

/** Writes the script of a child. */
function script(body: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'child-')), 'child.mjs');
  writeFileSync(path, `import { tellParent, toldToStop } from ${source};\n${body}\n`);
  return path;
}

const start = (body: string, options: { stopTimeout?: number; log?: (line: string) => void } = {}) =>
  startProcess({ name: 'the child', script: script(body), parameters: ['5'], ...options });

test('startProcess() resolves with what the child tells, and stop() lets it finish', async () => {
  const lines: string[] = [];
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const child = await start(
    `tellParent({ port: Number(process.argv[2]), warning: 'slow' });
     await toldToStop();
     console.log('finished');`,
    {
      log(line) {
        lines.push(line);
        resolve();
      },
    },
  );
  expect([child.port, child.warning]).toEqual([5, 'slow']);
  await child.stop();
  await finished;
  expect([lines, child.process.exitCode]).toEqual([['finished'], 0]);
  await child.stop();
});

test('startProcess() rejects with the reason of a child that cannot serve', async () => {
  await expect(start(`tellParent({ failure: 'the port is in use' }); await toldToStop();`)).rejects.toThrow(
    'Cannot start the child: the port is in use',
  );
});

test('startProcess() rejects with the errors of a child that ends', async () => {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  await expect(start(`console.error('no such file'); process.exitCode = 3;`, { log })).rejects.toThrow(
    /^Cannot start the child: it ended with 3\.\nno such file$/,
  );
});

test('stop() kills a child that does not finish in time', async () => {
  const child = await start(`tellParent({ port: 1 }); setInterval(() => {}, 1_000);`, { stopTimeout: 50 });
  await child.stop();
  expect(child.process.signalCode).toBe('SIGKILL');
});

test('lost resolves when a child ends without stop()', async () => {
  const child = await start(`tellParent({ port: 1 }); await toldToStop();`);
  child.process.kill('SIGKILL');
  expect(await child.lost).toBe('the child ended with SIGKILL');
});
