/** The resource group of an environment: which it is, and its end. Each step may run again after a later one has failed. */

import type { Context } from '../context.ts';
import { isOfTemplates, locksOf } from '../locks.ts';
import { UsageError } from '../options.ts';
import { type Outputs, textOutput } from '../outputs.ts';
import { groupsOf, isCalled, ownNames, resourceGroups, suffixOf } from '../resource-groups.ts';
import { retry } from '../retry.ts';

/**
 * The name of the group: that of the outputs; without them, as after a first deployment that failed, the one that the values name, else the
 * one in Azure that the templates have made for the environment. Undefined: there is none.
 */
export async function groupOf(context: Context, outputs: Outputs): Promise<string | undefined> {
  const known = textOutput(outputs, 'AZURE_RESOURCE_GROUP') || ownNames(context).existingGroup;
  if (known !== '' || context.options.dryRun) return known || '<AZURE_RESOURCE_GROUP>';
  return groupsOf(context, await resourceGroups(context))[0]?.name;
}

/** The name of the gateway; without outputs the one that the templates would give it, since it stays taken when the group is gone. */
function gatewayOf(context: Context, outputs: Outputs, group: string): string {
  const { environment } = context.options;
  if (outputs.has('GATEWAY_NAME')) return textOutput(outputs, 'GATEWAY_NAME');
  const suffix = suffixOf(environment, group);
  return ownNames(context).gateway ?? (suffix === undefined ? '' : `apim-${environment}-${suffix}`);
}

/** Removes the group of a deployment with everything in it: the locks first, then the group, then the name of the gateway. Nothing where there is none. */
export async function removeGroup(context: Context, outputs: Outputs): Promise<void> {
  mustBeMadeByUs(context, outputs);
  const group = await groupOf(context, outputs);
  if (group === undefined) return sayThereIsNone(context);
  if (await isOurs(context, group)) {
    await removeLocks(context, group);
    await retry(context, 'az group delete', () =>
      context.run('az', ['group', 'delete', '--name', group, '--yes'], { minutes: 60, once: true }),
    );
  }
  const domain = textOutput(outputs, 'CUSTOM_DOMAIN');
  if (domain !== '')
    context.say(
      `Remove the records ${domain} (CNAME) and asuid.${domain} (TXT) from its DNS: they lead to a name that anybody may take now.`,
    );
  const gateway = gatewayOf(context, outputs, group);
  if (gateway !== '') await purgeGateway(context, gateway, group);
}

async function sayThereIsNone(context: Context): Promise<void> {
  const { environment } = context.options;
  context.say(`There is no resource group of ${environment}.`);
  const others = (await resourceGroups(context)).filter((group) => group.environment === environment);
  if (others.length > 0)
    context.say(
      `Left alone, since their names are not those of the templates: ${others.map(({ name }) => name).join(', ')}.`,
    );
}

/** Throws a UsageError for a group that was there before the deployment: what else is in it is not ours. */
function mustBeMadeByUs(context: Context, outputs: Outputs): void {
  const { existingGroup } = ownNames(context);
  const group = textOutput(outputs, 'AZURE_RESOURCE_GROUP') || existingGroup;
  if (existingGroup === '' && textOutput(outputs, 'RESOURCE_GROUP_MADE') !== 'false') return;
  throw new UsageError(
    `The resource group ${group} was there before this deployment and stays: remove its locks and the resources with the tag azd-env-name=${context.options.environment} yourself.`,
  );
}

/** Whether a group is there and is that of the environment. Throws a UsageError for one that Azure says is somebody else's. */
async function isOurs(context: Context, name: string): Promise<boolean> {
  const found = (await resourceGroups(context)).find((group) => isCalled(group, name));
  if (found === undefined) return context.options.dryRun;
  const { environment } = context.options;
  if (found.environment === environment) return true;
  throw new UsageError(
    `The resource group ${name} is not one of ${environment}: its tag azd-env-name is ${found.environment ?? 'missing'}. Nothing was removed.`,
  );
}

/**
 * Removes the locks that the templates have made in a group. Throws a UsageError, before anything is removed, for one that somebody else has
 * made, in the group or around it: whoever did so wants it to stay.
 */
async function removeLocks(context: Context, group: string): Promise<void> {
  const locks = await locksOf(context, group);
  const others = locks.filter((lock) => !isOfTemplates(lock, group));
  if (others.length > 0)
    throw new UsageError(
      `Locks that the templates have not made hold ${group}: ${others.map(({ id }) => id).join(', ')}. Ask who made them. Nothing was removed.`,
    );
  const ids = locks.map(({ id }) => id);
  if (ids.length > 0) await context.run('az', ['lock', 'delete', '--ids', ...ids]);
}

/** A gateway that was deleted, and can be brought back until it is purged. */
interface DeletedGateway {
  readonly location: string;
  /** Its id while it was there. */
  readonly service: string;
}

/** Frees the name of the gateway that was in a group, which stays taken otherwise. One of the same name that was elsewhere is not ours to purge. */
async function purgeGateway({ run }: Context, name: string, group: string): Promise<void> {
  const query = `[?name=='${name}'].{location: location, service: serviceId}`;
  const list = ['apim', 'deletedservice', 'list', '--query', query, '--output', 'json'];
  const deleted: readonly DeletedGateway[] = JSON.parse((await run('az', list)).trim() || '[]');
  const place = `/resourcegroups/${group.toLowerCase()}/`;
  for (const { location } of deleted.filter(({ service }) => service.toLowerCase().includes(place)))
    await run('az', ['apim', 'deletedservice', 'purge', '--service-name', name, '--location', location], {
      minutes: 60,
    });
}
