/** The resource types of Terraform's providers that the stack uses, and what they are in Azure. */

import { type Data, textOf } from './data.ts';
import {
  type Arguments,
  type ArmType,
  camelCase,
  groupId,
  list,
  many,
  object,
  one,
  placed,
} from './places.ts';

const negated = (path: string) => (value: Data) => ({ [path]: value !== true });
const access = (value: Data) => ({
  'properties.publicNetworkAccess': value === true ? 'Enabled' : 'Disabled',
});
const first = (value: Data | undefined) => object(list(value)[0]);
const service = '{group}/providers/Microsoft.ApiManagement/service/{api_management_name}';
const location = { location: 'global' };
const sku = {
  Basic: [5, 'Basic'],
  S0: [10, 'Standard'],
  S1: [20, 'Standard'],
  S2: [50, 'Standard'],
} as const;

/** `GP_S_Gen5_1` and the like: what the provider makes of a size. */
function databaseSku(size: Data): Record<string, Data> {
  const name = textOf(size);
  const [capacity, tier] = sku[name as keyof typeof sku] ?? [];
  if (capacity !== undefined && tier !== undefined) return { sku: { name, tier, capacity } };
  const [, family = '', cores = ''] = /^(GP(?:_S)?_Gen5)_(\d+)$/.exec(name) ?? [];
  return { sku: { name: family, tier: 'GeneralPurpose', family: 'Gen5', capacity: Number(cores) } };
}

const storage: Readonly<Record<string, ArmType>> = {
  azurerm_storage_account: {
    type: 'Microsoft.Storage/storageAccounts',
    places: {
      account_kind: 'kind',
      account_tier: (tier, args) => ({
        'sku.name': `${textOf(tier)}_${textOf(args['account_replication_type'] ?? '')}`,
      }),
      account_replication_type: '',
      shared_access_key_enabled: 'properties.allowSharedKeyAccess',
      allow_nested_items_to_be_public: 'properties.allowBlobPublicAccess',
      cross_tenant_replication_enabled: 'properties.allowCrossTenantReplication',
      default_to_oauth_authentication: 'properties.defaultToOAuthAuthentication',
      local_user_enabled: 'properties.isLocalUserEnabled',
      min_tls_version: 'properties.minimumTlsVersion',
      https_traffic_only_enabled: 'properties.supportsHttpsTrafficOnly',
      public_network_access_enabled: access,
      blob_properties: '',
    },
    implied: { kind: 'StorageV2' },
    parts: ({ blob_properties: blobs }) =>
      list(blobs).map((item) => ({
        type: 'Microsoft.Storage/storageAccounts/blobServices',
        id: 'blobServices/default',
        body: {
          properties: placed(object(item), {
            delete_retention_policy: (policy) => ({
              deleteRetentionPolicy: { enabled: true, ...first(policy) },
            }),
          }),
        },
      })),
    exports: { primary_blob_endpoint: 'blobEndpoint', primary_table_endpoint: 'tableEndpoint' },
  },
  azurerm_storage_container: {
    type: 'Microsoft.Storage/storageAccounts/blobServices/containers',
    id: '{storage_account_id}/blobServices/default/containers/{name}',
    places: {
      container_access_type: (value) => ({ 'properties.publicAccess': value === 'private' ? 'None' : value }),
    },
  },
};

