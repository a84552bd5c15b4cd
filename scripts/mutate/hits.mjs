// Loaded into every process that a test starts: writes down which regions of instrumented files it enters, for the test file that runs now.
// The address of this module names the folder: ?folder=/tmp/...

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
const seen = new Set();

globalThis.__hit = (number) => {
  if (seen.has(number)) return;
  seen.add(number);
  appendFileSync(join(folder, readFileSync(join(folder, 'running'), 'utf8')), `${number}\n`);
};
