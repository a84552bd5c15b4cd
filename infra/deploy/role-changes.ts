/**
 * Role assignments of an environment's identities that are otherwise than its templates list. Bicep leaves what it no longer lists, and
 * what-if leaves out the modules that assign roles; of both stacks nothing sees what somebody has assigned by hand.
 */

import type { Context } from './context.ts';
import { needOutput, type Outputs } from './outputs.ts';
import { assignmentsIn, type RoleAssignment } from './role-commands.ts';

/** An assignment in Azure. */
export interface FoundAssignment {
  readonly id: string;
  readonly scope: string;
  /** Id of the role, without where it is defined. */
  readonly role: string;
  readonly principalId: string;
  /** Name of the identity that has it. */
  readonly identity: string;
}

export interface RoleChanges {
  /** Inside of the group, and no longer listed, or never. */
  readonly stray: readonly FoundAssignment[];
  /** Listed, of a scope inside of the group, and not there; neither is one on what is around that scope. */
  readonly missing: readonly RoleAssignment[];
}

interface Identity {
  readonly name: string;
  readonly principalId: string;
  readonly tags?: Readonly<Record<string, string>> | null;
}
interface Page {
  readonly value?: readonly {
    readonly id: string;
    readonly properties: {
      readonly scope: string;
      readonly roleDefinitionId: string;
      readonly principalId: string;
    };
  }[];
  readonly nextLink?: string | null;
}

/** Compares what Azure has with what the last deployment lists; empty where that lists nothing, as one of an earlier version. */
export async function roleChanges(context: Context, outputs: Outputs): Promise<RoleChanges> {
  const listed = assignmentsIn(outputs);
  if (listed.length === 0 && !context.options.dryRun) return { stray: [], missing: [] };
  const group = needOutput(outputs, 'AZURE_RESOURCE_GROUP');
  const identities = await identitiesOf(context, group);
  const found = await assignmentsOfGroup(context, group);
  const isInGroup = ({ scope }: { scope: string }) =>
    scope.toLowerCase().includes(`/resourcegroups/${group.toLowerCase()}/`);
  const stray = found.flatMap((assignment) => {
    const identity = identities.find(({ principalId }) => principalId === assignment.principalId);
    const isStray =
      identity !== undefined &&
      isInGroup(assignment) &&
      !listed.some((one) => isOfSame(one, assignment) && isSameId(one.scope, assignment.scope));
    return isStray ? [{ ...assignment, identity: identity.name }] : [];
  });
  const missing = listed.filter(
    (one) =>
      isInGroup(one) &&
      !found.some((assignment) => isOfSame(one, assignment) && isCovered(one.scope, assignment.scope)),
  );
  return { stray, missing };
}

/** Lines about them, for who compares. */
export function describeRoles({ stray, missing }: RoleChanges): string[] {
  return [
    ...stray.map(
      ({ identity, role, scope }) => `${identity}: has the role ${role} on ${scope}, which no template lists`,
    ),
    ...missing.map(
      ({ role, scope, principalId, reason }) =>
        `${principalId}: lacks the role ${role} on ${scope} (${reason})`,
    ),
  ];
}

/** The identities that the templates have made: another environment, and another product, may have others in the same group. */
async function identitiesOf({ run, options }: Context, group: string): Promise<readonly Identity[]> {
  const words = ['identity', 'list', '--resource-group', group, '--output', 'json'];
  const all: readonly Identity[] = JSON.parse((await run('az', words, { quiet: true })).trim() || '[]');
  return all.filter(
    ({ tags }) => tags?.['azd-env-name'] === options.environment && tags['deployed-with'] !== undefined,
  );
}

/** Everyone's assignments on a group, on what is in it and on what is around it. */
async function assignmentsOfGroup(
  { run }: Context,
  group: string,
): Promise<readonly Omit<FoundAssignment, 'identity'>[]> {
  const found: Omit<FoundAssignment, 'identity'>[] = [];
  let url: string | null | undefined =
    `/subscriptions/{subscriptionId}/resourceGroups/${group}/providers/Microsoft.Authorization/roleAssignments?api-version=2022-04-01`;
  while (url) {
    const words = ['rest', '--method', 'get', '--url', url, '--output', 'json'];
    const page: Page = JSON.parse((await run('az', words, { quiet: true })).trim() || '{}');
    for (const { id, properties } of page.value ?? []) {
      const { scope, roleDefinitionId, principalId } = properties;
      found.push({ id, scope, principalId, role: roleDefinitionId.split('/').at(-1) ?? '' });
    }
    url = page.nextLink;
  }
  return found;
}

type OfPrincipal = Pick<FoundAssignment, 'role' | 'principalId'>;

const isOfSame = (one: OfPrincipal, other: OfPrincipal) =>
  one.principalId === other.principalId && one.role === other.role;
const isSameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Whether a scope is another one, or lies in it. */
export const isCovered = (scope: string, outer: string): boolean =>
  `${scope}/`.toLowerCase().startsWith(`${outer.replace(/\/$/, '')}/`.toLowerCase());