const sql: Readonly<Record<string, ArmType>> = {
  azurerm_mssql_server: {
    type: 'Microsoft.Sql/servers',
    places: {
      minimum_tls_version: 'properties.minimalTlsVersion',
      public_network_access_enabled: access,
      azuread_administrator: one('properties.administrators', {
        azuread_authentication_only: 'azureADOnlyAuthentication',
        login_username: 'login',
        object_id: 'sid',
      }),
    },
    implied: { 'properties.administrators.administratorType': 'ActiveDirectory' },
    exports: { fully_qualified_domain_name: 'hostName' },
  },
  azurerm_mssql_database: {
    type: 'Microsoft.Sql/servers/databases',
    id: '{server_id}/databases/{name}',
    places: {
      sku_name: databaseSku,
      auto_pause_delay_in_minutes: 'properties.autoPauseDelay',
      storage_account_type: 'properties.requestedBackupStorageRedundancy',
      max_size_gb: (size) => ({ 'properties.maxSizeBytes': Number(size) * 2 ** 30 }),
      short_term_retention_policy: '',
      long_term_retention_policy: '',
    },
    parts: (args) =>
      ['Short', 'Long'].flatMap((term) =>
        list(args[`${term.toLowerCase()}_term_retention_policy`]).map((policy) => ({
          type: `Microsoft.Sql/servers/databases/backup${term}TermRetentionPolicies`,
          id: `backup${term}TermRetentionPolicies/default`,
          body: { properties: placed(object(policy), {}) },
        })),
      ),
  },
  azurerm_mssql_firewall_rule: {
    type: 'Microsoft.Sql/servers/firewallRules',
    id: '{server_id}/firewallRules/{name}',
  },
  azurerm_mssql_server_extended_auditing_policy: {
    type: 'Microsoft.Sql/servers/auditingSettings',
    id: '{server_id}/auditingSettings/default',
    places: {
      enabled: (value) => ({ 'properties.state': value === true ? 'Enabled' : 'Disabled' }),
      log_monitoring_enabled: 'properties.isAzureMonitorTargetEnabled',
    },
  },
};

const monitoring: Readonly<Record<string, ArmType>> = {
  azurerm_log_analytics_workspace: {
    type: 'Microsoft.OperationalInsights/workspaces',
    places: {
      sku: 'properties.sku.name',
      local_authentication_enabled: negated('properties.features.disableLocalAuth'),
      allow_resource_only_permissions: 'properties.features.enableLogAccessUsingOnlyResourcePermissions',
      daily_quota_gb: 'properties.workspaceCapping.dailyQuotaGb',
    },
    implied: {
      'properties.sku.name': 'PerGB2018',
      'properties.features.enableLogAccessUsingOnlyResourcePermissions': true,
    },
  },
  azurerm_application_insights: {
    type: 'Microsoft.Insights/components',
    places: {
      application_type: (kind) => ({ kind, 'properties.Application_Type': kind }),
      workspace_id: 'properties.WorkspaceResourceId',
      local_authentication_enabled: negated('properties.DisableLocalAuth'),
    },
    exports: { connection_string: 'connectionString' },
  },
  azurerm_monitor_diagnostic_setting: {
    type: 'Microsoft.Insights/diagnosticSettings',
    id: '{target_resource_id}/providers/Microsoft.Insights/diagnosticSettings/{name}',
    places: {
      log_analytics_workspace_id: 'properties.workspaceId',
      ...Object.fromEntries(
        ['log', 'metric'].map((kind) => [
          `enabled_${kind}`,
          (items: Data) => ({
            [`properties.${kind}s`]: list(items).map((item) => ({ ...object(item), enabled: true })),
          }),
        ]),
      ),
    },
  },
  azurerm_monitor_action_group: {
    type: 'Microsoft.Insights/actionGroups',
    places: { short_name: 'properties.groupShortName', email_receiver: many('properties.emailReceivers') },
    implied: location,
  },
  azurerm_monitor_metric_alert: {
    type: 'Microsoft.Insights/metricAlerts',
    places: {
      frequency: 'properties.evaluationFrequency',
      action: many('properties.actions'),
      criteria: many('properties.criteria.allOf', { aggregation: 'timeAggregation' }),
      application_insights_web_test_location_availability_criteria: one('properties.criteria'),
    },
    implied: location,
  },
  azurerm_monitor_scheduled_query_rules_alert_v2: {
    type: 'Microsoft.Insights/scheduledQueryRules',
    places: {
      window_duration: 'properties.windowSize',
      auto_mitigation_enabled: 'properties.autoMitigate',
      criteria: many('properties.criteria.allOf', { time_aggregation_method: 'timeAggregation' }),
      action: (value) => ({ 'properties.actions.actionGroups': first(value)['action_groups'] ?? null }),
    },
    implied: { kind: 'LogAlert' },
  },
  azurerm_application_insights_standard_web_test: {
    type: 'Microsoft.Insights/webtests',
    places: {
      tags: (tags, args) => ({
        tags: {
          ...object(tags),
          [`hidden-link:${textOf(args['application_insights_id'] ?? '')}`]: 'Resource',
        },
      }),
      application_insights_id: '',
      name: (name) => ({ 'properties.SyntheticMonitorId': name, 'properties.Name': name }),
      enabled: 'properties.Enabled',
      frequency: 'properties.Frequency',
      timeout: 'properties.Timeout',
      retry_enabled: 'properties.RetryEnabled',
      geo_locations: (places) => ({ 'properties.Locations': list(places).map((Id) => ({ Id })) }),
      request: one('properties.Request', {
        url: 'RequestUrl',
        http_verb: 'HttpVerb',
        follow_redirects_enabled: 'FollowRedirects',
        parse_dependent_requests_enabled: 'ParseDependentRequests',
      }),
      validation_rules: one('properties.ValidationRules', {
        expected_status_code: 'ExpectedHttpStatusCode',
        ssl_check_enabled: 'SSLCheck',
        ssl_cert_remaining_lifetime: 'SSLCertRemainingLifetimeCheck',
      }),
    },
    implied: { kind: 'standard', 'properties.Kind': 'standard' },
  },
};

