/** Running a tool and keeping what it says. */

import { execFile } from 'node:child_process';

/** How a tool ended: its exit code (undefined: it could not be started) and all that it said. */
export interface Outcome {
  readonly code: number | undefined;
  readonly output: string;
}

/** Runs a tool to its end, or for three minutes at most. Never throws. */
export function runTool(
  command: string,
  parameters: readonly string[],
  options: { readonly folder: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const { folder, environment = {} } = options;
  return new Promise((resolve) => {
    const settings = {
      cwd: folder,
      env: { ...process.env, ...environment },
      timeout: 180_000,
      maxBuffer: 64 * 2 ** 20,
      shell: process.platform === 'win32',
    };
    execFile(command, parameters, settings, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (!error) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else resolve({ code: undefined, output: output || error.message });
    });
  });
}
