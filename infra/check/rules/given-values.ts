/** Where the values of parameters must arrive, and what guards or keeps data and has no parameter. */

import { type Data, textOf } from '../plan/data.ts';
import type { Here, Wanted } from './resource-values.ts';
import { listAt, nameGiven, nameOf, role } from './views.ts';

/** The value of a parameter, as it is or as Azure writes it. */
const given =
  (parameter: string, written: (value: Data, here: Here) => Data = (value) => value): Wanted =>
  (here) =>
    written(here.view.value(parameter), here);
const zonal: Readonly<Record<string, string>> = { LRS: 'ZRS', ZRS: 'ZRS', GRS: 'GZRS', GZRS: 'GZRS' };
const zonalBackups: Readonly<Record<string, string>> = { Local: 'Zone', Geo: 'GeoZone' };
const isZonal = ({ view }: Here) => view.value('zone_redundant') === true;
const isServerless = ({ view }: Here) => textOf(view.value('database_sku')).startsWith('GP_S_');
/** The name and the cores or units of a size. */
const nameOfSize = (size: Data) => textOf(size).replace(/^(GP.*Gen5)_\d+$/, '$1');
const capacityOfSize = (size: Data) =>
  ({ Basic: 5, S0: 10, S1: 20, S2: 50 })[textOf(size)] ?? Number(textOf(size).split('_').at(-1));

const redundancy: Wanted = (here) => {
  const copies = textOf(here.view.value('calendar_redundancy'));
  if (!['stdata', 'stbackup'].includes(here.account)) return `Standard_${isZonal(here) ? 'ZRS' : 'LRS'}`;
  return `Standard_${isZonal(here) ? zonal[copies] : copies}`;
};

/** Days for which a backup of the calendar can be neither changed nor deleted. */
const backupDays = 35;
const isAudit = ({ name }: Here) => name.endsWith('-audit');
/** The account and container of the packages of each app. */
const packages: Wanted = ({ name, found }) => {
  const wanted: Readonly<Record<string, string>> = {
    func: '<sthost:blobEndpoint>packages-blue',
    'func-g': '<sthost:blobEndpoint>packages-green',
    'func-c': '<stcal:blobEndpoint>packages',
  };
  return role(found) === wanted[name] ? found : (wanted[name] ?? null);
};
/** A list; plans leave out an empty one. */
const orNull = (list: readonly Data[]): Data => (list.length > 0 ? [...list] : null);

/** What comes from the internet to private endpoints is refused, before anything allows it. */
const closedToTheInternet: Wanted = ({ name, found }) => {
  const rules = listAt(found).map((rule) => ({
    ...(rule as { properties: Record<string, Data> }).properties,
  }));
  const opens = rules.filter(({ direction, access }) => direction === 'Inbound' && access === 'Allow');
  if (opens.length > 0) return 'without a rule that lets callers in';
  const shuts = rules.filter(({ direction, access }) => direction === 'Outbound' && access === 'Deny');
  if (shuts.length > 0) return 'without a rule that stops calls to the sign-in service and to Azure Monitor';
  if (!name.endsWith('-endpoints')) return found;
  const denies = rules.some(
    (rule) =>
      rule['direction'] === 'Inbound' &&
      rule['access'] === 'Deny' &&
      rule['protocol'] === '*' &&
      ['Internet', '*'].includes(textOf(rule['sourceAddressPrefix'] ?? null)) &&
      rule['destinationAddressPrefix'] === '*' &&
      rule['destinationPortRange'] === '*' &&
      rule['sourcePortRange'] === '*',
  );
  return denies ? found : 'a rule that refuses all from the internet';
};

const hasSecurityGroup: Wanted = ({ name, found }) =>
  nameOf(found).endsWith(name.replace('snet', '')) ? found : `the group of ${name}`;
const delegations: Readonly<Record<string, Data>> = {
  'snet-app': 'Microsoft.App/environments',
  'snet-runner': 'Microsoft.App/environments',
  'snet-gateway': 'Microsoft.Web/serverFarms',
  'snet-endpoints': null,
};

interface LifecycleRule {
  readonly enabled?: boolean;
  readonly definition?: {
    readonly filters?: { readonly prefixMatch?: Data };
    /** By kind of blob and action, such as delete, after how many days of what. */
    readonly actions?: {
      readonly [kind: string]: { readonly [action: string]: { readonly [age: string]: Data } };
    };
  };
}

const pathOf = ({ definition }: LifecycleRule) => listAt(definition?.filters?.prefixMatch ?? null).join();
const actionsOf = ({ definition }: LifecycleRule) =>
  Object.values(definition?.actions ?? {})
    .flatMap((ofKind) => Object.entries(ofKind))
    .map(([action, after]) => ({ action, days: Object.values(after) }));

