import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import {
  bodyAt,
  hasCalendarApp,
  hasExistingServer,
  hasRunner,
  mustBe,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';
import { audited, onTables } from './watched-tables.ts';

const diagnostics: Readonly<Record<string, string>> = {
  'sthost/blobServices/default': 'StorageDelete StorageWrite Transaction',
  'stcal/blobServices/default': 'StorageDelete StorageWrite Transaction',
  'stdata/tableServices/default': 'StorageDelete StorageWrite Transaction',
  'stdata/blobServices/default': 'StorageDelete StorageWrite Transaction',
  'stbackup/tableServices/default': 'StorageDelete StorageWrite Transaction',
  'databases/master': 'SQLSecurityAuditEvents',
  'databases/records':
    'Blocks Deadlocks Errors QueryStoreRuntimeStatistics QueryStoreWaitStatistics Timeouts Basic',
  'databases/customization':
    'Blocks Deadlocks Errors QueryStoreRuntimeStatistics QueryStoreWaitStatistics Timeouts Basic',
  'sites/func': 'AllMetrics',
  'sites/func-g': 'AllMetrics',
  'sites/func-c': 'AllMetrics',
  'managedEnvironments/cae': 'ContainerAppConsoleLogs ContainerAppSystemLogs',
  'service/apim': 'GatewayLogs AllMetrics',
};

/** All diagnostics are collected in one workspace; alerts reach people; data is locked and retained. */
export function watching(project: Project): Finding[] {
  return overPlans(project, (view) => [
    ...collected(view),
    ...alerted(view),
    ...locked(view),
    ...retained(view),
    ...restricted(view),
    ...onTables(view),
    ...audited(view),
  ]);
}

function collected(view: View): string[] {
  const settings = ofType(view, 'Microsoft.Insights/diagnosticSettings');
  const workspace = ofType(view, 'Microsoft.OperationalInsights/workspaces')[0]?.id ?? null;
  const categories = (list: Data) =>
    (Array.isArray(list) ? list : []).map((item) =>
      textOf((item as Record<string, Data>)['category'] ?? null),
    );
  const found = settings.map((setting) => {
    const parts = role(setting.id.split('/providers/Microsoft.Insights/diagnosticSettings/')[0] ?? '').split(
      '/',
    );
    const scope = parts.slice(/blobServices|tableServices/.test(parts.join()) ? -3 : -2).join('/');
    return `${scope}: ${[...categories(bodyAt(setting, 'properties.logs')), ...categories(bodyAt(setting, 'properties.metrics'))].join(' ')}`;
  });
  const there = Object.entries(diagnostics).filter(
    ([scope]) =>
      (!scope.startsWith('databases/') || !hasExistingServer(view)) &&
      (scope !== 'sites/func-g' || view.value('green_app') === true) &&
      (!/stcal|func-c/.test(scope) || hasCalendarApp(view)) &&
      (!scope.startsWith('stbackup') || view.value('calendar_backup') === true) &&
      (scope !== 'managedEnvironments/cae' || hasRunner(view)) &&
      (scope !== 'service/apim' || view.value('gateway_sku') !== 'None'),
  );
  const [missing, surplus] = difference(
    there.map(([scope, list]) => `${scope}: ${list}`),
    found,
  );
  return [
    ...missing.map((item) => `diagnostics are not collected: ${item}`),
    ...surplus.map((surplu) => `diagnostics are collected that nobody reads: ${surplu}`),
    ...settings.flatMap((setting) =>
      mustBe(`the workspace of ${role(setting.id)}`, bodyAt(setting, 'properties.workspaceId'), workspace),
    ),
    ...ofType(view, 'Microsoft.Insights/components').flatMap((item) =>
      mustBe(
        'the workspace of Application Insights',
        bodyAt(item, 'properties.WorkspaceResourceId'),
        workspace,
      ),
    ),
  ];
}

const alertTypes = ['Microsoft.Insights/metricAlerts', 'Microsoft.Insights/scheduledQueryRules'];

function alerted(view: View): string[] {
  const [group] = ofType(view, 'Microsoft.Insights/actionGroups');
  const receivers = bodyAt(group, 'properties.emailReceivers');
  const emails = (Array.isArray(receivers) ? receivers : []).map((item) =>
    textOf((item as Record<string, Data>)['emailAddress'] ?? null),
  );
  const wanted = [...((view.value('alert_emails') as Data[]) ?? [])].map(textOf).sort();
  const alerts = alertTypes.flatMap((type) => ofType(view, type));
  const tests = ofType(view, 'Microsoft.Insights/webtests').map((item) =>
    role(bodyAt(item, 'properties.Request.RequestUrl')),
  );
  return [
    ...mustBe('who is told of alerts', emails, wanted),
    ...alerts.flatMap((alert) => [
      ...mustBe(`${role(nameOf(alert.id))} is on`, bodyAt(alert, 'properties.enabled'), true),
      ...mustBe(
        `whom ${role(nameOf(alert.id))} tells`,
        bodyAt(alert, 'properties.actions.0.actionGroupId') ??
          bodyAt(alert, 'properties.actions.actionGroups.0'),
        group?.id ?? null,
      ),
    ]),
    ...budgetsTell(view, wanted),
    ...unseen(view),
    ...mustBe('the addresses of the availability tests', tests.sort(), healthAddresses(view).sort()),
  ];
}

/** A budget without a recipient has no effect. */
const budgetsTell = (view: View, emails: readonly string[]) =>
  ofType(view, 'Microsoft.Consumption/budgets').flatMap((item) =>
    ['spent80', 'spent100', 'foreseen100'].flatMap((name) =>
      mustBe(
        `whom the budget tells (${name})`,
        [...((bodyAt(item, `properties.notifications.${name}.contactEmails`) as Data[]) ?? [])]
          .map(textOf)
          .sort(),
        [...emails],
      ),
    ),
  );

const durations: Readonly<Record<string, number>> = { M: 1, H: 60, D: 1440 };
/** Minutes of an ISO 8601 duration of one unit. */
function minutesOf(duration: Data): number {
  const [, count = '', unit = ''] = /^PT?(\d+)([MHD])$/.exec(textOf(duration)) ?? [];
  return Number(count) * (durations[unit] ?? Number.NaN);
}

/** Alerts look at each minute at least once, at windows that Azure knows, and availability does not need every place to fail. */
function unseen(view: View): string[] {
  return [
    ...ofType(view, 'Microsoft.Insights/scheduledQueryRules').flatMap((item) => {
      const [every, back] = ['evaluationFrequency', 'windowSize'].map((name) =>
        minutesOf(bodyAt(item, `properties.${name}`)),
      );
      return mustBe(
        `${role(nameOf(item.id))} looks often enough, and two days back at most`,
        Number(every) <= Math.min(60, Number(back)) && Number(back) <= 2880,
        true,
      );
    }),
    ...ofType(view, 'Microsoft.Insights/metricAlerts').flatMap((item) => {
      const failed = bodyAt(item, 'properties.criteria.failedLocationCount');
      return failed === null ? [] : mustBe(`places of ${role(nameOf(item.id))} that fail`, failed, 2);
    }),
  ];
}

function isReachable(view: View): boolean {
  const closed = view.value('private_networking') === true && view.value('app_public_access') === false;
  return !closed || view.value('public_base_url') !== '' || view.value('gateway_sku') !== 'None';
}

function healthAddresses(view: View): string[] {
  const calendar = hasCalendarApp(view) ? ['https://<func-c:hostName>/api/health'] : [];
  return isReachable(view) ? [healthAddress(view), ...calendar] : calendar;
}

function healthAddress({ value }: View): string {
  if (value('public_base_url') !== '') return `${textOf(value('public_base_url'))}/health`;
  return value('gateway_sku') === 'None'
    ? 'https://<func:hostName>/api/health'
    : 'https://apim.azure-api.net/api/health';
}

function locked(view: View): string[] {
  const found = ofType(view, 'Microsoft.Authorization/locks').map(
    (item) =>
      `${textOf(bodyAt(item, 'properties.level'))} on ${role(
        item.id.split('/providers/Microsoft.Authorization/')[0] ?? '',
      )
        .split('/')
        .at(-1)}`,
  );
  const names = [view.value('main_database_name'), view.value('customization_database_name')].map(textOf);
  const wanted =
    view.value('delete_locks') === true
      ? ['stdata', ...(view.value('calendar_backup') === true ? ['stbackup'] : []), ...names].map(
          (name) => `CanNotDelete on ${name}`,
        )
      : [];
  const [missing, surplus] = difference(wanted, found);
  return [
    ...missing.map((item) => `there is no lock: ${item}`),
    ...surplus.map((surplu) => `there is a lock too many: ${surplu}`),
  ];
}

/** A redundancy, in several zones where everything is. */
function zonal(view: View, value: Data, zones: Readonly<Record<string, string>>): string {
  return view.value('zone_redundant') === true ? (zones[textOf(value)] ?? textOf(value)) : textOf(value);
}

function retained(view: View): string[] {
  const policies = ofType(view, 'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies');
  return [
    ...mustBe('databases with backups', policies.length, hasExistingServer(view) ? 0 : 2),
    ...policies.flatMap((policy) =>
      mustBe(
        'days of backups',
        bodyAt(policy, 'properties.retentionDays'),
        view.value('backup_retention_days'),
      ),
    ),
    ...mustBe(
      'databases with long-term backups',
      ofType(view, 'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies').map((item) =>
        bodyAt(item, 'properties.weeklyRetention'),
      ),
      view.value('backup_weekly_retention') === 'PT0S' || hasExistingServer(view)
        ? []
        : [view.value('backup_weekly_retention'), view.value('backup_weekly_retention')],
    ),
    ...ofType(view, 'Microsoft.Sql/servers/databases').flatMap((item) =>
      mustBe(
        `where backups of ${nameOf(item.id)} are kept`,
        bodyAt(item, 'properties.requestedBackupStorageRedundancy'),
        zonal(view, view.value('database_backup_redundancy'), { Geo: 'GeoZone', Local: 'Zone' }),
      ),
    ),
    ...ofType(view, 'Microsoft.Storage/storageAccounts')
      .filter(({ id }) => ['stdata', 'stbackup'].includes(role(nameOf(id))))
      .flatMap((item) =>
        mustBe(
          `copies of ${role(nameOf(item.id))}`,
          bodyAt(item, 'sku.name'),
          `Standard_${zonal(view, view.value('calendar_redundancy'), { LRS: 'ZRS', GRS: 'GZRS' })}`,
        ),
      ),
    ...ofType(view, 'Microsoft.Sql/servers/databases').flatMap((item) =>
      mustBe(
        `the size of ${nameOf(item.id)}`,
        bodyAt(item, 'properties.maxSizeBytes'),
        Number(view.value('database_max_size_gb')) * 2 ** 30,
      ),
    ),
  ];
}

/** Rules for every plan, with any values: transport, sign-in, keys. */
const always: readonly [type: string, path: string, value: Data][] = [
  ['Microsoft.Storage/storageAccounts', 'properties.allowSharedKeyAccess', false],
  ['Microsoft.Storage/storageAccounts', 'properties.allowBlobPublicAccess', false],
  ['Microsoft.Storage/storageAccounts', 'properties.minimumTlsVersion', 'TLS1_2'],
  ['Microsoft.Storage/storageAccounts', 'properties.supportsHttpsTrafficOnly', true],
  ['Microsoft.Storage/storageAccounts/blobServices/containers', 'properties.publicAccess', 'None'],
  ['Microsoft.Sql/servers', 'properties.minimalTlsVersion', '1.2'],
  ['Microsoft.Sql/servers', 'properties.administrators.azureADOnlyAuthentication', true],
  ['Microsoft.Sql/servers', 'properties.administrators.login', 'database-admins'],
  ['Microsoft.Sql/servers', 'properties.administrators.sid', '44444444-4444-4444-4444-444444444444'],
  ['Microsoft.Sql/servers/auditingSettings', 'properties.state', 'Enabled'],
  ['Microsoft.Sql/servers/auditingSettings', 'properties.isAzureMonitorTargetEnabled', true],
  ['Microsoft.Insights/components', 'properties.DisableLocalAuth', true],
  ['Microsoft.OperationalInsights/workspaces', 'properties.features.disableLocalAuth', true],
  ['Microsoft.Web/sites/basicPublishingCredentialsPolicies', 'properties.allow', false],
  ['Microsoft.Web/serverfarms', 'sku.name', 'FC1'],
  ['Microsoft.Web/sites', 'properties.clientAffinityEnabled', false],
  ['Microsoft.Sql/servers', 'properties.administrators.tenantId', tenantId],
  ['Microsoft.Insights/webtests', 'properties.Enabled', true],
  ['Microsoft.Insights/webtests', 'properties.ValidationRules.SSLCheck', true],
  ['Microsoft.ApiManagement/service/apis/diagnostics', 'properties.alwaysLog', 'allErrors'],
  ['Microsoft.ApiManagement/service/apis/diagnostics', 'properties.logClientIp', false],
  ['Microsoft.ApiManagement/service/apis', 'properties.subscriptionRequired', false],
  ['Microsoft.ApiManagement/service/apis', 'properties.protocols.0', 'https'],
];

function restricted(view: View): string[] {
  return always.flatMap(([type, path, value]) =>
    ofType(view, type).flatMap((item) =>
      mustBe(`${path} of ${role(nameOf(item.id))}`, bodyAt(item, path), value),
    ),
  );
}
