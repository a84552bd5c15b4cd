/** Machines that deploy the environment dev to an Azure with a memory. */

import { startAzure } from '../../../support/deploying-machines.ts';
import { values } from './fixtures.ts';

const always = ['-e', 'dev', '--wait', '0', '--max-attempts', '1', '--yes', ...values];

/** Starts an Azure where nothing is, until the test ends. */
export async function begin() {
  const { azure, machine } = await startAzure();
  return {
    azure,
    /** A machine with its own record of runs and its own packages; returns the command `npm run deploy` of it. */
    machine({ backend = false } = {}) {
      const run = machine({ backend });
      return (stack: string, step: string, ...more: string[]) =>
        run([step, '--stack', stack, ...always, ...more]);
    },
  };
}
