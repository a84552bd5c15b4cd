/** Terraform. One workspace per environment. */

import type { Context } from '../context.ts';
import { parseOutputs } from '../outputs.ts';
import { retry } from '../retry.ts';
import { removeGroup } from './group.ts';
import type { Stack } from './stack.ts';
import { needSameSubscription, subscriptionOf } from './subscription.ts';

/** Makes the Terraform stack. */
export function terraformStack(context: Context): Stack {
  const { run, options } = context;
  const approve = options.yes ? ['-auto-approve'] : [];
  const main = '-chdir=infra/terraform';
  const entra = '-chdir=infra/terraform/entra';

  async function open(folder: string): Promise<void> {
    const backend = options.backendConfig ? [`-backend-config=${options.backendConfig}`] : [];
    await run('terraform', [folder, 'init', '-input=false', ...backend]);
    await run('terraform', [folder, 'workspace', 'select', '-or-create=true', options.environment]);
  }
  const change = async (folder: string, action: string, parameters: readonly string[]) => {
    await open(folder);
    // The provider does not take the subscription from the Azure CLI.
    const environment = { ARM_SUBSCRIPTION_ID: await subscriptionOf(context) };
    await retry(context, `terraform ${action}`, () =>
      run('terraform', [folder, action, ...approve, ...parameters], { environment, show: true }),
    );
  };
  const outputs = async (folder: string) => {
    await open(folder);
    return parseOutputs(await run('terraform', [folder, 'output', '-json'], { quiet: true }));
  };
  /** Drops the state of what is gone. `destroy` would not do: Terraform may not destroy databases and calendar. */
  async function forget(): Promise<void> {
    await run('terraform', [main, 'workspace', 'select', 'default']);
    await run('terraform', [main, 'workspace', 'delete', '-force', options.environment]);
  }
  const mainParameters = (values: Readonly<Record<string, string>>) => [
    `-var-file=../profiles/${options.profile}.tfvars.json`,
    ...variables({ ...values, environmentName: options.environment }),
  ];
  return {
    provisionEntra: () =>
      change(entra, 'apply', variables({ ...options.entraValues, environmentName: options.environment })),
    entraOutputs: () => outputs(entra),
    provision: (values) => change(main, 'apply', mainParameters(values)),
    outputs: () => outputs(main),
    async teardown() {
      await needSameSubscription(context);
      const made = await outputs(main);
      const left = await run('terraform', [main, 'state', 'list'], { quiet: true });
      if (left.trim() !== '' || options.dryRun) await removeGroup(context, made);
      await forget();
    },
  };
}

const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => `-var=${snakeCase(name)}=${value}`);

const snakeCase = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
