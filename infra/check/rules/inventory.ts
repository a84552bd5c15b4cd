import roles from '../../facts/roles.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { sets } from '../plan/sets.ts';
import { expectedApps } from './expected-apps.ts';
import {
  bodyAt,
  hasBackup,
  hasCalendarApp,
  hasExistingServer,
  hasRunner,
  isClosed,
  isInside,
  isPrivate,
  listAt,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

/** Lines of text: the due ones, and those found in a plan. */
type Inventory = (view: View) => readonly [due: readonly string[], found: readonly string[]];
/** Lines with the condition under which each must be there. */
type Lines = readonly (readonly [line: string, when: boolean])[];

const dueOf = (lines: Lines) => lines.flatMap(([line, when]) => (when ? [line] : []));
const owner = ({ id }: PlannedResource, type: string) => role(id.split(`/providers/${type}/`)[0] ?? '');
const is = (view: View, parameter: string) => view.value(parameter) === true;
const hasGateway = ({ value }: View) => value('gateway_sku') !== 'None';
const hasPipeline = ({ value }: View) => value('github_repository') !== '';

const apps: Inventory = (view) => [
  expectedApps(view).map(({ name }) => name),
  ofType(view, 'Microsoft.Web/sites').map(({ id }) => role(nameOf(id))),
];

const zones: Readonly<Record<string, string>> = {
  blob: 'privatelink.blob.core.windows.net',
  table: 'privatelink.table.core.windows.net',
  sqlServer: 'privatelink.database.windows.net',
  sites: 'privatelink.azurewebsites.net',
};
function zoneFor({ value }: View, part: string): string {
  const given = (value('existing_private_dns_zone_ids') ?? {}) as Record<string, Data>;
  const zone = given[part === 'sqlServer' ? 'sql' : part];
  return zone === undefined ? (zones[part] ?? '') : nameOf(zone);
}

/** Endpoints as `resource / part / zone`. */
const endpoints: Inventory = (view) => {
  const open = isPrivate(view);
  const due = dueOf([
    ['storageAccounts/sthost / blob', open],
    ['storageAccounts/stdata / table', open],
    ['storageAccounts/stdata / blob', open],
    ['servers/sql / sqlServer', open],
    ['storageAccounts/stcal / blob', open && hasCalendarApp(view)],
    ['storageAccounts/stbackup / table', open && is(view, 'calendar_backup')],
    ['storageAccounts/stbackup / blob', open && is(view, 'calendar_backup')],
    ['sites/func / sites', isClosed(view)],
    ['sites/func-g / sites', isClosed(view) && is(view, 'green_app')],
  ]).map((line) => `${line} / ${zoneFor(view, line.split(' / ')[1] ?? '')}`);
  const groups = ofType(view, 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups');
  const found = ofType(view, 'Microsoft.Network/privateEndpoints').map((item) => {
    const connection = 'properties.privateLinkServiceConnections.0.properties';
    const group = groups.find(({ id }) => id.startsWith(`${item.id}/`));
    const zone = bodyAt(group, 'properties.privateDnsZoneConfigs.0.properties.privateDnsZoneId');
    const resource = role(bodyAt(item, `${connection}.privateLinkServiceId`))
      .split('/')
      .slice(-2)
      .join('/');
    return `${resource} / ${listAt(bodyAt(item, `${connection}.groupIds`)).join()} / ${nameOf(zone)}`;
  });
  return [due, found];
};

const containerApps = 'Microsoft.App/environments';
const subnets: Inventory = (view) => [
  dueOf([
    [`snet-app: ${containerApps}`, isPrivate(view)],
    ['snet-endpoints: null', isPrivate(view)],
    [`snet-runner: ${containerApps}`, hasRunner(view)],
    ['snet-gateway: Microsoft.Web/serverFarms', isInside(view)],
  ]),
  ofType(view, 'Microsoft.Network/virtualNetworks/subnets').map(
    (item) =>
      `${nameOf(item.id)}: ${textOf(bodyAt(item, 'properties.delegations.0.properties.serviceName'))}`,
  ),
];

/** Zones with the networks that they are linked to. */
const links: Inventory = (view) => [
  ofType(view, 'Microsoft.Network/privateDnsZones').map(({ id }) => nameOf(id)),
  ofType(view, 'Microsoft.Network/privateDnsZones/virtualNetworkLinks').map(
    ({ id }) => id.split('/').at(-3) ?? '',
  ),
];

const counts: Inventory = (view) => {
  const databases = hasExistingServer(view) ? 0 : 2;
  const long = view.value('backup_weekly_retention') === 'PT0S' ? 0 : databases;
  const due: Readonly<Record<string, number>> = {
    'Microsoft.Network/virtualNetworks': isPrivate(view) ? 1 : 0,
    'Microsoft.ApiManagement/service': hasGateway(view) ? 1 : 0,
    'Microsoft.App/jobs': hasRunner(view) ? 1 : 0,
    'Microsoft.App/managedEnvironments': hasRunner(view) ? 1 : 0,
    'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies': databases,
    'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies': long,
  };
  return [
    Object.entries(due).map(([type, count]) => `${count} of ${type}`),
    Object.keys(due).map((type) => `${ofType(view, type).length} of ${type}`),
  ];
};

const firewall: Inventory = (view) => [
  isPrivate(view) || hasExistingServer(view) ? [] : ['0.0.0.0 to 0.0.0.0'],
  ofType(view, 'Microsoft.Sql/servers/firewallRules').map((rule) =>
    ['start', 'end'].map((end) => textOf(bodyAt(rule, `properties.${end}IpAddress`))).join(' to '),
  ),
];

const backends: Inventory = (view) => [
  dueOf([
    ['blue: https://<func:hostName>', hasGateway(view)],
    ['green: https://<func-g:hostName>', hasGateway(view) && is(view, 'green_app')],
    ['calendar: https://<func-c:hostName>', hasGateway(view) && hasCalendarApp(view)],
  ]),
  ofType(view, 'Microsoft.ApiManagement/service/backends').map(
    (item) => `${nameOf(item.id)}: ${role(bodyAt(item, 'properties.url'))}`,
  ),
];

const ofStorage = 'StorageDelete StorageWrite Transaction';
const ofDatabase =
  'Blocks Deadlocks Errors QueryStoreRuntimeStatistics QueryStoreWaitStatistics Timeouts Basic';
const diagnostics: Inventory = (view) => {
  const [calendar, server] = [hasCalendarApp(view), !hasExistingServer(view)];
  const categories = (item: PlannedResource, kind: string) =>
    listAt(bodyAt(item, `properties.${kind}`)).map((entry) => (entry as Record<string, Data>)['category']);
  return [
    dueOf([
      [`sthost/blobServices/default: ${ofStorage}`, true],
      [`stcal/blobServices/default: ${ofStorage}`, calendar],
      [`stdata/tableServices/default: ${ofStorage}`, true],
      [`stdata/blobServices/default: ${ofStorage}`, true],
      [`stbackup/tableServices/default: ${ofStorage}`, is(view, 'calendar_backup')],
      ['databases/master: SQLSecurityAuditEvents', server],
      [`databases/records: ${ofDatabase}`, server],
      [`databases/customization: ${ofDatabase}`, server],
      ['sites/func: AllMetrics', true],
      ['sites/func-g: AllMetrics', is(view, 'green_app')],
      ['sites/func-c: AllMetrics', calendar],
      ['managedEnvironments/cae: ContainerAppConsoleLogs ContainerAppSystemLogs', hasRunner(view)],
      ['service/apim: GatewayLogs AllMetrics', hasGateway(view)],
    ]),
    ofType(view, 'Microsoft.Insights/diagnosticSettings').map((item) => {
      const parts = owner(item, 'Microsoft.Insights/diagnosticSettings').split('/');
      const scope = parts.slice(parts.at(-1) === 'default' ? -3 : -2).join('/');
      return `${scope}: ${[...categories(item, 'logs'), ...categories(item, 'metrics')].join(' ')}`;
    }),
  ];
};

const locks: Inventory = (view) => [
  dueOf([
    ['stdata', true],
    ['stbackup', is(view, 'calendar_backup')],
    [textOf(view.value('main_database_name')), true],
    [textOf(view.value('customization_database_name')), true],
  ]).flatMap((name) => (is(view, 'delete_locks') ? [`CanNotDelete on ${name}`] : [])),
  ofType(view, 'Microsoft.Authorization/locks').map(
    (item) =>
      `${textOf(bodyAt(item, 'properties.level'))} on ${nameOf(owner(item, 'Microsoft.Authorization/locks'))}`,
  ),
];

/** The addresses that availability tests call. */
const tests: Inventory = (view) => {
  const base = textOf(view.value('public_base_url'));
  const host = hasGateway(view) ? 'apim.azure-api.net' : '<func:hostName>';
  return [
    dueOf([
      [
        base === '' ? `https://${host}/api/health` : `${base}/health`,
        !isClosed(view) || base !== '' || hasGateway(view),
      ],
      ['https://<func-c:hostName>/api/health', hasCalendarApp(view)],
    ]),
    ofType(view, 'Microsoft.Insights/webtests').map((item) =>
      role(bodyAt(item, 'properties.Request.RequestUrl')),
    ),
  ];
};

const roleNames = new Map(Object.entries(roles.roles).map(([name, id]) => [id, name]));
/** Whether a workflow writes backups of the calendar. */
const backsUp = (view: View) => hasBackup(view) && hasPipeline(view);

/** Each identity has exactly the roles that it needs, on the smallest scope: the public calendar none on the records' app, nor it one on the calendar. */
const neededRoles = (view: View) => {
  const [calendar, pipeline, backup] = [hasCalendarApp(view), hasPipeline(view), backsUp(view)];
  return dueOf([
    ['<id:principalId>: Storage Blob Data Owner on storageAccounts/sthost', true],
    ['<id:principalId>: Monitoring Metrics Publisher on components/appi', true],
    [`<${calendar ? 'id-c' : 'id'}:principalId>: Storage Table Data Contributor on tables/calendar`, true],
    [`<${calendar ? 'id-c' : 'id'}:principalId>: Storage Blob Data Contributor on containers/pictures`, true],
    ['<id-c:principalId>: Storage Blob Data Owner on storageAccounts/stcal', calendar],
    ['<id-c:principalId>: Monitoring Metrics Publisher on components/appi', calendar],
    ['<id-pipeline:principalId>: Website Contributor on sites/func', pipeline],
    ['<id-pipeline:principalId>: Website Contributor on sites/func-c', pipeline && calendar],
    ['<id-pipeline:principalId>: Website Contributor on sites/func-g', pipeline && is(view, 'green_app')],
    ['<id-runner:principalId>: Key Vault Secrets User on secrets/github-app', hasRunner(view)],
    ['<id-backup:principalId>: Storage Table Data Contributor on storageAccounts/stbackup', backup],
    ['<id-backup:principalId>: Storage Table Data Reader on tables/calendar', backup],
    ['<id-backup:principalId>: Storage Blob Data Contributor on storageAccounts/stbackup', backup],
    ['<id-backup:principalId>: Storage Blob Data Reader on containers/pictures', backup],
    ['<apim:principalId>: Monitoring Metrics Publisher on components/appi', hasGateway(view)],
  ]);
};

function described(principal: Data = null, definition: Data = null, scope: Data = null): string {
  const place = role(scope).split('/').slice(-2).join('/');
  return `${role(principal)}: ${roleNames.get(nameOf(definition)) ?? nameOf(definition)} on ${place}`;
}

const assigned: Inventory = (view) => [
  is(view, 'create_role_assignments') ? neededRoles(view) : [],
  ofType(view, 'Microsoft.Authorization/roleAssignments').map((item) =>
    described(
      bodyAt(item, 'properties.principalId'),
      bodyAt(item, 'properties.roleDefinitionId'),
      item.id.split('/providers/Microsoft.Authorization/')[0],
    ),
  ),
];

/** What others may assign where we may not. */
const listed: Inventory = (view) => [
  neededRoles(view),
  listAt(view.plan.outputs['ROLE_ASSIGNMENTS'] ?? null).map((item) => {
    const { principalId, role: definition, scope } = item as Record<string, Data>;
    return described(principalId, definition, scope);
  }),
];

/** The identities outside of Azure that may act as an identity: workflows of the repository, in the GitHub environment of each. */
const trusted: Inventory = (view) => {
  const environment = sets[view.set]?.environment ?? '';
  const subject = `https://token.actions.githubusercontent.com repo:${textOf(view.value('github_repository'))}:environment:${environment}`;
  return [
    dueOf([
      [`id-pipeline: ${subject} api://AzureADTokenExchange`, hasPipeline(view)],
      [`id-backup: ${subject}-backup api://AzureADTokenExchange`, backsUp(view)],
    ]),
    ofType(view, 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials').map(
      (item) => {
        const values = ['issuer', 'subject', 'audiences'].map((name) =>
          [bodyAt(item, `properties.${name}`)].flat().join(),
        );
        return `${role(item.id.split('/').at(-3) ?? '')}: ${values.join(' ')}`;
      },
    ),
  ];
};

const inventories: Readonly<Record<string, Inventory>> = {
  ...{ apps, subnets, counts, backends, diagnostics, locks },
  'private endpoints': endpoints,
  'linked zones': links,
  'firewall rules': firewall,
  'availability tests': tests,
  'assigned roles': assigned,
  'roles to assign': listed,
  'trusted workflows': trusted,
};

/** There is exactly what the parameters ask for: apps, endpoints, diagnostics, locks, roles. */
export function inventory(project: Project): Finding[] {
  return overPlans(project, (view) =>
    Object.entries(inventories).flatMap(([what, of]) => {
      const [missing, surplus] = difference(...of(view));
      return [
        ...missing.map((line) => `${what}: "${line}" is missing`),
        ...surplus.map((line) => `${what}: "${line}" is there, and nobody needs it`),
      ];
    }),
  );
}
