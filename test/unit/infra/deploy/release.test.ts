import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { az, made, quick } from './fixtures.ts';

describe('the steps push and rollback', () => {
  const environment = 'pushtest';
  function packageFile(): string {
    const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'app.zip');
    writeFileSync(file, 'zip');
    return file;
  }

  test('push again while the new role of the app has not spread, and can be taken back', async () => {
    const refusing = `if (call.includes('config-zip') && before < 2) {
      console.error('BlobUploadFailedException: 403 Forbidden'); process.exit(1); }`;
    const tools = playTools({ az: az(made, refusing) });
    const file = packageFile();
    const push = ['push', '-e', environment, '--package', file, ...quick];
    const first = await runDeploy(push, tools);
    expect({ code: first.code, tries: first.stdout.match(/push: not yet/g)?.length }).toEqual({
      code: 0,
      tries: 2,
    });

    await runDeploy(push, tools);
    const back = await runDeploy(['rollback', '-e', environment, ...quick], tools);
    expect(back.code).toBe(0);
    expect(tools.calls().findLast((call) => call.includes('config-zip'))).toMatch(
      /config-zip --src \S*[\\/]deployments[\\/]pushtest-blue[\\/]\S+\.zip --resource-group rg-dev --name func-dev --output none$/,
    );
    const again = await runDeploy(['rollback', '-e', environment, ...quick], tools);
    expect(again.stderr).toContain('There is no earlier package');
  });

  test('push to the green app', async () => {
    const tools = playTools({ az: az(made) });
    const parameters = ['push', '-e', environment, '--color', 'green', '--package', packageFile(), ...quick];
    expect((await runDeploy(parameters, tools)).code).toBe(0);
    expect(tools.calls().findLast((call) => call.includes('config-zip'))).toContain('--name func-dev-g');
  });

  test('push one package to both apps where the calendar has its own, and take it back from both', async () => {
    const tools = playTools({ az: az({ ...made, CALENDAR_APP_NAME: 'func-dev-c' }) });
    const push = ['push', '-e', environment, '--package', packageFile(), ...quick];
    expect((await runDeploy(push, tools)).code).toBe(0);
    await runDeploy(push, tools);
    expect((await runDeploy(['rollback', '-e', environment, ...quick], tools)).code).toBe(0);
    expect((await runDeploy([...push, '--color', 'green'], tools)).code).toBe(0);
    const names = tools.calls().flatMap((call) => /config-zip .* --name (\S+)/.exec(call)?.[1] ?? []);
    const both = ['func-dev', 'func-dev-c'];
    expect(names).toEqual([...both, ...both, ...both, 'func-dev-g']);
  });

  test('say how to make a package', async () => {
    const { stderr } = await runDeploy(
      ['push', '-e', environment, '--package', 'no.zip'],
      playTools({ az: '' }),
    );
    expect(stderr).toContain('There is no package no.zip: make one with npm run package.');
  });
});
