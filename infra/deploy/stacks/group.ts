/** The resource group of an environment, when it is removed. Each step may run again after a later one has failed. */

import type { Context } from '../context.ts';
import { UsageError } from '../options.ts';
import { needOutput, type Outputs, textOutput } from '../outputs.ts';
import { retry } from '../retry.ts';

/** Removes the locks of a group that is there, and of what is in it. */
export async function removeLocks(context: Context, group: string): Promise<void> {
  if (!(await isThere(context, group))) return;
  const query = ['--resource-group', group, '--query', '[].id', '--output', 'tsv'];
  const ids = lines(await context.run('az', ['lock', 'list', ...query]));
  if (ids.length > 0) await context.run('az', ['lock', 'delete', '--ids', ...ids]);
}

/** Removes the group of a deployment with everything in it: the locks first, then the group, then the name of the gateway. */
export async function removeGroup(context: Context, outputs: Outputs): Promise<void> {
  const group = context.options.dryRun
    ? '<AZURE_RESOURCE_GROUP>'
    : needOutput(outputs, 'AZURE_RESOURCE_GROUP');
  mustBeOurs(context, outputs);
  await removeLocks(context, group);
  await deleteGroup(context, group);
  const gateway = textOutput(outputs, 'GATEWAY_NAME');
  if (gateway !== '') await purgeGateway(context, gateway);
}

/** Throws a UsageError for a group that was there before the deployment: what else is in it is not ours. */
export function mustBeOurs({ options }: Pick<Context, 'options'>, outputs: Outputs): void {
  if (textOutput(outputs, 'RESOURCE_GROUP_MADE') !== 'false') return;
  throw new UsageError(
    `The resource group ${textOutput(outputs, 'AZURE_RESOURCE_GROUP')} was there before this deployment and stays: remove its locks and the resources with the tag azd-env-name=${options.environment} yourself.`,
  );
}

async function deleteGroup(context: Context, group: string): Promise<void> {
  if (!(await isThere(context, group))) return;
  await retry(context, 'az group delete', () =>
    context.run('az', ['group', 'delete', '--name', group, '--yes'], { minutes: 60 }),
  );
}

/** Frees the name of a deleted gateway, which stays taken otherwise. */
async function purgeGateway({ run }: Context, name: string): Promise<void> {
  const query = ['--query', `[?name=='${name}'].location`, '--output', 'tsv'];
  for (const location of lines(await run('az', ['apim', 'deletedservice', 'list', ...query])))
    await run('az', ['apim', 'deletedservice', 'purge', '--service-name', name, '--location', location], {
      minutes: 60,
    });
}

async function isThere({ run, options }: Context, group: string): Promise<boolean> {
  const output = await run('az', ['group', 'exists', '--name', group], { quiet: true });
  return options.dryRun || output.trim() === 'true';
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
