/** The tools that say what the templates would deploy; tests that need them are skipped where one is missing. */

import { execFileSync } from 'node:child_process';
import { bicepCompiler } from '../../infra/check/bicep/compiler.ts';

function hasTerraform(): boolean {
  try {
    execFileSync('terraform', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether the Bicep compiler (the PATH's, az's, or by dotnet) and Terraform are on this machine. */
export const hasInfraTools = hasTerraform() && typeof (await bicepCompiler()) !== 'string';
