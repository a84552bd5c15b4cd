/** Making and removing what the templates describe. */

import { changesByHand } from '../app-drift.ts';
import type { Context } from '../context.ts';
import { deployedAs, mustGoOn, mustKeepRegistration } from '../deployed-as.ts';
import { bindDomain } from '../domain.ts';
import { mustBeAllowed } from '../guards.ts';
import { UsageError } from '../options.ts';
import { type Outputs, textOutput } from '../outputs.ts';
import { mustBeTheOnlyOne } from '../resource-groups.ts';
import { describeRoles, roleChanges } from '../role-changes.ts';
import { leavesRolesToOthers, roleCommands } from '../role-commands.ts';
import { outputsOf, stackOf } from '../stacks/index.ts';
import { forgetSubscription, mustBeItsSubscription, mustBeTheSelected } from '../stacks/subscription.ts';
import { effectiveValues, mustBeComplete } from '../values.ts';

/** Creates the app registration, unless the client id of one is given. */
export async function provisionEntra(context: Context): Promise<void> {
  const given = context.options.values['apiClientId'];
  if (given) return context.say(`The app registration ${given} is given.`);
  if (!context.options.dryRun) mustBeComplete(context.options, context.options.values, ['location']);
  await mustBeItsSubscription(context);
  await mustBeTheOnlyOne(context, stackOf(context).outputs);
  if (!context.options.dryRun) mustKeepRegistration(context, await stackOf(context).entraOutputs());
  await stackOf(context).provisionEntra();
}

/** Creates everything else. Throws a UsageError that lists the values that are missing. */
export async function provision(context: Context): Promise<void> {
  const values = await completeValues(context);
  await mustBeItsSubscription(context);
  await mustBeTheOnlyOne(context, stackOf(context).outputs);
  await bindDomain(context);
  await stackOf(context).provision(values);
  if (!context.options.dryRun && leavesRolesToOthers(await outputsOf(context))) await printRoles(context);
}

/** Shows what provision would change. */
export async function preview(context: Context): Promise<void> {
  await stackOf(context).preview(await completeValues(context));
}

/** Throws an error when Azure looks otherwise than the templates say. */
export async function drift(context: Context): Promise<void> {
  const differs = await stackOf(context).preview(await completeValues(context));
  const outputs = await outputsOf(context);
  const changes = [
    ...(await changesByHand(context, outputs)),
    ...describeRoles(await roleChanges(context, outputs)),
  ];
  for (const line of changes) context.say(line);
  if (differs || changes.length > 0)
    throw new Error(
      'Azure differs from the templates, as shown above: write the change into the templates, or take it back. docs/deploy.md, "Changes by hand", tells what provision takes back, and what revoke.',
    );
  context.say('Azure looks as the templates say.');
}

async function completeValues(context: Context): Promise<Readonly<Record<string, string>>> {
  const { values, dryRun } = context.options;
  mustBeAllowed(effectiveValues(context.options));
  await mustBeTheSelected(context);
  const apiClientId = values['apiClientId'] ?? (await clientIdOfEntra(context));
  if (!dryRun) mustBeComplete(context.options, { ...values, apiClientId });
  if (!dryRun) mustGoOn(context, await stackOf(context).outputs());
  return { ...values, apiClientId, deployedAs: deployedAs(context.options) };
}

async function clientIdOfEntra(context: Context): Promise<string> {
  const clientId = textOutput(await stackOf(context).entraOutputs(), 'API_CLIENT_ID');
  if (context.options.dryRun) return '<API_CLIENT_ID>';
  if (clientId === '')
    throw new Error(
      `There is no app registration of ${context.options.environment}: run the step entra first, or give the client id of one (--set apiClientId=<id>).`,
    );
  return clientId;
}

/** Prints each role assignment, with its reason, as a command for a person who may assign roles. */
export async function printRoles(context: Context): Promise<void> {
  const outputs = await madeOutputs(context);
  context.say('Someone with the right to assign roles must run:');
  for (const line of roleCommands(outputs)) context.say(line);
}

/** Prints the outputs as JSON, for the variable DEPLOYMENT_OUTPUTS of a pipeline. Throws an error when no deployment has succeeded. */
export async function printOutputs(context: Context): Promise<void> {
  context.print(JSON.stringify(Object.fromEntries(await madeOutputs(context))));
}

/** The outputs of the deployment. Throws an error when none has succeeded. */
async function madeOutputs(context: Context): Promise<Outputs> {
  const outputs = await outputsOf(context);
  if (outputs.size === 0)
    throw new Error(
      `No deployment of ${context.options.environment} has succeeded, so there are no outputs: run the step provision first.`,
    );
  return outputs;
}

/** Removes everything but the app registration. Throws a UsageError unless --yes was given. */
export async function teardown(context: Context): Promise<void> {
  const { yes, dryRun, environment } = context.options;
  if (!yes && !dryRun)
    throw new UsageError(
      `This deletes the databases and the calendar of ${environment}: add --yes to do so.`,
    );
  await mustBeItsSubscription(context);
  await mustBeTheOnlyOne(context, stackOf(context).outputs);
  await stackOf(context).teardown();
  forgetSubscription(context);
  context.say('The app registration is left; it is deleted with: az ad app delete --id <its client id>');
}