const connection = (args: Arguments) => first(args['private_service_connection']);
/** An endpoint that someone else has to approve has another property. */
const connections = (args: Arguments) =>
  `properties.${connection(args)['is_manual_connection'] === true ? 'manualP' : 'p'}rivateLinkServiceConnections`;
const nested = (item: Data, renamed: Readonly<Record<string, string>> = {}) => {
  const { name = null, ...rest } = object(item);
  return { name, properties: placed(rest, renamed) };
};

const network: Readonly<Record<string, ArmType>> = {
  azurerm_virtual_network: {
    type: 'Microsoft.Network/virtualNetworks',
    places: { address_space: 'properties.addressSpace.addressPrefixes' },
  },
  azurerm_network_security_group: {
    type: 'Microsoft.Network/networkSecurityGroups',
    places: {
      security_rule: (rules) => ({ 'properties.securityRules': list(rules).map((item) => nested(item)) }),
    },
  },
  azurerm_subnet: {
    type: 'Microsoft.Network/virtualNetworks/subnets',
    id: '{group}/providers/Microsoft.Network/virtualNetworks/{virtual_network_name}/subnets/{name}',
    places: {
      address_prefixes: (prefixes) => ({ 'properties.addressPrefix': list(prefixes)[0] ?? null }),
      default_outbound_access_enabled: 'properties.defaultOutboundAccess',
      delegation: (items) => ({
        'properties.delegations': list(items).map((item) => ({
          name: object(item)['name'] ?? null,
          properties: { serviceName: first(object(item)['service_delegation'])['name'] ?? null },
        })),
      }),
    },
  },
  // In Azure a property of the subnet.
  azurerm_subnet_network_security_group_association: {
    type: 'subnet security group',
    id: '{subnet_id}/networkSecurityGroup',
    places: { network_security_group_id: 'id' },
  },
  azurerm_private_endpoint: {
    type: 'Microsoft.Network/privateEndpoints',
    places: {
      subnet_id: 'properties.subnet.id',
      private_dns_zone_group: '',
      private_service_connection: (items, args) => ({
        [connections(args)]: list(items).map((item) =>
          nested(item, {
            is_manual_connection: '',
            private_connection_resource_id: 'privateLinkServiceId',
            subresource_names: 'groupIds',
          }),
        ),
      }),
    },
    parts: (args) =>
      list(args['private_dns_zone_group']).map((group) => ({
        type: 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups',
        id: `privateDnsZoneGroups/${textOf(object(group)['name'] ?? '')}`,
        body: {
          properties: {
            privateDnsZoneConfigs: list(object(group)['private_dns_zone_ids']).map((privateDnsZoneId) => ({
              name: list(connection(args)['subresource_names'])[0] ?? null,
              properties: { privateDnsZoneId },
            })),
          },
        },
      })),
  },
  azurerm_private_dns_zone: { type: 'Microsoft.Network/privateDnsZones', implied: location },
  azurerm_private_dns_zone_virtual_network_link: {
    type: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
    id: '{private_dns_zone_id}/virtualNetworkLinks/{name}',
    places: { virtual_network_id: 'properties.virtualNetwork.id' },
    implied: location,
  },
};

