/** The subscription that everything is made in. */

import type { Context } from '../context.ts';

/** Gives the id of the subscription: that of ARM_SUBSCRIPTION_ID, else the one that the Azure CLI has selected. */
export async function subscriptionOf({ run, options }: Context): Promise<string> {
  const given = process.env['ARM_SUBSCRIPTION_ID'];
  if (given) return given;
  const id = await run('az', ['account', 'show', '--query', 'id', '--output', 'tsv'], { quiet: true });
  return options.dryRun ? '<subscription>' : id.trim();
}
