import { isWithin } from '../../deploy/stacks/drift.ts';
import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { expectedApps } from './expected-apps.ts';
import { givenValues } from './given-values.ts';
import { instances, queries, type Wanted } from './resource-values.ts';
import {
  bodyAt,
  domainOf,
  isClosed,
  isInside,
  isPrivate,
  listAt,
  mustBe,
  nameGiven,
  nameOf,
  overPlans,
  role,
} from './views.ts';

const absent = (base: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${base}.${name}`, null]));

const open: Wanted = ({ view }) => (isPrivate(view) ? 'Disabled' : 'Enabled');
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
/** Where data is: pictures for two weeks, backups for as long as they are kept. Packages in a host's account are made again. */
const softDelete: Wanted = ({ account, found }) => {
  const days = { stdata: 14, stbackup: 35 }[account as 'stdata'];
  const policy = found as { enabled?: boolean; days?: number } | null;
  if (days === undefined) return found;
  return policy?.enabled === true && Number(policy.days) >= days ? found : `on, for ${days} days at least`;
};
const shortName = (id: Data): Data => role(nameOf(id));
/** The id of a resource that people may have named. */
const named =
  (kind: string, prefix: string): Wanted =>
  ({ view, found }) => {
    const wanted = nameGiven(view, kind, prefix);
    return shortName(found) === wanted ? found : wanted;
  };
const ownName: Wanted = ({ name }) => name;
/** Apps and gateway send from outside of any network that the workspace knows, and operators ask from there. */
const publicLogs = absent('properties', ['publicNetworkAccessForIngestion', 'publicNetworkAccessForQuery']);
const site = 'properties.functionAppConfig';
const scale = `${site}.scaleAndConcurrency`;

/** By type and path: what every resource must be. */
const facts: Readonly<Record<string, Readonly<Record<string, Wanted>>>> = {
  'Microsoft.Storage/storageAccounts': {
    // The other kinds have no tables.
    kind: 'StorageV2',
    'properties.allowSharedKeyAccess': false,
    'properties.allowBlobPublicAccess': false,
    'properties.allowCrossTenantReplication': false,
    'properties.defaultToOAuthAuthentication': true,
    'properties.isLocalUserEnabled': false,
    'properties.minimumTlsVersion': 'TLS1_2',
    'properties.supportsHttpsTrafficOnly': true,
    'properties.publicNetworkAccess': open,
  },
  // By it the steps find a group of which no deployment has succeeded.
  'Microsoft.Resources/resourceGroups': {
    'tags.azd-env-name': ({ view }) => view.environment,
  },
  'Microsoft.Storage/storageAccounts/blobServices': {
    'properties.deleteRetentionPolicy': softDelete,
    'properties.containerDeleteRetentionPolicy': softDelete,
  },
  'Microsoft.Storage/storageAccounts/blobServices/containers': { 'properties.publicAccess': 'None' },
  'Microsoft.Sql/servers': {
    'properties.administrators.azureADOnlyAuthentication': true,
    'properties.administrators.login': 'database-admins',
    'properties.administrators.sid': '44444444-4444-4444-4444-444444444444',
    'properties.administrators.tenantId': tenantId,
    'properties.administrators.administratorType': 'ActiveDirectory',
    'properties.administrators.principalType': 'Group',
    'properties.version': '12.0',
    'properties.minimalTlsVersion': '1.2',
    'properties.publicNetworkAccess': open,
  },
  // The platform writes the names of endpoints; machines of the network have no names in these zones.
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks': { 'properties.registrationEnabled': false },
  // Linux.
  'Microsoft.Web/serverfarms': { kind: 'functionapp', 'properties.reserved': true },
  'Microsoft.Sql/servers/auditingSettings': {
    'properties.state': 'Enabled',
    'properties.isAzureMonitorTargetEnabled': true,
    // Without a list of groups every statement is logged, with the values in it.
    'properties.auditActionsAndGroups': ({ found }) => {
      const groups = listAt(found).map(textOf);
      const isWhole = [
        'FAILED_DATABASE_AUTH',
        'SUCCESSFUL_DATABASE_AUTH',
        'PERMISSION_CHANGE',
        'PRINCIPAL_CHANGE',
        'ROLE_MEMBER_CHANGE',
        'OBJECT_CHANGE',
      ].every((part) => groups.some((group) => group.includes(part)));
      return isWhole && groups.every((group) => /AUTHENTICATION|CHANGE/.test(group))
        ? found
        : 'sign-ins and changes of rights and objects, no statements';
    },
  },
  'Microsoft.Web/sites': {
    kind: 'functionapp,linux',
    'identity.type': 'UserAssigned',
    'identity.userAssignedIdentities': ofApp(
      ({ identity }) => [identity],
      (ids) => listAt(ids).map(shortName),
    ),
    'properties.httpsOnly': true,
    'properties.siteScopedCertificatesEnabled': true,
    'properties.publicNetworkAccess': ({ view, name }) =>
      isClosed(view) && name !== 'func-c' ? 'Disabled' : 'Enabled',
    'properties.virtualNetworkSubnetId': ({ view, found }) =>
      nameOf(found) === (isPrivate(view) ? 'snet-app' : 'null') ? found : 'snet-app',
    'properties.siteConfig.minTlsVersion': '1.2',
    'properties.siteConfig.scmMinTlsVersion': '1.2',
    'properties.siteConfig.cors.supportCredentials': false,
    'properties.siteConfig.cors.allowedOrigins': ofApp(({ origins }) => origins),
    [`${site}.deployment.storage.type`]: 'blobContainer',
    [`${site}.deployment.storage.authentication.type`]: 'UserAssignedIdentity',
    [`${site}.deployment.storage.authentication.userAssignedIdentityResourceId`]: ofApp(
      ({ identity }) => identity,
      shortName,
    ),
    [`${scale}.triggers.http.perInstanceConcurrency`]: instances,
    ...absent('properties', flex.forbiddenSiteProperties),
    ...absent('properties.siteConfig', flex.forbiddenSiteConfigProperties),
  },
  'Microsoft.Web/sites/hostNameBindings': {
    'properties.sslState': 'SniEnabled',
    'properties.thumbprint': ({ view }) => `<${domainOf(view).replaceAll('.', '-')}:thumbprint>`,
  },
  'Microsoft.Web/sites/basicPublishingCredentialsPolicies': { 'properties.allow': false },
  'Microsoft.OperationalInsights/workspaces': {
    'properties.sku.name': 'PerGB2018',
    'properties.features.disableLocalAuth': true,
    // Who may read a resource may read its logs, and no others.
    'properties.features.enableLogAccessUsingOnlyResourcePermissions': true,
    ...publicLogs,
  },
  'Microsoft.Insights/components': {
    'properties.Application_Type': 'web',
    'properties.DisableLocalAuth': true,
    'properties.WorkspaceResourceId': named('workspace', 'log'),
    // The alerts count lines, each of which says for how many it stands; what ingestion drops says nothing.
    'properties.SamplingPercentage': null,
    ...publicLogs,
  },
  'Microsoft.Insights/webtests': {
    kind: 'standard',
    'properties.Enabled': true,
    'properties.Kind': 'standard',
    'properties.Name': ownName,
    'properties.SyntheticMonitorId': ownName,
    // One answer that got lost on its way is no outage.
    'properties.RetryEnabled': true,
    'properties.Request.HttpVerb': 'GET',
    'properties.Request.ParseDependentRequests': false,
    'properties.Request.FollowRedirects': false,
    'properties.ValidationRules.ExpectedHttpStatusCode': 200,
    'properties.ValidationRules.SSLCheck': true,
  },
  'Microsoft.Insights/workbooks': {
    'properties.displayName': ({ found }) => (textOf(found) === '' ? 'a name' : found),
    'properties.category': 'workbook',
    'properties.sourceId': named('applicationInsights', 'appi'),
    'properties.serializedData': ({ found }) => (textOf(found).includes('KqlItem') ? found : 'its queries'),
  },
  'Microsoft.Insights/actionGroups': {
    'properties.enabled': true,
    // Azure takes twelve characters.
    'properties.groupShortName': ({ view }) => view.environment,
  },
  'Microsoft.Insights/metricAlerts': { 'properties.enabled': true, 'properties.autoMitigate': true },
  'Microsoft.Insights/scheduledQueryRules': {
    'properties.enabled': true,
    'properties.autoMitigate': true,
    // For each row of its query.
    'properties.criteria.allOf.0.timeAggregation': 'Count',
    'properties.criteria.allOf.0.operator': 'GreaterThan',
    'properties.criteria.allOf.0.threshold': 0,
    ...queries,
  },
  'Microsoft.ApiManagement/service': {
    'properties.virtualNetworkType': ({ view }) => (isInside(view) ? 'External' : 'None'),
    'properties.virtualNetworkConfiguration.subnetResourceId': ({ view, found }) =>
      nameOf(found) === (isInside(view) ? 'snet-gateway' : 'null') ? found : 'snet-gateway',
  },
  'Microsoft.ApiManagement/service/apis': {
    'properties.subscriptionRequired': false,
    'properties.protocols': ['https'],
    // The app has addresses outside of its base path, too.
    'properties.path': '',
    'properties.format': 'openapi+json',
  },
  // With the characters of XML as they are.
  'Microsoft.ApiManagement/service/apis/policies': { 'properties.format': 'rawxml' },
  'Microsoft.ApiManagement/service/apis/diagnostics': {
    'properties.loggerId': ({ found }) => (nameOf(found) === 'application-insights' ? found : 'the logger'),
    'properties.alwaysLog': 'allErrors',
    'properties.httpCorrelationProtocol': 'W3C',
    'properties.logClientIp': false,
    'properties.verbosity': 'error',
    'properties.sampling.samplingType': 'fixed',
    // Of the other calls a part: each is billed, and anybody makes them.
    'properties.sampling.percentage': ({ found }) => (Number(found) <= 20 ? found : 20),
  },
  'Microsoft.ApiManagement/service/loggers': {
    'properties.loggerType': 'applicationInsights',
    'properties.resourceId': named('applicationInsights', 'appi'),
    'properties.credentials.connectionString': ({ found }) =>
      /^<.*:connectionString>$/.test(textOf(found)) ? found : 'that of Application Insights',
    // Without it the gateway would send with a key, which Application Insights refuses.
    'properties.credentials.identityClientId': 'SystemAssigned',
  },
  'Microsoft.ApiManagement/service/backends': {
    'properties.protocol': 'http',
    'properties.url': ({ name, found }) => {
      const app = { blue: 'func', green: 'func-g', calendar: 'func-c' }[name as 'blue'];
      const wanted = `https://<${app}:hostName>`;
      return role(found) === wanted ? found : wanted;
    },
    'properties.tls.validateCertificateChain': true,
    'properties.tls.validateCertificateName': true,
  },
  'Microsoft.Authorization/roleAssignments': {
    'properties.principalType': 'ServicePrincipal',
    'properties.description': ({ found }) => (textOf(found).length > 10 ? found : 'a reason'),
  },
};