/** Whoever moves blobs to the cool tier pays for 30 days of it. */
const movesOldPictures = (rule: LifecycleRule) =>
  pathOf(rule) === 'pictures/' &&
  actionsOf(rule).every(({ days }) => days.every((number) => Number(number) >= 30));

/** What a rule does but move blobs to a tier from which they are read as before. */
const endsOf = (rule: LifecycleRule) =>
  actionsOf(rule)
    .filter(({ action }) => !['tierToCool', 'tierToCold'].includes(action))
    .map(({ action, days }) => `${action} ${pathOf(rule)} after ${days.join()} days`);

/** Pictures may become cheaper with time, and never go, nor to the archive, which nobody can read at once. Backups go when they are no longer kept; only the account removes them. */
const removals: Wanted = ({ account, found }) => {
  const rules = listAt(found) as LifecycleRule[];
  if (rules.some(({ enabled }) => enabled !== true)) return 'rules that are on';
  const ends = rules.flatMap(endsOf);
  if (account === 'stbackup') {
    const wanted = `delete backups/ after ${backupDays} days`;
    return ends.join('; ') === wanted ? found : `${wanted}, and nothing else`;
  }
  if (!rules.every(movesOldPictures)) return 'pictures that become cheaper after 30 days or later';
  return ends.length === 0 ? found : 'rules that delete or archive nothing';
};

const scale = 'properties.functionAppConfig.scaleAndConcurrency';
const runner = 'properties.configuration.eventTriggerConfig.scale.rules.0.metadata';
const repository = (part: number): Wanted =>
  given('runner', (value) => textOf((value as { repository: string }).repository).split('/')[part] ?? '');
/** The label by which jobs of an environment ask for the runner. */
const labelOf = ({ view }: Here) => `inside-${view.environment}`;
/** What the script of a runner reads; its credential comes from the secret. */
const environmentOfRunner: Wanted = (here) => {
  const {
    repository: name,
    applicationId,
    installationId,
  } = here.view.value('runner') as Record<string, string>;
  const wanted: Readonly<Record<string, Data>> = {
    REPOSITORY: name ?? null,
    LABEL: labelOf(here),
    APPLICATION_ID: applicationId ?? '',
    INSTALLATION_ID: installationId ?? '',
    GITHUB_CREDENTIAL: 'secret github',
  };
  const found = new Map(
    (listAt(here.found) as Readonly<Record<string, string>>[]).map((entry) => [
      entry['name'],
      entry['secretRef'] === undefined ? (entry['value'] ?? '') : `secret ${entry['secretRef']}`,
    ]),
  );
  return Object.entries(wanted).every(([variable, value]) => found.get(variable) === value)
    ? here.found
    : wanted;
};
const ofDomain = (part: string): Wanted =>
  given('custom_domain', (value) => (value as Readonly<Record<string, string>>)[part] ?? null);
const notification = (threshold: number, thresholdType: string) => (name: string) => ({
  [`properties.notifications.${name}.contactRoles`]: ['Owner'],
  [`properties.notifications.${name}.enabled`]: true,
  [`properties.notifications.${name}.threshold`]: threshold,
  [`properties.notifications.${name}.thresholdType`]: thresholdType,
  [`properties.notifications.${name}.operator`]: 'GreaterThanOrEqualTo',
  [`properties.notifications.${name}.contactEmails`]: given('alert_emails', (value) => orNull(listAt(value))),
});

/** Where a setting sends what it collects: every diagnosis to the workspace, the audit and what befalls backups to that of the audit. */
const destination: Wanted = ({ view, found, id }) => {
  const ofAudit = id.includes('/databases/master/') || id.includes('stbackup');
  const wanted = ofAudit
    ? nameGiven(view, 'auditWorkspace', 'log-audit')
    : nameGiven(view, 'workspace', 'log');
  return role(nameOf(found)) === wanted ? found : wanted;
};

/** What a source sends. */
interface Sent {
  /** A part of its id. */
  readonly of: string;
  readonly logs: readonly string[];
  readonly metrics: readonly string[];
}
const changesOfStorage = ['StorageWrite', 'StorageDelete'];

