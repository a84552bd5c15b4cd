/** One folder for what a run of the tests keeps for a moment, in it and in the processes that it starts. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes it before the first test file, so that `tmpdir()` is this one from then on. It goes with the run: what projects share ends after their files. */
export function setup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  // Windows reads TEMP, all others TMPDIR.
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

/** Makes a folder for a test, which goes with the run. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'test-'));
}