const ofAlerts = [
  'properties.description',
  'properties.severity',
  'properties.scopes',
  'properties.evaluationFrequency',
  'properties.windowSize',
];

/** By type, the properties that have a rule elsewhere (alerts, inventory, network, settings, gateway), or only make a resource what it is. */
const namedElsewhere: Readonly<Record<string, readonly string[]>> = {
  'Microsoft.ApiManagement/service/apis': ['properties.displayName', 'properties.value'],
  'Microsoft.ApiManagement/service/apis/policies': ['properties.value'],
  'Microsoft.App/jobs': [
    'properties.configuration.eventTriggerConfig.scale.rules.0',
    'properties.configuration.identitySettings.0.identity',
    'properties.configuration.secrets',
    'properties.environmentId',
    'properties.template.containers.0',
    'properties.workloadProfileName',
  ],
  'Microsoft.App/managedEnvironments': [
    'properties.appLogsConfiguration.destination',
    'properties.vnetConfiguration.infrastructureSubnetId',
    'properties.workloadProfiles.0',
  ],
  'Microsoft.Authorization/locks': ['properties.level', 'properties.notes'],
  'Microsoft.Authorization/roleAssignments': ['properties.principalId', 'properties.roleDefinitionId'],
  'Microsoft.Insights/actionGroups': ['properties.emailReceivers'],
  'Microsoft.Insights/metricAlerts': [
    ...ofAlerts,
    'properties.actions',
    'properties.criteria.odata.type',
    'properties.criteria.allOf.0.criterionType',
    'properties.criteria.allOf.0.name',
    'properties.criteria.allOf.0.metricNamespace',
    'properties.criteria.allOf.0.metricName',
    'properties.criteria.allOf.0.timeAggregation',
    'properties.criteria.allOf.0.operator',
    'properties.criteria.allOf.0.threshold',
    'properties.criteria.allOf.0.skipMetricValidation',
    'properties.criteria.componentId',
    'properties.criteria.webTestId',
    'properties.criteria.failedLocationCount',
  ],
  'Microsoft.Insights/scheduledQueryRules': [
    ...ofAlerts,
    'properties.displayName',
    'properties.actions.actionGroups',
  ],
  'Microsoft.Insights/webtests': [
    'properties.Locations',
    'properties.Request.RequestUrl',
    'properties.Timeout',
    'properties.ValidationRules.SSLCertRemainingLifetimeCheck',
  ],
  'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials': [
    'properties.audiences',
    'properties.issuer',
    'properties.subject',
  ],
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks': ['properties.virtualNetwork.id'],
  'Microsoft.Network/privateEndpoints': ['properties.privateLinkServiceConnections'],
  'Microsoft.Network/privateEndpoints/privateDnsZoneGroups': ['properties.privateDnsZoneConfigs'],
  'Microsoft.Network/virtualNetworks/subnets': ['properties.addressPrefix', 'properties.delegations.0.name'],
  'Microsoft.Sql/servers/firewallRules': ['properties.endIpAddress', 'properties.startIpAddress'],
  'Microsoft.Web/sites': ['properties.serverFarmId', 'properties.siteConfig.appSettings'],
  'Microsoft.Web/sites/hostNameBindings': [
    'properties.customHostNameDnsRecordType',
    'properties.hostNameType',
  ],
};

