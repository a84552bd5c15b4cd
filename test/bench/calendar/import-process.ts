/** A process that imports from the address and into the folder of its command line, and then reports its time and its peak of memory. */

import { importCommand } from '../../../scripts/calendar/import/command.ts';
import { openTarget } from '../../../scripts/calendar/import/target.ts';
import { readConfig } from '../../../shared/config.ts';

export interface ImportRun {
  readonly seconds: number;
  /** Peak of resident memory in MiB. */
  readonly peak: number;
  readonly output: readonly string[];
}

const [url = '', folder = ''] = process.argv.slice(2);
const output: string[] = [];
const started = performance.now();
await importCommand(url, await openTarget(readConfig(process.env)), {
  isDryRun: false,
  folder,
  say: (line) => output.push(line),
});
const seconds = (performance.now() - started) / 1000;
process.send?.({ seconds, peak: process.resourceUsage().maxRSS / 2 ** 10, output } satisfies ImportRun);
