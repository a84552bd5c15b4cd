/** The tools that say what the templates would deploy; tests that need them are skipped where one is missing. */

import { execFileSync } from 'node:child_process';
import { bicepCompiler } from '../../infra/check/bicep/compiler.ts';

// One line each, which npm run keep-stack takes out.
const compilers: Readonly<Record<string, () => Promise<unknown>>> = {
  bicep: () => bicepCompiler(),
};
const programs: Readonly<Record<string, string>> = {
  terraform: 'version',
};

/** Checks whether a program can be started. */
function runs([program, word]: [string, string]): boolean {
  try {
    execFileSync(program, [word], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const answers = await Promise.all(Object.values(compilers).map((find) => find()));

/** Whether the tools of the stacks are on this machine: the Bicep compiler (the PATH's, az's, or by dotnet) and Terraform. */
export const hasInfraTools =
  answers.every((found) => typeof found !== 'string') && Object.entries(programs).every(runs);