/** What a resource has that no rule names: nobody would see that an alert is quiet for a day, or that a log has tokens. */
function unnamed({ id, type, body }: PlannedResource): string[] {
  const named = [...wantedOf(type).map(([path]) => path), ...(namedElsewhere[type] ?? [])];
  return [...paths(body['properties'] ?? {}, 'properties')]
    .filter((path) => !named.some((outer) => isWithin(path, outer)))
    .map((path) => `${path} of ${role(nameOf(id))} is set, which the check does not know`);
}

/** The path of each value that is neither object nor list. */
function* paths(value: Data, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) yield path;
  else for (const [name, inner] of Object.entries(value)) yield* paths(inner, `${path}.${name}`);
}

/** Every resource of a type is what the table says: keys are off, sign-in is by Entra only, transport is TLS, what is private is private, alerts are on. It has nothing that no rule names. */
export function resources(project: Project): Finding[] {
  return [
    ...overPlans(project, ({ plan }) => plan.resources.flatMap(unnamed)),
    ...overPlans(project, (view) =>
      view.plan.resources.flatMap((resource) =>
        wantedOf(resource.type).flatMap(([path, wanted]) => {
          const name = role(nameOf(resource.id));
          const account = role(/\/storageAccounts\/([^/]+)/.exec(resource.id)?.[1] ?? '');
          const found = bodyAt(resource, path);
          const at = (other: string) => bodyAt(resource, other);
          const value =
            typeof wanted === 'function'
              ? wanted({ view, name, id: resource.id, account, found, at })
              : wanted;
          return mustBe(`${path} of ${name}`, found, value);
        }),
      ),
    ),
    ...hidden(project.files.get(noiseFile) ?? '{}'),
  ];
}

