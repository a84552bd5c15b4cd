/** The Azure Developer CLI, with azure.yaml. */

import type { Context } from '../context.ts';
import { inputs, UsageError } from '../options.ts';
import { parseOutputs, textOutput } from '../outputs.ts';
import { retry } from '../retry.ts';
import { bicepStack } from './bicep.ts';
import { removeLocks } from './group.ts';
import { registerProviders } from './providers.ts';
import type { Stack } from './stack.ts';
import { subscriptionOf } from './subscription.ts';

/** Makes the azd stack. The app registration is made through the Azure CLI, since azd knows one template only. */
export function azdStack(context: Context): Stack {
  const { run, options } = context;
  const here = ['--environment', options.environment, '--no-prompt'];
  const { provisionEntra, entraOutputs } = bicepStack(context);
  const outputs = async () =>
    parseOutputs(await run('azd', ['env', 'get-values', ...here, '--output', 'json'], { quiet: true }));

  /** Makes azd's record of the environment, unless it has one. */
  async function open(): Promise<void> {
    const listed = await run('azd', ['env', 'list', '--output', 'json'], { quiet: true });
    const known: { Name?: string }[] = JSON.parse(listed || '[]');
    if (known.some(({ Name }) => Name === options.environment)) return;
    const place = [
      '--subscription',
      await subscriptionOf(context),
      '--location',
      options.values['location'] ?? '',
    ];
    await run('azd', ['env', 'new', options.environment, ...place, '--no-prompt']);
  }

  return {
    provisionEntra,
    entraOutputs,
    async provision(values) {
      mustBeInputs(values);
      await registerProviders(context);
      await open();
      for (const [variable, name] of Object.entries(inputs)) {
        const value = values[name];
        if (value !== undefined) await run('azd', ['env', 'set', variable, value, ...here]);
      }
      await retry(context, 'azd provision', () => run('azd', ['provision', ...here], { show: true }));
    },
    outputs,
    async teardown() {
      const group = textOutput(await outputs(), 'AZURE_RESOURCE_GROUP');
      if (group !== '') await removeLocks(context, group);
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
