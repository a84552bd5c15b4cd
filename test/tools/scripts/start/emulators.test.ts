/** `npm run emulators`: Azure Functions Core Tools find a built app, its emulators, and their addresses in local.settings.json. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFunctionsHost } from '@records-and-calendar/functions-host';
import { expect, onTestFinished, test } from 'vitest';
import { ended, useStarts } from '../../../support/npm-start.ts';
import { newFolder } from '../../../support/temporary-folder.ts';

const project = join(import.meta.dirname, '../../../..');
const runs = useStarts();

test('the app runs over the emulators with the written settings, which are not overwritten', async () => {
  const file = join(newFolder(), 'local.settings.json');
  const start = () =>
    runs.start({
      script: 'scripts/emulators.ts',
      parameters: ['--settings', file],
      environment: { LOCAL_STATE: 'memory', SAMPLE_DATA: 'off' },
      until: 'func start',
    });
  const { child, output } = await start();
  expect(output()).toContain('was written with their addresses');
  const written = readFileSync(file, 'utf8');
  const { Values: settings } = JSON.parse(written) as { Values: Record<string, string> };
  const host = await startFunctionsHost({ app: project, port: 0, settings, log: 'ignore' });
  onTestFinished(() => host.stop());
  expect((await fetch(`${host.url}/api/health`)).status).toBe(200);
  expect(await ended(child, 'SIGINT')).toBe(0);
  const second = await start();
  expect(second.output()).toContain('exists and was not changed');
  expect(readFileSync(file, 'utf8')).toBe(written);
});
