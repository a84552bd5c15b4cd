/** The Azure Developer CLI, with azure.yaml. */

import type { Context } from '../context.ts';
import { inputs, UsageError } from '../options.ts';
import { parseOutputs } from '../outputs.ts';
import { retry } from '../retry.ts';
import { bicepStack } from './bicep.ts';
import type { Stack } from './stack.ts';

/** Makes the azd stack. The app registration is made through the Azure CLI, since azd knows one template only. */
export function azdStack(context: Context): Stack {
  const { run, options } = context;
  const here = ['--environment', options.environment, '--no-prompt'];
  const { provisionEntra, entraOutputs } = bicepStack(context);
  return {
    provisionEntra,
    entraOutputs,
    async provision(values) {
      mustBeInputs(values);
      for (const [variable, name] of Object.entries(inputs)) {
        const value = values[name];
        if (value !== undefined) await run('azd', ['env', 'set', variable, value, ...here]);
      }
      await retry(context, 'azd provision', () => run('azd', ['provision', ...here], { show: true }));
    },
    outputs: async () =>
      parseOutputs(await run('azd', ['env', 'get-values', ...here, '--output', 'json'], { quiet: true })),
    async teardown() {
      await run('azd', ['down', '--purge', '--force', ...here], { show: true });
    },
  };
}

/** azd takes its parameters from infra/bicep/main.bicepparam only. */
function mustBeInputs(values: Readonly<Record<string, string>>): void {
  const others = Object.keys(values).filter((name) => !Object.values(inputs).includes(name));
  if (others.length > 0)
    throw new UsageError(
      `azd cannot be given ${others.join(', ')}: write them into infra/bicep/main.bicepparam.`,
    );
}
