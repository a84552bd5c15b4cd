/** The reporter that lists the failed tests at the very end of a run, a line each. */

import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export class FailureList implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      const tests = [...module.children.allTests('failed')].map((test) => `${file} > ${test.fullName}`);
      return tests.length === 0 && !module.ok() ? [file] : tests;
    });
    // After the summary of the other reporters.
    if (failed.length > 0)
      process.once('exit', () => process.stdout.write(`${['Failed:', ...failed].join('\n  ')}\n`));
  }
}
