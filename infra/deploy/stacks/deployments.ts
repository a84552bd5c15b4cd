/**
 * The records that Azure keeps of deployments. Outputs are in the record of a deployment alone, and one that failed has none; so each run
 * has a name of its own, and what was made is read from the newest that succeeded.
 */

import { type Context, ToolFailure } from '../context.ts';
import { type Outputs, parseOutputs } from '../outputs.ts';

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
  const last = (await deploymentsOf(context, deployment)).find(({ state }) => state === 'Succeeded');
  if (last === undefined) return new Map();
  const query = ['--query', 'properties.outputs', '--output', 'json'];
  return parseOutputs(
    await context.run('az', ['deployment', 'sub', 'show', '--name', last.name, ...query], { quiet: true }),
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