/** What each source sends, and no more: each line is billed. Each request reads a row, and lines of an app are in Application Insights already. */
const sent: readonly Sent[] = [
  { of: '/databases/master/', logs: ['SQLSecurityAuditEvents'], metrics: [] },
  {
    of: '/databases/',
    logs: [
      'Errors',
      'Timeouts',
      'Blocks',
      'Deadlocks',
      'QueryStoreRuntimeStatistics',
      'QueryStoreWaitStatistics',
    ],
    metrics: ['Basic'],
  },
  { of: '/stbackup/blobServices/', logs: changesOfStorage, metrics: [] },
  { of: '/storageAccounts/', logs: changesOfStorage, metrics: ['Transaction'] },
  { of: '/Microsoft.ApiManagement/', logs: ['GatewayLogs'], metrics: ['AllMetrics'] },
  {
    of: '/managedEnvironments/',
    logs: ['ContainerAppConsoleLogs', 'ContainerAppSystemLogs'],
    metrics: [],
  },
  { of: '/Microsoft.Web/sites/', logs: [], metrics: ['AllMetrics'] },
];

/** The categories of a source are those that it must send, all of them on. */
const categories =
  (kind: 'logs' | 'metrics'): Wanted =>
  ({ found, id }) => {
    const due = sent.find(({ of }) => role(id).includes(of))?.[kind] ?? [];
    const given = listAt(found) as readonly { category?: string; enabled?: boolean }[];
    const isOn = (name: string) =>
      given.some(({ category, enabled }) => category === name && enabled === true);
    return given.length === due.length && due.every(isOn) ? found : [...due];
  };

