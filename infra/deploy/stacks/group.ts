/** The resource group of an environment: which it is, and its end. Each step may run again after a later one has failed. */

import type { Context } from '../context.ts';
import { UsageError } from '../options.ts';
import { type Outputs, textOutput } from '../outputs.ts';
import { retry } from '../retry.ts';
import { effectiveValues } from '../values.ts';

/**
 * The name of the group: that of the outputs; without them, as after a first deployment that failed, the one that the values name, else the
 * one in Azure that has the tag of the environment and a name of ours. Undefined: there is none. Throws a UsageError when several may be it.
 */
export async function groupOf(context: Context, outputs: Outputs): Promise<string | undefined> {
  const known = textOutput(outputs, 'AZURE_RESOURCE_GROUP') || existingGroup(context);
  if (known !== '' || context.options.dryRun) return known || '<AZURE_RESOURCE_GROUP>';
  const groups = (await taggedGroups(context)).filter((name) => isOurs(context, name));
  if (groups.length > 1)
    throw new UsageError(
      `Several resource groups may be that of ${context.options.environment}: ${groups.join(', ')}. ${howToName}`,
    );
  return groups[0];
}

const howToName = `Name it: --set 'resourceNames={"resourceGroup":"..."}'.`;

const existingGroup = ({ options }: Context) =>
  String(effectiveValues(options)['existing_resource_group_name'] ?? '');

/** The tag keeps the name that azd, which once deployed too, gave it: environments have it. */
async function taggedGroups({ run, options }: Context): Promise<readonly string[]> {
  const tag = ['--tag', `azd-env-name=${options.environment}`, '--query', '[].name', '--output', 'tsv'];
  return lines(await run('az', ['group', 'list', ...tag], { quiet: true }));
}

/** Other products may use the same tag, so the name counts too. */
function isOurs({ options }: Context, group: string): boolean {
  const { resourceGroup } = ownNames(options);
  return resourceGroup === undefined
    ? suffixOf(options.environment, group) !== undefined
    : group === resourceGroup;
}

const ownNames = (options: Context['options']) =>
  effectiveValues(options)['resource_names'] as { resourceGroup?: string; gateway?: string };

/** The end of a name that the templates make of the environment. */
const suffixOf = (environment: string, group: string) =>
  new RegExp(`^rg-${environment}-([a-z0-9]{13})$`).exec(group)?.[1];

/** The name of the gateway; without outputs the one that the templates would give it, since it stays taken when the group is gone. */
function gatewayOf({ options }: Context, outputs: Outputs, group: string): string {
  const { environment } = options;
  if (outputs.has('GATEWAY_NAME')) return textOutput(outputs, 'GATEWAY_NAME');
  const suffix = suffixOf(environment, group);
  return ownNames(options).gateway ?? (suffix === undefined ? '' : `apim-${environment}-${suffix}`);
}

/** Removes the locks of a group that is there, and of what is in it. */
async function removeLocks(context: Context, group: string): Promise<void> {
  if (!(await isThere(context, group))) return;
  const query = ['--resource-group', group, '--query', '[].id', '--output', 'tsv'];
  const ids = lines(await context.run('az', ['lock', 'list', ...query]));
  if (ids.length > 0) await context.run('az', ['lock', 'delete', '--ids', ...ids]);
}

/** Removes the group of a deployment with everything in it: the locks first, then the group, then the name of the gateway. Nothing where there is none. */
export async function removeGroup(context: Context, outputs: Outputs): Promise<void> {
  mustBeOurs(context, outputs);
  const group = await groupOf(context, outputs);
  if (group === undefined) return sayThereIsNone(context);
  await removeLocks(context, group);
  await deleteGroup(context, group);
  const domain = textOutput(outputs, 'CUSTOM_DOMAIN');
  if (domain !== '')
    context.say(
      `Remove the records ${domain} (CNAME) and asuid.${domain} (TXT) from its DNS: they lead to a name that anybody may take now.`,
    );
  const gateway = gatewayOf(context, outputs, group);
  if (gateway !== '') await purgeGateway(context, gateway);
}

async function sayThereIsNone(context: Context): Promise<void> {
  context.say(`There is no resource group of ${context.options.environment}.`);
  const others = await taggedGroups(context);
  if (others.length > 0)
    context.say(
      `Left alone, since their names are not those of the templates: ${others.join(', ')}. If one is meant: ${howToName}`,
    );
}

/** Throws a UsageError for a group that was there before the deployment: what else is in it is not ours. */
export function mustBeOurs(context: Context, outputs: Outputs): void {
  const existing = existingGroup(context);
  const group = textOutput(outputs, 'AZURE_RESOURCE_GROUP') || existing;
  if (existing === '' && textOutput(outputs, 'RESOURCE_GROUP_MADE') !== 'false') return;
  throw new UsageError(
    `The resource group ${group} was there before this deployment and stays: remove its locks and the resources with the tag azd-env-name=${context.options.environment} yourself.`,
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
