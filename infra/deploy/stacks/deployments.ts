/**
 * The records that Azure keeps of deployments. Outputs are in the record of a deployment alone, and one that failed has none; so each run
 * has a name of its own, and what was made is read from the newest that succeeded.
 */

import { type Context, ToolFailure } from '../context.ts';
import { regionOf } from '../environments.ts';
import { UsageError } from '../options.ts';
import { type Outputs, parseOutputs, textOutput } from '../outputs.ts';
import { ownNames } from '../resource-groups.ts';

/** The states in which nothing is at work any more: every other one of Resource Manager leads to one of these. */
const ended: readonly string[] = ['Succeeded', 'Failed', 'Canceled'];

/** A deployment as Azure lists it. */
interface Deployment {
  readonly name: string;
  readonly state: string;
  /** ISO 8601; of its last change. */
  readonly time: string;
}

/** The records of a deployment's runs, the newest first. */
export async function deploymentsOf({ run }: Context, deployment: string): Promise<readonly Deployment[]> {
  const query = `[?starts_with(name, '${deployment}')].{name: name, state: properties.provisioningState, time: properties.timestamp}`;
  const words = ['deployment', 'sub', 'list', '--query', query, '--output', 'json'];
  const listed: readonly Deployment[] = JSON.parse((await run('az', words, { quiet: true })).trim() || '[]');
  // Version 0.3 gave each run the same name; after it runs were called by their time, before they were counted.
  // A longer number is a time that somebody else has written.
  const isRun = new RegExp(`^${deployment}(-(\\d{1,7}|\\d{8}T\\d{6}))?$`);
  return listed
    .filter(({ name }) => isRun.test(name))
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time));
}

/** The outputs of the newest run that succeeded; nothing without one. */
export async function outputsOfLast(context: Context, deployment: string): Promise<Outputs> {
  return parseOutputs(await partOfLast(context, deployment, 'properties.outputs'));
}

/** A part of the newest run that succeeded, as JSON; '' without one. */
async function partOfLast(context: Context, deployment: string, query: string): Promise<string> {
  const last = (await deploymentsOf(context, deployment)).find(({ state }) => state === 'Succeeded');
  if (last === undefined) return '';
  const words = ['--name', last.name, '--query', query, '--output', 'json'];
  return context.run('az', ['deployment', 'sub', 'show', ...words], { quiet: true });
}

/**
 * Names of versions before DEPLOYED_AS were made of the region as it was written. Throws a UsageError where that was another spelling than
 * names are made of now, which would make the environment a second time.
 */
export async function mustKeepItsNames(context: Context, deployment: string): Promise<void> {
  if (context.options.dryRun) return;
  const outputs = await outputsOfLast(context, deployment);
  if (outputs.size === 0 || outputs.has('DEPLOYED_AS')) return;
  const said = await partOfLast(context, deployment, 'properties.parameters.location.value');
  const location = String(JSON.parse(said.trim() || '""') ?? '');
  const { resourceGroup, existingGroup } = ownNames(context);
  if (location === regionOf(location) || existingGroup !== '' || resourceGroup !== undefined) return;
  const group = textOutput(outputs, 'AZURE_RESOURCE_GROUP');
  throw new UsageError(
    `${context.options.environment} was deployed with location=${location}, of which its names were made; those of ${regionOf(location)} would be a second environment. Keep its names in resourceNames, from resourceGroup (${group}) on: az resource list --resource-group ${group} shows them.`,
  );
}

/**
 * Returns the name of the next run of a deployment, `records-dev-17`: runs are counted, so that of two machines that look at the same time
 * both choose the same name, of which Azure takes one alone. Throws the failure of a deployment that is busy while another run is at work.
 */
export async function nextRun(context: Context, deployment: string): Promise<string> {
  const runs = await deploymentsOf(context, deployment);
  if (context.options.dryRun) return `${deployment}-<number>`;
  const active = runs.find(({ state }) => !ended.includes(state));
  if (active)
    throw new ToolFailure(
      deployment,
      null,
      `DeploymentActive: ${active.name} is ${active.state}. If it hangs: az deployment sub cancel --name ${active.name}.`,
    );
  const numbers = runs.map(({ name }) => Number(/-(\d+)$/.exec(name)?.[1] ?? 0));
  return `${deployment}-${Math.max(0, ...numbers) + 1}`;
}
