/** What is there already: groups, names, subnets and DNS of an organisation, with both stacks. */

import { expect, test } from 'vitest';
import type { Data } from '../../infra/check/plan/data.ts';
import { subscriptionId } from '../../infra/check/plan/ids.ts';
import { type Plan, planOf } from '../../infra/check/plan/plan.ts';
import { planWithEach, questionOf } from '../../infra/check/plan/sets.ts';
import { readFiles, readProfiles } from '../../infra/check/project.ts';
import { samePlans } from '../../infra/check/rules/same-plans.ts';
import { hasInfraTools } from '../support/infra-tools.ts';

const files = readFiles();
const profiles = readProfiles(files);
const hub = '/subscriptions/hub/resourceGroups/network/providers/Microsoft.Network';
const subnet = (name: string) => `${hub}/virtualNetworks/hub/subnets/${name}`;
const subnets = { app: subnet('app'), endpoints: subnet('endpoints'), gateway: subnet('gateway') };
const runner = {
  repository: 'owner/name',
  keyVaultId: `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv`,
  secretName: 'token',
};

const setOf = (values: Readonly<Record<string, Data>>) => ({
  environment: 'x1',
  profile: 'prod',
  values: { alert_emails: ['a@example.org'], ...values },
});

/** Plans with both stacks, which must be the same. */
async function plan(values: Readonly<Record<string, Data>>): Promise<Plan> {
  const planned = await planWithEach(files, 'x1', questionOf(setOf(values), profiles));
  expect(samePlans({ plans: [planned] })).toEqual([]);
  const found = planOf(planned);
  if (found instanceof Error) throw found;
  return found;
}

const idsOf = ({ resources }: Plan, type: string) =>
  resources.filter((resource) => resource.type === type).map(({ id }) => id);

/** The groups of DNS zones of endpoints: resources below them, or with Terraform parts of them. */
const zoneGroupsOf = ({ resources }: Plan) =>
  resources.filter(({ type, body }) => /\/privateDnsZoneGroups$/.test(type) || 'privateDnsZoneGroup' in body);

test.runIf(hasInfraTools)('a resource group that is there is used, and not made', async () => {
  const found = await plan({ existing_resource_group_name: 'rg-of-others' });
  expect(idsOf(found, 'Microsoft.Resources/resourceGroups')).toEqual([]);
  const elsewhere = found.resources.filter(({ id }) => !/\/resourceGroups\/rg-of-others\//i.test(id));
  expect(elsewhere.map(({ id }) => id)).toEqual([]);
  expect(found.outputs).toMatchObject({ AZURE_RESOURCE_GROUP: 'rg-of-others', RESOURCE_GROUP_MADE: false });
});

test.runIf(hasInfraTools)('resources get the names that they are given', async () => {
  const names = {
    resourceGroup: 'rg-ours',
    identity: 'id-ours',
    pipelineIdentity: 'id-pipeline-ours',
    workspace: 'log-ours',
    auditWorkspace: 'log-ours-audit',
    applicationInsights: 'appi-ours',
    network: 'vnet-ours',
    hostAccount: 'sthostours',
    dataAccount: 'stdataours',
    sqlServer: 'sql-ours',
    plan: 'plan-ours',
    app: 'func-ours',
    greenPlan: 'plan-ours-green',
    greenApp: 'func-ours-green',
    calendarIdentity: 'id-ours-calendar',
    calendarHostAccount: 'stcalours',
    calendarPlan: 'plan-ours-calendar',
    calendarApp: 'func-ours-calendar',
    gateway: 'apim-ours',
    runnerIdentity: 'id-ours-runner',
    runnerEnvironment: 'cae-ours',
    runnerJob: 'caj-ours',
    backupIdentity: 'id-ours-backup',
    backupAccount: 'stbackupours',
  };
  const more = { green_app: true, database_pool_max: 3, github_repository: 'owner/name', runner };
  const found = await plan({ resource_names: names, ...more });
  const given = new Set(found.resources.map(({ id }) => id.split('/').at(-1)));
  expect(Object.values(names).filter((name) => !given.has(name))).toEqual([]);
  const remaining = found.resources.filter(({ id }) =>
    /-x1-[0-9a-f]{13}|(sthost|stdata|stcal|stbackup)[0-9a-f]{13}/.test(id),
  );
  expect(remaining.map(({ id }) => id)).toEqual([]);
});

test.runIf(hasInfraTools)('subnets that are there are used; a policy registers the endpoints', async () => {
  const found = await plan({ existing_subnet_ids: subnets, private_dns_zones_by_policy: true });
  expect(found.resources.filter(({ type }) => /virtualNetworks|privateDnsZone/.test(type))).toEqual([]);
  expect(zoneGroupsOf(found)).toEqual([]);
  const text = (type: string) => JSON.stringify(found.resources.filter((resource) => resource.type === type));
  expect(idsOf(found, 'Microsoft.Network/privateEndpoints')).toHaveLength(8);
  expect(text('Microsoft.Network/privateEndpoints')).toContain(subnets.endpoints);
  expect(text('Microsoft.Web/sites').split(subnets.app)).toHaveLength(3);
  expect(text('Microsoft.ApiManagement/service')).toContain(subnets.gateway);
  const withRunner = await plan({
    existing_subnet_ids: { ...subnets, runner: subnet('runner') },
    private_dns_zones_by_policy: true,
    runner,
  });
  const [environment] = withRunner.resources.filter(
    ({ type }) => type === 'Microsoft.App/managedEnvironments',
  );
  expect(JSON.stringify(environment)).toContain(subnet('runner'));
});

test.runIf(hasInfraTools)('with a network of its own and a policy there are no zones', async () => {
  const found = await plan({ private_dns_zones_by_policy: true });
  expect(found.resources.filter(({ type }) => /privateDnsZone/.test(type))).toEqual([]);
  expect(zoneGroupsOf(found)).toEqual([]);
  expect(idsOf(found, 'Microsoft.Network/virtualNetworks')).toHaveLength(1);
});

test.runIf(hasInfraTools)('subnets that are there go with zones that are there', async () => {
  const zones = Object.fromEntries(
    ['blob', 'table', 'sql', 'sites'].map((zone) => [zone, `${hub}/privateDnsZones/${zone}`]),
  );
  const found = await plan({ existing_subnet_ids: subnets, existing_private_dns_zone_ids: zones });
  expect(idsOf(found, 'Microsoft.Network/privateDnsZones')).toEqual([]);
  expect(zoneGroupsOf(found)).toHaveLength(8);
});
