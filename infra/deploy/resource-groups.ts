/** The resource groups of the subscription, and which of them is that of an environment. */

import type { Context } from './context.ts';
import { regionOf } from './environments.ts';
import { UsageError } from './options.ts';
import { type Outputs, textOutput } from './outputs.ts';
import { effectiveValues } from './values.ts';

/** A group as Azure lists it. */
export interface ResourceGroup {
  readonly name: string;
  readonly location: string;
  /** The environment by its tag, which keeps the name that azd, which once deployed too, gave it; null: none of ours. */
  readonly environment: string | null;
  /** The stack that has made it, by its tag; null: one of an earlier version, or none of ours. */
  readonly stack: string | null;
}

const query =
  '[].{name: name, location: location, environment: tags."azd-env-name", stack: tags."deployed-with"}';

/** Lists all groups; in a dry run none. */
export async function resourceGroups({ run }: Pick<Context, 'run'>): Promise<readonly ResourceGroup[]> {
  const words = ['group', 'list', '--query', query, '--output', 'json'];
  return JSON.parse((await run('az', words, { quiet: true })).trim() || '[]');
}

/** Names of groups have no case. */
export const isCalled = (group: ResourceGroup, name: string): boolean =>
  group.name.toLowerCase() === name.toLowerCase();

/** The names that people have given, and that of a group that was there before; '' and undefined: none. */
export function ownNames({ options }: Pick<Context, 'options'>) {
  const values = effectiveValues(options);
  const { resourceGroup, gateway } = values['resource_names'] as Readonly<Record<string, string>>;
  return { resourceGroup, gateway, existingGroup: String(values['existing_resource_group_name'] ?? '') };
}

/** The end of a name that the templates make of the environment. */
export const suffixOf = (environment: string, group: string): string | undefined =>
  new RegExp(`^rg-${environment}-([a-z0-9]{13})$`).exec(group)?.[1];

/** The stack that has made a group. Those of earlier versions lack the tag: their names end in a hash, in hexadecimal digits with Terraform, and in base32 with Bicep. */
function stackOfGroup(
  { options }: Pick<Context, 'options'>,
  { name, stack }: ResourceGroup,
): string | undefined {
  if (stack !== null) return stack;
  const suffix = suffixOf(options.environment, name) ?? '';
  const kinds = { terraform: /^[0-9a-f]{13}$/, bicep: /^[a-z2-7]{13}$/ };
  const possible = Object.entries(kinds).flatMap(([kind, pattern]) => (pattern.test(suffix) ? [kind] : []));
  return possible.length === 1 ? possible[0] : undefined;
}

/** The groups that the templates have made for the environment. Other products may use the same tag, so the name counts too where no stack is said. */
export function groupsOf(context: Pick<Context, 'options'>, all: readonly ResourceGroup[]): ResourceGroup[] {
  const { environment } = context.options;
  const { resourceGroup = '' } = ownNames(context);
  return all.filter(
    (group) =>
      group.environment === environment &&
      (group.stack !== null ||
        suffixOf(environment, group.name) !== undefined ||
        isCalled(group, resourceGroup)),
  );
}

/**
 * Where the identities of the environment are, of which each has one: also in a group that was there before, whose tags are its owner's. The
 * tags are those that the templates give to all that they make.
 */
async function placesOf({ run, options }: Context): Promise<readonly ResourceGroup[]> {
  const tags =
    '{name: resourceGroup, location: location, environment: tags."azd-env-name", stack: tags."deployed-with"}';
  const type = ['--resource-type', 'Microsoft.ManagedIdentity/userAssignedIdentities'];
  const query = ['--query', `[?tags."deployed-with"].${tags}`, '--output', 'json'];
  const words = ['resource', 'list', ...type, ...query];
  const all: readonly ResourceGroup[] = JSON.parse((await run('az', words, { quiet: true })).trim() || '[]');
  return all.filter(({ environment }) => environment === options.environment);
}

const isThereAlready = ({ name, location }: ResourceGroup) => `${name} (${location})`;

/**
 * Looks whether the environment is in Azure, and as what is asked for. Throws a UsageError with both values where it was made by the other
 * stack, in another region or group, or twice; and where a name that was given is that of somebody else's group. `known` gives the outputs of
 * the last deployment.
 */
export async function mustBeTheOnlyOne(context: Context, known: () => Promise<Outputs>): Promise<void> {
  const { options } = context;
  if (options.dryRun) return;
  const all = await resourceGroups(context);
  const found = [
    ...new Map(
      [...groupsOf(context, all), ...(await placesOf(context))].map((group) => [
        group.name.toLowerCase(),
        group,
      ]),
    ).values(),
  ];
  const { existingGroup, resourceGroup } = ownNames(context);
  const wanted = existingGroup || resourceGroup || '';
  const name = options.environment;
  const refuse = (what: string): never => {
    throw new UsageError(what);
  };
  if (found.length > 1)
    refuse(
      `${name} is in Azure more than once: ${found.map(isThereAlready).join(', ')}. Remove what nobody uses in the portal, after a look at its data, or take the tag azd-env-name from what shall stay beside it.`,
    );
  const [group] = found;
  if (group !== undefined) {
    const stack = stackOfGroup(context, group);
    if (stack !== undefined && stack !== options.stack)
      refuse(
        `${name} was made with ${stack} (resource group ${group.name}); this run is one of ${options.stack}, which would make it a second time. Deploy it with ${stack}.`,
      );
    const { location } = options.values;
    if (location !== undefined && regionOf(group.location) !== regionOf(location))
      refuse(
        `${name} is in ${regionOf(group.location)} (resource group ${group.name}); this run says ${regionOf(location)}, which would make it a second time. For another region choose another --environment.`,
      );
    // A group that the templates name is found again without a word.
    const isNamed = wanted !== '' || suffixOf(name, group.name) === undefined;
    if (isNamed && !isCalled(group, wanted))
      refuse(
        `${name} is in the resource group ${group.name}; this run says ${wanted || 'no group'}, which would make it a second time.`,
      );
  }
  const taken = all.find(
    (other) => resourceGroup !== undefined && existingGroup === '' && isCalled(other, resourceGroup),
  );
  if (taken === undefined) return;
  // Azure Developer CLI gives the tag of an environment too, to groups of other products.
  const isOurs =
    taken.environment === name &&
    (taken.stack !== null || isCalled(taken, textOutput(await known(), 'AZURE_RESOURCE_GROUP')));
  if (!isOurs)
    refuse(
      `The resource group ${taken.name} is there and is not one of ${name} (its tag azd-env-name is ${taken.environment ?? 'missing'}, deployed-with ${taken.stack ?? 'missing'}): choose another name, or put the environment into it with existingResourceGroupName.`,
    );
}
