import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { expectedApps } from './expected-apps.ts';
import { instances, onTables, times, type Wanted } from './resource-values.ts';
import {
  bodyAt,
  isClosed,
  isInside,
  isPrivate,
  listAt,
  mustBe,
  nameOf,
  overPlans,
  role,
  type View,
} from './views.ts';

const parameter =
  (name: string, change = (value: Data) => value): Wanted =>
  ({ view }) =>
    change(view.value(name));
const named =
  (wanted: string): Wanted =>
  ({ found }) =>
    nameOf(found) === wanted ? found : wanted;
const idOf =
  (type: string): Wanted =>
  ({ view }) =>
    view.plan.resources.find((resource) => resource.type === type)?.id ?? null;
const absent = (base: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${base}.${name}`, null]));

const open: Wanted = ({ view }) => (isPrivate(view) ? 'Disabled' : 'Enabled');
/** Redundancy of what holds data, in several zones where everything is. */
const copies =
  (name: string, zones: Readonly<Record<string, string>>, prefix = ''): Wanted =>
  ({ view, name: resource, found }) => {
    if (prefix !== '' && !['stdata', 'stbackup'].includes(resource)) return found;
    const value = textOf(view.value(name));
    return `${prefix}${view.value('zone_redundant') === true ? (zones[value] ?? value) : value}`;
  };
/** What an app must have, by what the parameters ask for. */
const ofApp =
  (
    wanted: (app: ReturnType<typeof expectedApps>[number]) => Data,
    shown = (found: Data): Data => found,
  ): Wanted =>
  ({ view, name, found }) => {
    const app = expectedApps(view).find((item) => item.name === name);
    return app && JSON.stringify(shown(found)) !== JSON.stringify(wanted(app)) ? wanted(app) : found;
  };
const daysOf = (at: (path: string) => Data) => Number(at('properties.deleteRetentionPolicy.days'));
const shortName = (id: Data): Data => role(nameOf(id));
const emails: Wanted = ({ view, found }) => {
  const told = listAt(found).map((item) =>
    typeof item === 'string' ? item : bodyAt({ body: { item } }, 'item.emailAddress'),
  );
  const wanted = listAt(view.value('alert_emails')).map(textOf).sort();
  return JSON.stringify(told.map(textOf).sort()) === JSON.stringify(wanted) ? found : wanted;
};
const runner = ({ value }: View) => (value('runner') ?? {}) as Record<string, Data>;
const repository =
  (at: number): Wanted =>
  ({ view }) =>
    textOf(runner(view)['repository'] ?? '').split('/')[at] ?? '';

const site = 'properties.functionAppConfig';
const scale = `${site}.scaleAndConcurrency`;
const job = 'properties.configuration';
const trigger = `${job}.eventTriggerConfig.scale.rules.0`;
const alert = { 'properties.enabled': true, ...times };

/** By type and path: what every resource must be. */
const facts: Readonly<Record<string, Readonly<Record<string, Wanted>>>> = {
  'Microsoft.Storage/storageAccounts': {
    'properties.allowSharedKeyAccess': false,
    'properties.allowBlobPublicAccess': false,
    'properties.allowCrossTenantReplication': false,
    'properties.defaultToOAuthAuthentication': true,
    'properties.isLocalUserEnabled': false,
    'properties.minimumTlsVersion': 'TLS1_2',
    'properties.supportsHttpsTrafficOnly': true,
    'properties.publicNetworkAccess': open,
    'sku.name': copies('calendar_redundancy', { LRS: 'ZRS', GRS: 'GZRS' }, 'Standard_'),
  },
  'Microsoft.Storage/storageAccounts/blobServices': {
    'properties.deleteRetentionPolicy': ({ found, at }) =>
      found === null || (at('properties.deleteRetentionPolicy.enabled') === true && daysOf(at) >= 7)
        ? found
        : '7 days at least',
  },
  // Pictures move to a cheaper tier, and are not deleted.
  'Microsoft.Storage/storageAccounts/managementPolicies': {
    'properties.policy.rules.0.definition.actions.baseBlob.delete': null,
  },
  'Microsoft.Storage/storageAccounts/blobServices/containers': { 'properties.publicAccess': 'None' },
  'Microsoft.Sql/servers': {
    'properties.administrators.azureADOnlyAuthentication': true,
    'properties.administrators.login': 'database-admins',
    'properties.administrators.sid': '44444444-4444-4444-4444-444444444444',
    'properties.administrators.tenantId': tenantId,
    'properties.minimalTlsVersion': '1.2',
    'properties.publicNetworkAccess': open,
  },
  'Microsoft.Sql/servers/auditingSettings': {
    'properties.state': 'Enabled',
    'properties.isAzureMonitorTargetEnabled': true,
    // Without a list of groups every statement is logged, with the values in it.
    'properties.auditActionsAndGroups': ({ found }) =>
      listAt(found).length > 0 && listAt(found).every((group) => /AUTHENTICATION|CHANGE/.test(textOf(group)))
        ? found
        : 'sign-ins and changes of rights and objects, no statements',
  },
  'Microsoft.Sql/servers/databases': {
    'properties.requestedBackupStorageRedundancy': copies('database_backup_redundancy', {
      Geo: 'GeoZone',
      Local: 'Zone',
    }),
    'properties.zoneRedundant': parameter('zone_redundant'),
    'properties.maxSizeBytes': parameter('database_max_size_gb', (size) => Number(size) * 2 ** 30),
  },
  'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies': {
    'properties.retentionDays': parameter('backup_retention_days'),
  },
  'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies': {
    'properties.weeklyRetention': parameter('backup_weekly_retention'),
    'properties.monthlyRetention': parameter('backup_monthly_retention'),
    'properties.yearlyRetention': parameter('backup_yearly_retention'),
  },
  'Microsoft.Web/serverfarms': { 'sku.name': 'FC1', 'properties.zoneRedundant': parameter('zone_redundant') },
  'Microsoft.Web/sites': {
    kind: 'functionapp,linux',
    'identity.type': 'UserAssigned',
    'identity.userAssignedIdentities': ofApp(
      ({ identity }) => [identity],
      (ids) => Object.keys(ids ?? {}).map(shortName),
    ),
    'properties.httpsOnly': true,
    'properties.clientAffinityEnabled': false,
    'properties.serverFarmId': ofApp(({ plan }) => plan, shortName),
    'properties.publicNetworkAccess': ({ view, name }) =>
      isClosed(view) && name !== 'func-c' ? 'Disabled' : 'Enabled',
    'properties.virtualNetworkSubnetId': ({ view, found }) =>
      nameOf(found) === (isPrivate(view) ? 'snet-app' : 'null') ? found : 'snet-app',
    'properties.siteConfig.minTlsVersion': '1.2',
    'properties.siteConfig.scmMinTlsVersion': '1.2',
    'properties.siteConfig.cors.supportCredentials': false,
    'properties.siteConfig.cors.allowedOrigins': ofApp(({ origins }) => origins),
    [`${site}.runtime.name`]: 'node',
    [`${site}.runtime.version`]: parameter('node_version'),
    [`${site}.siteUpdateStrategy.type`]: parameter('update_strategy'),
    [`${site}.deployment.storage.type`]: 'blobContainer',
    [`${site}.deployment.storage.value`]: ofApp(
      ({ account, container }) => `<${account}:blobEndpoint>${container}`,
      role,
    ),
    [`${site}.deployment.storage.authentication.type`]: 'UserAssignedIdentity',
    [`${site}.deployment.storage.authentication.userAssignedIdentityResourceId`]: ofApp(
      ({ identity }) => identity,
      shortName,
    ),
    [`${scale}.instanceMemoryMB`]: parameter('instance_memory_mb'),
    [`${scale}.maximumInstanceCount`]: parameter('maximum_instance_count'),
    [`${scale}.triggers.http.perInstanceConcurrency`]: instances,
    [`${scale}.alwaysReady`]: parameter('always_ready_instances', (count) =>
      Number(count) > 0 ? [{ instanceCount: count, name: 'http' }] : null,
    ),
    ...absent('properties', flex.forbiddenSiteProperties),
    ...absent('properties.siteConfig', flex.forbiddenSiteConfigProperties),
  },
  'Microsoft.Web/sites/basicPublishingCredentialsPolicies': { 'properties.allow': false },
  'Microsoft.OperationalInsights/workspaces': {
    'properties.features.disableLocalAuth': true,
    'properties.retentionInDays': parameter('log_retention_days'),
    'properties.workspaceCapping.dailyQuotaGb': parameter('daily_log_quota_gb'),
  },
  'Microsoft.Insights/components': {
    'properties.DisableLocalAuth': true,
    'properties.WorkspaceResourceId': idOf('Microsoft.OperationalInsights/workspaces'),
  },
  'Microsoft.Insights/diagnosticSettings': {
    'properties.workspaceId': idOf('Microsoft.OperationalInsights/workspaces'),
  },
  'Microsoft.Insights/actionGroups': { 'properties.emailReceivers': emails },
  'Microsoft.Insights/metricAlerts': {
    ...alert,
    'properties.actions.0.actionGroupId': idOf('Microsoft.Insights/actionGroups'),
    'properties.criteria.failedLocationCount': ({ found }) => (found === null ? null : 2),
  },
  'Microsoft.Insights/scheduledQueryRules': {
    ...alert,
    ...onTables,
    'properties.actions.actionGroups.0': idOf('Microsoft.Insights/actionGroups'),
  },
  'Microsoft.Insights/webtests': {
    'properties.Enabled': true,
    'properties.Frequency': parameter('availability_test_minutes', (minutes) => Number(minutes) * 60),
    'properties.Request.FollowRedirects': false,
    'properties.ValidationRules.ExpectedHttpStatusCode': 200,
    'properties.ValidationRules.SSLCheck': true,
  },
  // A budget without a recipient has no effect.
  'Microsoft.Consumption/budgets': {
    'properties.amount': parameter('monthly_budget'),
    'properties.notifications.spent80.contactEmails': emails,
    'properties.notifications.spent100.contactEmails': emails,
    'properties.notifications.foreseen100.contactEmails': emails,
  },
  'Microsoft.Network/networkSecurityGroups': {
    'properties.securityRules.0.properties.access': ({ found }) => (found === null ? null : 'Deny'),
  },
  'Microsoft.Network/privateEndpoints': { 'properties.subnet.id': named('snet-endpoints') },
  'Microsoft.Network/virtualNetworks/subnets': {
    'properties.networkSecurityGroup.id': ({ found }) => found ?? 'a security group',
  },
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks': {
    'properties.virtualNetwork.id': idOf('Microsoft.Network/virtualNetworks'),
    'properties.registrationEnabled': false,
  },
  'Microsoft.ApiManagement/service': {
    'properties.virtualNetworkType': ({ view }) => (isInside(view) ? 'External' : 'None'),
    'properties.virtualNetworkConfiguration.subnetResourceId': ({ view, found }) =>
      nameOf(found) === (isInside(view) ? 'snet-gateway' : 'null') ? found : 'snet-gateway',
  },
  'Microsoft.ApiManagement/service/apis': {
    'properties.subscriptionRequired': false,
    'properties.protocols': ['https'],
    'properties.path': ({ found }) => (found === '' ? '' : null),
  },
  'Microsoft.ApiManagement/service/apis/diagnostics': {
    'properties.alwaysLog': 'allErrors',
    'properties.logClientIp': false,
  },
  'Microsoft.ApiManagement/service/backends': {
    'properties.tls.validateCertificateChain': true,
    'properties.tls.validateCertificateName': true,
  },
  // A runner is inside the network; its jobs get a credential, and no identity of ours.
  'Microsoft.App/managedEnvironments': {
    'properties.vnetConfiguration.infrastructureSubnetId': named('snet-runner'),
    'properties.vnetConfiguration.internal': true,
    'properties.appLogsConfiguration.destination': 'azure-monitor',
  },
  'Microsoft.App/jobs': {
    [`${trigger}.type`]: 'github-runner',
    [`${trigger}.metadata.owner`]: repository(0),
    [`${trigger}.metadata.repos`]: repository(1),
    [`${trigger}.metadata.runnerScope`]: 'repo',
    [`${trigger}.metadata.noDefaultLabels`]: 'true',
    [`${trigger}.metadata.labels`]: ({ view }) => view.plan.outputs['RUNNER_LABEL'] ?? null,
    [`${trigger}.auth.0.triggerParameter`]: ({ view }) =>
      runner(view)['applicationId'] === undefined ? 'personalAccessToken' : 'appKey',
    [`${trigger}.auth.0.secretRef`]: 'github',
    [`${job}.secrets.0.identity`]: ({ found }) => (shortName(found) === 'id-runner' ? found : 'id-runner'),
    [`${job}.secrets.0.value`]: null,
    [`${job}.secrets.0.keyVaultUrl`]: ({ view, found }) =>
      nameOf(found) === runner(view)['secretName'] ? found : (runner(view)['secretName'] ?? null),
    [`${job}.identitySettings.0.lifecycle`]: 'None',
    [`${job}.replicaTimeout`]: ({ found }) => (Number(found) <= 10_800 ? found : 10_800),
  },
  'Microsoft.Authorization/roleAssignments': {
    'properties.principalType': 'ServicePrincipal',
    'properties.description': ({ found }) => (textOf(found).length > 10 ? found : 'a reason'),
  },
};

/** Every resource of a type is what the table says: keys are off, sign-in is by Entra only, transport is TLS, what is private is private, alerts tell somebody. */
export function resources(project: Project): Finding[] {
  return overPlans(project, (view) =>
    view.plan.resources.flatMap((resource) =>
      Object.entries(facts[resource.type] ?? {}).flatMap(([path, wanted]) => {
        const name = role(nameOf(resource.id));
        const found = bodyAt(resource, path);
        const at = (other: string) => bodyAt(resource, other);
        const value = typeof wanted === 'function' ? wanted({ view, name, found, at }) : wanted;
        return mustBe(`${path} of ${name}`, found, value);
      }),
    ),
  );
}
