/** Clients that NSwag generates from the documents compile in C#, and can be used; only where .NET is installed and its packages can be had. */

import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { newFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const app = useApp();
const sources = join(import.meta.dirname, '../support/dotnet-client');
const folder = newFolder();
const hasDotnet = spawnSync('dotnet', ['--version']).status === 0;

const build = (project: string) =>
  run('dotnet', ['build', '--nologo', '--verbosity', 'quiet', '--output', 'out'], {
    cwd: join(folder, project),
    env: { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));

test.skipIf(!hasDotnet)(
  'a client that NSwag generates compiles, and stores and reads what it is for',
  async (context) => {
    for (const [project, files] of [
      ['generator', ['generator.csproj', 'Generate.cs']],
      ['calls', ['calls.csproj', 'Calls.cs', 'Json.cs']],
    ] as const) {
      mkdirSync(join(folder, project));
      for (const file of files) cpSync(join(sources, file), join(folder, project, file));
    }
    const { stdout: ofGenerator } = await build('generator');
    // Errors of the restore: a package that is not found, or a registry that cannot be reached.
    if (/error NU1(101|102|301)/.test(ofGenerator)) context.skip('the packages of .NET cannot be had');
    expect(ofGenerator).not.toMatch(/ error /);

    for (const name of ['records', 'calendar']) {
      const document = join(folder, `${name}.json`);
      writeFileSync(document, (await app.call('GET', `/swagger/${name}.json`)).text);
      const client = name.replace(/^./, (letter) => letter.toUpperCase());
      await run('dotnet', [
        join(folder, 'generator', 'out', 'generator.dll'),
        document,
        client,
        join(folder, 'calls', `${client}.cs`),
      ]);
    }
    const { stdout: ofCalls } = await build('calls');
    expect(ofCalls).not.toMatch(/ error /);

    const token = app.token('alice@example.org', ['Calendar.Editor']);
    const { stdout } = await run('dotnet', [join(folder, 'calls', 'out', 'calls.dll'), app.base, token]);
    expect(JSON.parse(stdout)).toEqual(['north', 1.5, 412, { tags: ['a'] }, 'By .NET']);
  },
);
