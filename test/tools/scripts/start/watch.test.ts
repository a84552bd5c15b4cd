/** `npm run dev`: `npm start` that restarts the app when its source changes. */

import { appendFileSync, cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressIn, killPart, useStarts } from '../../../support/npm-start.ts';

const project = join(import.meta.dirname, '../../../..');
const runs = useStarts();

/** Settings without databases, which a restart does not need. */
const withoutDatabases = { APIS: 'calendar', DB_SERVER: 'localhost,1' };

/** Returns a built copy of the project, whose source the test may change. */
function copyOfTheProject(): string {
  const copy = join(runs.folder, 'project');
  for (const name of [
    'functions',
    'shared',
    'local',
    'scripts',
    'infra/database',
    'dist',
    'packages/child-process.ts',
    'packages/up-to-date.ts',
    'host.json',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(join(project, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

test('it prints the error of a changed source, continues to serve, and restarts after the correction', async () => {
  const root = copyOfTheProject();
  const source = join(root, 'functions/records/endpoints/health.ts');
  const { child, output } = await runs.start({
    root,
    environment: withoutDatabases,
    parameters: ['--watch'],
    until: 'Watching',
  });
  const status = () =>
    fetch(`${addressIn(output())}/health`).then(
      (reply) => reply.status,
      () => 'nobody answers',
    );

  cpSync(source, join(runs.folder, 'mended'));
  appendFileSync(source, 'const broken = ;');
  await expect.poll(output).toContain('Cannot build the app: its source has the errors above.');
  expect(output()).toContain('functions/records/endpoints/health.ts:');
  await expect.poll(status).toBe(200);

  writeFileSync(source, "throw new Error('boom');");
  await expect.poll(output).toContain('The app did not load, every path is 404: Error: boom');
  expect(output()).toMatch(/at .*functions\/records\/endpoints\/health\.ts:1:7/);
  expect(await status()).toBe(404);

  cpSync(join(runs.folder, 'mended'), source);
  await expect.poll(output).toContain('The app runs again.');
  await expect.poll(status).toBe(200);

  killPart(child, 'functions-host');
  await expect.poll(output).toContain('the functions host ended with SIGKILL.\nIt starts again when');
  appendFileSync(source, '\n');
  await expect.poll(status).toBe(200);
});