const gateway: Readonly<Record<string, ArmType>> = {
  azurerm_api_management: {
    type: 'Microsoft.ApiManagement/service',
    places: {
      sku_name: (size) => {
        const [name = '', capacity = ''] = textOf(size).split('_');
        return { sku: { name, capacity: Number(capacity) } };
      },
      identity: one('identity'),
      virtual_network_configuration: one('properties.virtualNetworkConfiguration', {
        subnet_id: 'subnetResourceId',
      }),
    },
    exports: { gateway_url: 'url', 'identity.0.principal_id': 'principalId' },
  },
  azurerm_api_management_backend: {
    type: 'Microsoft.ApiManagement/service/backends',
    id: `${service}/backends/{name}`,
    places: { tls: one('properties.tls') },
  },
  azurerm_api_management_api: {
    type: 'Microsoft.ApiManagement/service/apis',
    id: `${service}/apis/{name}`,
    places: { revision: '', import: one('properties', { content_format: 'format', content_value: 'value' }) },
  },
  azurerm_api_management_api_policy: {
    type: 'Microsoft.ApiManagement/service/apis/policies',
    id: `${service}/apis/{api_name}/policies/policy`,
    places: { xml_content: 'properties.value' },
    implied: { 'properties.format': 'rawxml' },
  },
  azurerm_api_management_logger: {
    type: 'Microsoft.ApiManagement/service/loggers',
    id: `${service}/loggers/{name}`,
    places: { application_insights: one('properties.credentials') },
    implied: { 'properties.loggerType': 'applicationInsights' },
  },
  azurerm_api_management_api_diagnostic: {
    type: 'Microsoft.ApiManagement/service/apis/diagnostics',
    id: `${service}/apis/{api_name}/diagnostics/{identifier}`,
    places: {
      api_management_logger_id: 'properties.loggerId',
      always_log_errors: (value) => ({ 'properties.alwaysLog': value === true ? 'allErrors' : null }),
      sampling_percentage: 'properties.sampling.percentage',
    },
    implied: { 'properties.sampling.samplingType': 'fixed' },
  },
};

/** The sets of names that a block of Entra's has in Graph. */
const enabledAs = { enabled: 'isEnabled' };
const entra: Readonly<Record<string, ArmType>> = {
  azuread_application: {
    type: 'Microsoft.Graph/applications',
    id: (args) =>
      `Microsoft.Graph/applications/${textOf(list(args['identifier_uris'])[0] ?? '')
        .split('/')
        .at(-1)}`,
    places: {
      identifier_uris: (uris) => ({
        identifierUris: uris,
        uniqueName:
          textOf(list(uris)[0] ?? '')
            .split('/')
            .at(-1) ?? '',
      }),
      display_name: 'displayName',
      sign_in_audience: 'signInAudience',
      api: one('api', { oauth2_permission_scope: many('oauth2PermissionScopes', enabledAs) }),
      app_role: many('appRoles', enabledAs),
      optional_claims: (value) => ({ 'optionalClaims.accessToken': list(first(value)['access_token']) }),
      single_page_application: one('spa'),
    },
    exports: { client_id: 'appId' },
  },
  // In Graph a property of the application.
  azuread_application_pre_authorized: {
    type: 'pre-authorized application',
    id: '{application_id}/preAuthorized/{authorized_client_id}',
    places: { permission_ids: 'delegatedPermissionIds' },
  },
  azuread_service_principal: {
    type: 'Microsoft.Graph/servicePrincipals',
    id: 'Microsoft.Graph/servicePrincipals/{client_id}',
    places: { client_id: 'appId' },
    exports: { object_id: 'id' },
  },
  azuread_app_role_assignment: {
    type: 'Microsoft.Graph/appRoleAssignedTo',
    id: 'Microsoft.Graph/appRoleAssignedTo/{principal_object_id}',
    places: {
      app_role_id: 'appRoleId',
      principal_object_id: 'principalId',
      resource_object_id: 'resourceId',
    },
  },
};