/** By type and path, as in resources.ts. */
export const givenValues: Readonly<Record<string, Readonly<Record<string, Wanted>>>> = {
  'Microsoft.Storage/storageAccounts': { 'sku.name': redundancy },
  'Microsoft.Storage/storageAccounts/managementPolicies': { 'properties.policy.rules': removals },
  'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies': {
    'properties.immutabilityPeriodSinceCreationInDays': backupDays,
    'properties.allowProtectedAppendWrites': false,
  },
  'Microsoft.Sql/servers/databases': {
    'sku.name': given('database_sku', nameOfSize),
    'sku.capacity': given('database_sku', capacityOfSize),
    'properties.maxSizeBytes': given('database_max_size_gb', (size) => Number(size) * 2 ** 30),
    'properties.collation': given('database_collation'),
    'properties.zoneRedundant': given('zone_redundant'),
    'properties.autoPauseDelay': given('database_auto_pause_minutes', (value, here) =>
      isServerless(here) ? value : null,
    ),
    // The least that one core may sleep to: more is billed while the database is awake.
    'properties.minCapacity': (here) => (isServerless(here) ? 0.5 : null),
    'properties.requestedBackupStorageRedundancy': given('database_backup_redundancy', (value, here) =>
      isZonal(here) ? (zonalBackups[textOf(value)] ?? value) : value,
    ),
  },
  'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies': {
    'properties.retentionDays': given('backup_retention_days'),
  },
  'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies': {
    'properties.weeklyRetention': given('backup_weekly_retention'),
    'properties.monthlyRetention': given('backup_monthly_retention'),
    'properties.yearlyRetention': given('backup_yearly_retention'),
    // Azure refuses a policy without it.
    'properties.weekOfYear': 1,
  },
  'Microsoft.Web/serverfarms': {
    'sku.name': 'FC1',
    'properties.zoneRedundant': given('zone_redundant'),
  },
  'Microsoft.Web/sites': {
    [`${scale}.instanceMemoryMB`]: given('instance_memory_mb'),
    [`${scale}.maximumInstanceCount`]: given('maximum_instance_count'),
    [`${scale}.alwaysReady`]: given('always_ready_instances', (value) =>
      Number(value) > 0 ? [{ instanceCount: value, name: 'http' }] : null,
    ),
    'properties.functionAppConfig.runtime.name': 'node',
    'properties.functionAppConfig.runtime.version': given('node_version'),
    'properties.functionAppConfig.siteUpdateStrategy.type': given('update_strategy'),
    'properties.functionAppConfig.deployment.storage.value': packages,
    'properties.clientAffinityEnabled': false,
    'properties.siteConfig.http20Enabled': true,
    'properties.siteConfig.scmIpSecurityRestrictionsDefaultAction': given('deployment_addresses', (value) =>
      listAt(value).length > 0 ? 'Deny' : 'Allow',
    ),
    'properties.siteConfig.scmIpSecurityRestrictions': given('deployment_addresses', (value, { found }) => {
      const allowed = listAt(found).map(
        (rule) => rule as { ipAddress?: string; action?: string; priority?: number; tag?: string },
      );
      const isSame = allowed.map(({ ipAddress }) => ipAddress).join() === listAt(value).join();
      const isInOrder = new Set(allowed.map(({ priority }) => priority)).size === allowed.length;
      const isRight = allowed.every(
        ({ action, ipAddress, tag }) =>
          action === 'Allow' && tag === (ipAddress?.includes('/') ? 'Default' : 'ServiceTag'),
      );
      return isSame && isInOrder && isRight ? found : value;
    }),
  },
  'Microsoft.OperationalInsights/workspaces': {
    'properties.retentionInDays': given('log_retention_days'),
    // What only the audit tells must not depend on how much is called.
    'properties.workspaceCapping.dailyQuotaGb': given('daily_log_quota_gb', (value, here) =>
      isAudit(here) ? -1 : value,
    ),
  },
  'Microsoft.Network/virtualNetworks': {
    'properties.addressSpace.addressPrefixes': given('network_address_prefix', (value) => [value]),
  },
  'Microsoft.Network/networkSecurityGroups': { 'properties.securityRules': closedToTheInternet },
  'Microsoft.Network/virtualNetworks/subnets': {
    'properties.networkSecurityGroup.id': hasSecurityGroup,
    'properties.delegations.0.properties.serviceName': ({ name }) => delegations[name] ?? null,
    'properties.defaultOutboundAccess': ({ name }) => name !== 'snet-endpoints',
    // Without it the rules of the security group do not hold for private endpoints.
    'properties.privateEndpointNetworkPolicies': ({ name, found }) =>
      name === 'snet-endpoints' ? 'Enabled' : found,
  },
  'Microsoft.Network/privateEndpoints': {
    'properties.subnet.id': ({ found }) => (nameOf(found) === 'snet-endpoints' ? found : 'snet-endpoints'),
  },
  'Microsoft.Insights/diagnosticSettings': {
    'properties.workspaceId': destination,
    'properties.logs': categories('logs'),
    'properties.metrics': categories('metrics'),
  },
  'Microsoft.Insights/webtests': {
    'properties.Frequency': given('availability_test_minutes', (minutes) => Number(minutes) * 60),
  },
  'Microsoft.Consumption/budgets': {
    'properties.amount': given('monthly_budget'),
    'properties.category': 'Cost',
    'properties.timeGrain': 'Monthly',
    'properties.timePeriod.startDate': '2026-01-01',
    ...notification(80, 'Actual')('spent80'),
    ...notification(100, 'Actual')('spent100'),
    ...notification(100, 'Forecasted')('foreseen100'),
  },
  'Microsoft.ApiManagement/service': {
    'sku.name': given('gateway_sku'),
    'sku.capacity': given('gateway_units'),
    'properties.publisherName': given('gateway_publisher_name'),
    'properties.publisherEmail': given('gateway_publisher_email', (value, { view }) =>
      value === '' ? (listAt(view.value('alert_emails'))[0] ?? '') : value,
    ),
  },
  'Microsoft.Web/sites/certificates': {
    'properties.keyVaultId': ofDomain('keyVaultId'),
    'properties.keyVaultSecretName': ofDomain('certificateName'),
    'properties.canonicalName': given('custom_domain', (value) => {
      const { name, keyVaultId } = value as { name?: string; keyVaultId?: string };
      return keyVaultId === undefined ? (name ?? null) : null;
    }),
  },
  'Microsoft.App/managedEnvironments': {
    'properties.vnetConfiguration.internal': true,
    'properties.zoneRedundant': given('zone_redundant'),
  },
  'Microsoft.App/jobs': {
    'properties.configuration.triggerType': 'Event',
    // One runner does one job, and one that waits for another would never end.
    'properties.configuration.eventTriggerConfig.parallelism': 1,
    'properties.configuration.eventTriggerConfig.replicaCompletionCount': 1,
    'properties.configuration.eventTriggerConfig.scale.pollingInterval': ({ found }) =>
      Number(found) <= 60 ? found : '60 seconds at most',
    [`${runner}.owner`]: repository(0),
    [`${runner}.repos`]: repository(1),
    [`${runner}.runnerScope`]: 'repo',
    [`${runner}.labels`]: labelOf,
    [`${runner}.noDefaultLabels`]: 'true',
    'properties.configuration.identitySettings.0.lifecycle': 'None',
    // Nothing runs, and costs, while no job is queued; a backup may take two hours, and one that was ended is not begun anew.
    'properties.configuration.eventTriggerConfig.scale.minExecutions': 0,
    'properties.configuration.eventTriggerConfig.scale.maxExecutions': ({ found }) =>
      Number(found) >= 1 ? found : '1 at least',
    'properties.template.containers.0.env': environmentOfRunner,
    'properties.configuration.replicaRetryLimit': 0,
    'properties.configuration.replicaTimeout': ({ found }) =>
      Number(found) >= 7200 ? found : '7200 at least',
  },
};
