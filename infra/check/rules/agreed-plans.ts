/** What was agreed would be deployed: a page for production and one for a small town, short enough to be read in a review. */

import type { Finding, Project } from '../model.ts';
import { differences, type Lines, leaves, readLines } from '../plan/lines.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { describedAssignment } from './inventory.ts';
import { bodyAt, nameOf, overPlans, role, type View } from './views.ts';

const folder = 'infra/check/plans';
const agreedSets: readonly string[] = ['prod', 'small'];

/** By type: what a reviewer decides about. Resources of the other types are named only; rules say what each must be. */
const reviewed: Readonly<Record<string, readonly string[]>> = {
  'ApiManagement/service': ['sku', 'identity.type', 'properties.virtualNetworkType'],
  'Authorization/locks': ['properties.level'],
  'Consumption/budgets': ['properties.amount'],
  'ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials': ['properties.subject'],
  'Network/privateEndpoints': ['properties.subnet.id'],
  'Network/virtualNetworks': ['properties.addressSpace'],
  'Network/virtualNetworks/subnets': [
    'properties.addressPrefix',
    'properties.addressPrefixes',
    'properties.networkSecurityGroup.id',
  ],
  'OperationalInsights/workspaces': ['properties.retentionInDays', 'properties.workspaceCapping'],
  'Sql/servers': ['properties.publicNetworkAccess', 'properties.administrators.azureADOnlyAuthentication'],
  'Sql/servers/auditingSettings': ['properties.state'],
  'Sql/servers/databases': ['sku', 'properties.maxSizeBytes', 'properties.zoneRedundant'],
  'Sql/servers/databases/backupLongTermRetentionPolicies': [
    'properties.weeklyRetention',
    'properties.monthlyRetention',
    'properties.yearlyRetention',
  ],
  'Sql/servers/databases/backupShortTermRetentionPolicies': ['properties.retentionDays'],
  'Sql/servers/firewallRules': ['properties'],
  'Storage/storageAccounts': [
    'sku',
    'properties.publicNetworkAccess',
    'properties.allowSharedKeyAccess',
    'properties.networkAcls.defaultAction',
  ],
  'Storage/storageAccounts/blobServices': [
    'properties.deleteRetentionPolicy.days',
    'properties.containerDeleteRetentionPolicy.days',
  ],
  'Storage/storageAccounts/blobServices/containers/immutabilityPolicies': [
    'properties.immutabilityPeriodSinceCreationInDays',
  ],
  'Web/serverfarms': ['sku', 'properties.zoneRedundant'],
  'Web/sites': [
    'identity.userAssignedIdentities',
    'properties.publicNetworkAccess',
    'properties.virtualNetworkSubnetId',
    'properties.functionAppConfig.scaleAndConcurrency',
    'properties.functionAppConfig.runtime',
  ],
};

/** Nothing would stand but what was agreed: the files in infra/check/plans, which `npm run check:infra -- --agree` writes anew. */
export function agreedPlans(project: Project): Finding[] {
  return [...currentPlans(project)].flatMap(([file, lines]) => {
    const agreed = project.files.get(file);
    if (agreed === undefined)
      return [{ file, message: 'is missing: npm run check:infra -- --agree writes it' }];
    return differences(readLines(agreed), lines).map(([what, before, now]) => ({
      file,
      message: `${what} is ${now ?? 'missing'}; agreed ${before === undefined ? 'was nothing' : `was ${before}`}`,
    }));
  });
}

/** The files of agreed plans, as they would be written now. Sets that cannot be planned are left out. */
export function currentPlans(project: Project): ReadonlyMap<string, Lines> {
  const pages = new Map<string, Lines>();
  overPlans(project, (view) => {
    if (agreedSets.includes(view.set)) pages.set(`${folder}/${view.set}.txt`, pageOf(view));
    return [];
  });
  return pages;
}

function pageOf(view: View): Lines {
  const types = Map.groupBy(view.plan.resources, ({ type }) => type);
  return new Map(
    [...types].flatMap(([type, resources]) => {
      const kind = type.replace('Microsoft.', '');
      if (kind === 'Authorization/roleAssignments') return rolesIn(kind, resources);
      const paths = reviewed[kind];
      if (paths === undefined) return [[kind, namesIn(resources)] as const];
      return resources.map(
        (resource) => [`${kind}: ${nameIn(resource)}`, valuesIn(resource, paths)] as const,
      );
    }),
  );
}

/** A line for each identity, with its roles. */
function rolesIn(kind: string, assignments: readonly PlannedResource[]): [string, string][] {
  const described = assignments.map(describedAssignment).map((text) => text.split(': '));
  const ofEach = Map.groupBy(described, ([principal]) => principal);
  return [...ofEach].map(([principal, roles]) => [
    `${kind}: ${principal}`,
    roles
      .map(([, granted]) => granted)
      .sort()
      .join(', '),
  ]);
}

/** What stands behind the type in an id: `sql/databases/records`, `stdata/keep-calendar`. */
const nameIn = ({ id }: PlannedResource) =>
  role(
    id
      .replace(/.*?\/providers\/Microsoft\.\w+\/\w+\//, '')
      .replace('/providers/Microsoft.Authorization/locks/', '/'),
  );

/** The names of resources, each once; a number behind those that stand more often. */
function namesIn(resources: readonly PlannedResource[]): string {
  const names = Map.groupBy(resources, ({ id }) => role(nameOf(id)));
  return [...names]
    .map(([name, { length }]) => (length > 1 ? `${name} (${length})` : name))
    .sort()
    .join(', ');
}

const valuesIn = (resource: PlannedResource, paths: readonly string[]) =>
  paths
    .flatMap((path) =>
      [...leaves(bodyAt(resource, path), path)].map(([name, value]) => {
        const shown = role(/^"(?:~|\/).*\/([^/]+)"$/.exec(value)?.[1] ?? value);
        return `${name.replace(/^properties\.(?:functionAppConfig\.)?/, '')} ${shown}`;
      }),
    )
    .filter((text) => !text.endsWith(' null'))
    .join(', ');
