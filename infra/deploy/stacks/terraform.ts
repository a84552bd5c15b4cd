/** Terraform. One workspace per environment. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Context, ToolFailure } from '../context.ts';
import { registeredAs } from '../deployed-as.ts';
import { UsageError } from '../options.ts';
import { type Outputs, parseOutputs } from '../outputs.ts';
import { snakeCase } from '../parameters.ts';
import { retry } from '../retry.ts';
import { root } from '../root.ts';
import { timeLimits } from '../time-limits.ts';
import { givenValues } from '../values.ts';
import { groupOf, removeGroup } from './group.ts';
import type { Stack } from './stack.ts';
import { subscriptionOf } from './subscription.ts';

/** Creates the Terraform stack. */
export function terraformStack(context: Context): Stack {
  const { run, options } = context;
  const approve = options.yes ? ['-auto-approve'] : [];
  const main = '-chdir=infra/terraform';
  const entra = '-chdir=infra/terraform/entra';

  async function open(folder: string): Promise<void> {
    if (options.backendConfig) mustHaveBackend(folder);
    const backend = options.backendConfig ? [`-backend-config=${options.backendConfig}`] : [];
    await run('terraform', [folder, 'init', '-input=false', ...backend], { minutes: 15 });
    await run('terraform', [folder, 'workspace', 'select', '-or-create=true', options.environment]);
  }
  const change = async (folder: string, action: string, parameters: readonly string[]) => {
    await open(folder);
    // The provider does not take the subscription from the Azure CLI.
    const environment = {
      ARM_SUBSCRIPTION_ID: await subscriptionOf(context),
      // Someone else may hold the state for a moment.
      [`TF_CLI_ARGS_${action}`]: '-lock-timeout=5m',
    };
    await retry(context, `terraform ${action}`, () =>
      run('terraform', [folder, action, ...approve, ...parameters], {
        environment,
        show: true,
        minutes: timeLimits.provision,
      }),
    );
  };
  const outputs = async (folder: string) => {
    await open(folder);
    return parseOutputs(await run('terraform', [folder, 'output', '-json'], { quiet: true }));
  };
  /** The outputs; those of a first run that failed lack the group, which is in the state. */
  async function withGroupOfState(made: Outputs): Promise<Outputs> {
    if (made.has('AZURE_RESOURCE_GROUP') || options.dryRun) return made;
    const state = JSON.parse((await run('terraform', [main, 'show', '-json'], { quiet: true })) || '{}');
    const resources: readonly StateResource[] = state.values?.root_module?.resources ?? [];
    const group = resources.find(({ address }) => address.startsWith('azurerm_resource_group.main'));
    return group ? new Map([...made, ['AZURE_RESOURCE_GROUP', group.values.name]]) : made;
  }
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
    provisionEntra: async () =>
      change(
        entra,
        'apply',
        variables({
          ...options.entraValues,
          deployedAs: registeredAs(options),
          environmentName: options.environment,
          subscriptionId: await subscriptionOf(context),
        }),
      ),
    entraOutputs: () => outputs(entra),
    async provision(values) {
      givenValues({ profile: options.profile, values });
      await change(main, 'apply', mainParameters(values));
    },
    async preview(values) {
      await open(main);
      const environment = { ARM_SUBSCRIPTION_ID: await subscriptionOf(context) };
      const how = ['-input=false', '-lock=false', '-detailed-exitcode'];
      const plan = [main, 'plan', ...how, ...mainParameters(values)];
      return hasChanges(run('terraform', plan, { environment, show: true, minutes: timeLimits.preview }));
    },
    outputs: () => outputs(main),
    async teardown() {
      const made = await outputs(main);
      const known = await run('terraform', [main, 'state', 'list'], { quiet: true });
      if (known.trim() === '' && !options.dryRun) await mustBeGone(context, made);
      else await removeGroup(context, await withGroupOfState(made));
      await forget();
    },
  };
}

/** Whether a plan with -detailed-exitcode has changes: then Terraform ends with 2. What it says of it has colours between the words. */
async function hasChanges(plan: Promise<string>): Promise<boolean> {
  try {
    await plan;
    return false;
  } catch (error) {
    if (error instanceof ToolFailure && error.code === 2) return true;
    throw error;
  }
}

/** A resource as `terraform show -json` writes it. */
interface StateResource {
  readonly address: string;
  readonly values: { readonly name?: string };
}

/** Throws an error when the state here is empty and the environment is in Azure: then the state is elsewhere, or another stack has made it. */
async function mustBeGone(context: Context, made: Outputs): Promise<void> {
  const group = await groupOf(context, made);
  if (group === undefined) return;
  throw new Error(
    `Terraform knows nothing of ${context.options.environment} here, but its resource group ${group} is there: give the state with --backend-config, or --stack bicep where that has made it.`,
  );
}

/** Terraform passes over the file of a backend that the configuration does not have, and keeps its state here. */
function mustHaveBackend(folder: string): void {
  const path = join(root, folder.replace('-chdir=', ''));
  const files = readdirSync(path).filter((name) => name.endsWith('.tf'));
  if (files.some((name) => /^\s*(?:backend "|cloud \{)/m.test(readFileSync(join(path, name), 'utf8'))))
    return;
  throw new UsageError(
    `Terraform would ignore --backend-config: write backend "azurerm" {} into the block terraform of ${relative(root, path)}/versions.tf.`,
  );
}

const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => `-var=${snakeCase(name)}=${value}`);
