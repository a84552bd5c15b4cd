/** The stack that was asked for, and what it made. */

import type { Context } from '../context.ts';
import { mustAgree } from '../deployed-as.ts';
import type { StackName } from '../environments.ts';
import { UsageError } from '../options.ts';
import { givenOutputs, mustBeOf, type Outputs, placeholderOutputs } from '../outputs.ts';
import { mustBeTheOnlyOne } from '../resource-groups.ts';
import { bicepStack } from './bicep.ts';
import type { Stack } from './stack.ts';
import { mustBeTheSelected } from './subscription.ts';
import { terraformStack } from './terraform.ts';

// One line each, which npm run keep-stack takes out.
const stacks: Partial<Record<StackName, (context: Context) => Stack>> = {
  bicep: bicepStack,
  terraform: terraformStack,
};

/** The stack of the option --stack. */
export function stackOf(context: Context): Stack {
  const create = stacks[context.options.stack];
  if (create === undefined) throw new UsageError(`This repository has no ${context.options.stack}.`);
  return create(context);
}

/**
 * The outputs of the deployment; in a dry run, their names. A pipeline, which may read no deployments, is given them in the
 * variable DEPLOYMENT_OUTPUTS (the JSON that the step outputs prints).
 */
export async function outputsOf(context: Context): Promise<Outputs> {
  const given = context.environment['DEPLOYMENT_OUTPUTS'];
  if (given) {
    const outputs = givenOutputs(given);
    mustBeOf(context.options.environment, outputs);
    mustAgree(context, outputs);
    return outputs;
  }
  await mustBeTheSelected(context);
  const outputs = await stackOf(context).outputs();
  mustAgree(context, outputs);
  // Nothing to go on with, as it seems: it may be there as something else.
  if (outputs.size === 0) await mustBeTheOnlyOne(context, stackOf(context).outputs);
  return context.options.dryRun ? placeholderOutputs() : outputs;
}
