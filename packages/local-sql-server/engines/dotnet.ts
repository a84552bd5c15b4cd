/** The .NET program with Microsoft's parser and clients, built once. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sources = join(import.meta.dirname, 'dotnet');
const environment = { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' };

export const hasDotnet = spawnSync('dotnet', ['--version']).status === 0;

/** A built program; `run` gives what it prints, as JSON. */
export interface DotnetProgram {
  run(...given: string[]): Promise<unknown>;
  remove(): void;
}

/** Builds the program in a temporary folder; returns why it cannot be where its packages cannot be had. */
export async function buildProgram(): Promise<DotnetProgram | string> {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'));
  cpSync(sources, folder, { recursive: true });
  const output = await run('dotnet', ['build', '--nologo', '--verbosity', 'quiet', '--output', 'out'], {
    cwd: folder,
    env: environment,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (/ error /.test(output)) remove();
  // Errors of the restore: a package that is not found, or a registry that cannot be reached.
  if (/error NU1(101|102|301)/.test(output)) return 'the packages of .NET cannot be had';
  if (/ error /.test(output)) throw new Error(output);
  return {
    remove,
    run: async (...given) => {
      const program = join(folder, 'out', 'engines.dll');
      const { stdout } = await run('dotnet', [program, ...given], { maxBuffer: 2 ** 28, env: environment });
      return JSON.parse(stdout);
    },
  };
}