const wantedOf = (type: string) => [
  ...Object.entries(facts[type] ?? {}),
  ...Object.entries(givenValues[type] ?? {}),
];
const noiseFile = 'infra/drift-noise.json';
/** What may be passed over: the step drift asks Azure itself, or nobody can change it in Azure. */
const unseen = ['properties.siteConfig', 'properties.siteScopedCertificatesEnabled'];

/** Settings that Azure gives to an app by itself. */
const settingsOfAzure = ['FUNCTIONS_EXTENSION_VERSION'];

/** What is demanded here must be seen when it is changed in Azure: drift passes over nothing that the tables name, and over no setting that counts. */
function hidden(text: string): Finding[] {
  const { noise = [], settings = [] } = JSON.parse(text) as {
    noise?: { type: string; path: string }[];
    settings?: { name: string }[];
  };
  const ofPaths = noise
    .filter(({ type, path }) => type !== 'Microsoft.Web/sites' || !unseen.includes(path))
    .flatMap(({ type, path }) =>
      wantedOf(type)
        .filter(([demanded]) => isWithin(demanded, path))
        .map(([demanded]) => ({
          file: noiseFile,
          message: `drift would not tell of ${demanded} of ${type}`,
        })),
    );
  const ofSettings = settings
    .filter(({ name }) => !settingsOfAzure.includes(name))
    .map(({ name }) => ({
      file: noiseFile,
      message: `drift would not tell of the setting ${name} that was added by hand`,
    }));
  return [...ofPaths, ...ofSettings];
}