const azapi: ArmType = {
  type: '',
  id: (args) => {
    const [type = ''] = textOf(args['type'] ?? '').split('@');
    const [namespace = '', first = '', ...parts] = type.split('/');
    const [parent, name] = [textOf(args['parent_id'] ?? ''), textOf(args['name'] ?? '')];
    const inside = parent.includes(`/providers/${namespace}/`)
      ? parts.at(-1)
      : `providers/${namespace}/${first}`;
    return `${parent}/${inside}/${name}`;
  },
  places: {
    ...{ type: '', parent_id: '' },
    body: (body) => object(body),
    identity: one('identity', {
      identity_ids: (ids) => ({
        userAssignedIdentities: Object.fromEntries(list(ids).map((id) => [textOf(id), {}])),
      }),
    }),
  },
  exports: { 'properties.defaultHostName': 'hostName' },
};

const budgetNotification = (item: Data) => {
  const placedItem = Object.fromEntries(
    Object.entries(object(item)).map(([name, value]) => [camelCase(name), value]),
  );
  const { thresholdType = null, threshold = null } = placedItem;
  return [
    `${thresholdType === 'Forecasted' ? 'foreseen' : 'spent'}${textOf(threshold)}`,
    placedItem,
  ] as const;
};

const platform: Readonly<Record<string, ArmType>> = {
  azapi_resource: azapi,
  azapi_update_resource: azapi,
  azurerm_resource_group: { type: 'Microsoft.Resources/resourceGroups', id: (args) => groupId(args['name']) },
  azurerm_user_assigned_identity: {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    exports: { principal_id: 'principalId', client_id: 'clientId' },
  },
  azurerm_federated_identity_credential: {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
    id: '{user_assigned_identity_id}/federatedIdentityCredentials/{name}',
    places: { audience: 'properties.audiences' },
  },
  azurerm_role_assignment: {
    type: 'Microsoft.Authorization/roleAssignments',
    id: '{scope}/providers/Microsoft.Authorization/roleAssignments/-',
  },
  azurerm_management_lock: {
    type: 'Microsoft.Authorization/locks',
    id: '{scope}/providers/Microsoft.Authorization/locks/{name}',
    places: { lock_level: 'properties.level' },
  },
  azurerm_service_plan: {
    type: 'Microsoft.Web/serverfarms',
    places: {
      os_type: (system) => ({ 'properties.reserved': system === 'Linux' }),
      sku_name: (name) => ({ sku: { name, tier: name === 'FC1' ? 'FlexConsumption' : '' } }),
      zone_balancing_enabled: 'properties.zoneRedundant',
    },
    implied: { kind: 'functionapp', 'properties.zoneRedundant': false },
  },
  azurerm_consumption_budget_resource_group: {
    type: 'Microsoft.Consumption/budgets',
    id: '{resource_group_id}/providers/Microsoft.Consumption/budgets/{name}',
    places: {
      time_period: (value) => ({
        'properties.timePeriod.startDate': textOf(first(value)['start_date'] ?? '').replace(
          /T00:00:00Z$/,
          '',
        ),
      }),
      notification: (items) => ({
        'properties.notifications': Object.fromEntries(list(items).map(budgetNotification)),
      }),
    },
    implied: { 'properties.category': 'Cost' },
  },
};

export const armTypes: Readonly<Record<string, ArmType>> = {
  ...{ ...storage, ...sql, ...monitoring, ...network, ...gateway, ...entra, ...platform },
};
