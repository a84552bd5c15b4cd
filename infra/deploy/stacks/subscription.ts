/** The subscription that everything is made in. */

import type { Context } from '../context.ts';
import { UsageError } from '../options.ts';

/** Returns the id of the subscription: that of ARM_SUBSCRIPTION_ID, else the one that the Azure CLI has selected. */
export async function subscriptionOf({ run, options, environment }: Context): Promise<string> {
  const given = environment['ARM_SUBSCRIPTION_ID'];
  if (given) return given;
  const id = await run('az', ['account', 'show', '--query', 'id', '--output', 'tsv'], { quiet: true });
  return options.dryRun ? '<subscription>' : id.trim();
}

/** Throws a UsageError when Terraform works in another subscription than the Azure CLI, which would find nothing there. */
export async function needSameSubscription({ run, options, environment }: Context): Promise<void> {
  const given = options.values['subscriptionId'] ?? environment['ARM_SUBSCRIPTION_ID'];
  if (!given || options.dryRun) return;
  const selected = await run('az', ['account', 'show', '--query', 'id', '--output', 'tsv'], { quiet: true });
  if (selected.trim() !== given)
    throw new UsageError(
      `The Azure CLI has another subscription selected: az account set --subscription ${given}`,
    );
}
