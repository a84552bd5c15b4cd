/** The resource types of Terraform's providers that the stack uses, and what they are in Azure. */

import { type Data, textOf } from './data.ts';

export type Arguments = Readonly<Record<string, Data>>;

export const list = (value: Data | undefined): Data[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const firstOf = (value: Data | undefined) => (list(value)[0] ?? {}) as Arguments;
/** The last part of an id, or of the first of several. */
export const lastOf = (value: Data | undefined) =>
  textOf(list(value)[0] ?? '')
    .split('/')
    .at(-1) ?? '';

const service = '{group}/providers/Microsoft.ApiManagement/service/{api_management_name}';

/** Types by those of the providers, with the id of the resource above where that is not the resource group. */
export const azureTypes: Readonly<Record<string, readonly [type: string, above?: string]>> = {
  azapi_resource: ['', '{parent_id}'],
  azapi_update_resource: ['', '{parent_id}'],
  azurerm_resource_group: ['Microsoft.Resources/resourceGroups'],
  azurerm_storage_account: ['Microsoft.Storage/storageAccounts'],
  azurerm_storage_container: [
    'Microsoft.Storage/storageAccounts/blobServices/containers',
    '{storage_account_id}/blobServices/default',
  ],
  azurerm_mssql_server: ['Microsoft.Sql/servers'],
  azurerm_mssql_database: ['Microsoft.Sql/servers/databases', '{server_id}'],
  azurerm_mssql_firewall_rule: ['Microsoft.Sql/servers/firewallRules', '{server_id}'],
  azurerm_mssql_server_extended_auditing_policy: ['Microsoft.Sql/servers/auditingSettings', '{server_id}'],
  azurerm_log_analytics_workspace: ['Microsoft.OperationalInsights/workspaces'],
  azurerm_application_insights: ['Microsoft.Insights/components'],
  azurerm_monitor_diagnostic_setting: ['Microsoft.Insights/diagnosticSettings', '{target_resource_id}'],
  azurerm_monitor_action_group: ['Microsoft.Insights/actionGroups'],
  azurerm_monitor_metric_alert: ['Microsoft.Insights/metricAlerts'],
  azurerm_monitor_scheduled_query_rules_alert_v2: ['Microsoft.Insights/scheduledQueryRules'],
  azurerm_application_insights_standard_web_test: ['Microsoft.Insights/webtests'],
  azurerm_virtual_network: ['Microsoft.Network/virtualNetworks'],
  azurerm_network_security_group: ['Microsoft.Network/networkSecurityGroups'],
  azurerm_subnet: [
    'Microsoft.Network/virtualNetworks/subnets',
    '{group}/providers/Microsoft.Network/virtualNetworks/{virtual_network_name}',
  ],
  azurerm_private_endpoint: ['Microsoft.Network/privateEndpoints'],
  azurerm_private_dns_zone: ['Microsoft.Network/privateDnsZones'],
  azurerm_private_dns_zone_virtual_network_link: [
    'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
    '{private_dns_zone_id}',
  ],
  azurerm_api_management: ['Microsoft.ApiManagement/service'],
  azurerm_api_management_backend: ['Microsoft.ApiManagement/service/backends', service],
  azurerm_api_management_api: ['Microsoft.ApiManagement/service/apis', service],
  azurerm_api_management_api_policy: [
    'Microsoft.ApiManagement/service/apis/policies',
    `${service}/apis/{api_name}`,
  ],
  azurerm_api_management_logger: ['Microsoft.ApiManagement/service/loggers', service],
  azurerm_api_management_api_diagnostic: [
    'Microsoft.ApiManagement/service/apis/diagnostics',
    `${service}/apis/{api_name}`,
  ],
  azurerm_user_assigned_identity: ['Microsoft.ManagedIdentity/userAssignedIdentities'],
  azurerm_federated_identity_credential: [
    'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
    '{user_assigned_identity_id}',
  ],
  azurerm_role_assignment: ['Microsoft.Authorization/roleAssignments', '{scope}'],
  azurerm_management_lock: ['Microsoft.Authorization/locks', '{scope}'],
  azurerm_service_plan: ['Microsoft.Web/serverfarms'],
  azurerm_consumption_budget_resource_group: ['Microsoft.Consumption/budgets', '{resource_group_id}'],
  azuread_application: ['Microsoft.Graph/applications'],
  azuread_service_principal: ['Microsoft.Graph/servicePrincipals'],
  azuread_app_role_assignment: ['Microsoft.Graph/appRoleAssignedTo'],
};

/** What is a resource for Terraform alone, and in Azure a part of the one that this argument names. */
export const parts: Readonly<Record<string, string>> = {
  azurerm_subnet_network_security_group_association: 'subnet_id',
  azuread_application_pre_authorized: 'application_id',
};

const everywhere = { location: 'global' };
/** The values that a provider writes by default: arguments, and properties of Azure that it has no argument for. */
export const implied: Readonly<Record<string, Arguments>> = {
  azurerm_storage_account: { account_kind: 'StorageV2' },
  azurerm_mssql_server: { administratorType: 'ActiveDirectory' },
  azurerm_mssql_server_extended_auditing_policy: { name: 'default' },
  azurerm_log_analytics_workspace: { sku: 'PerGB2018', allow_resource_only_permissions: true },
  azurerm_monitor_action_group: everywhere,
  azurerm_monitor_metric_alert: everywhere,
  azurerm_monitor_scheduled_query_rules_alert_v2: { kind: 'LogAlert' },
  azurerm_application_insights_standard_web_test: { kind: 'standard', Kind: 'standard' },
  azurerm_private_dns_zone: everywhere,
  azurerm_private_dns_zone_virtual_network_link: everywhere,
  azurerm_api_management_api_policy: { name: 'policy', format: 'rawxml' },
  azurerm_api_management_logger: { loggerType: 'applicationInsights' },
  azurerm_api_management_api_diagnostic: { samplingType: 'fixed' },
  azurerm_service_plan: { kind: 'functionapp', zone_balancing_enabled: false },
  azurerm_consumption_budget_resource_group: { category: 'Cost' },
};

const sku = { Basic: [5, 'Basic'], S0: [10, 'Standard'], S1: [20, 'Standard'], S2: [50, 'Standard'] };

/** `GP_S_Gen5_1` and the like: what the provider makes of a size. */
function databaseSku(size: Data): Arguments {
  const name = textOf(size);
  const [capacity, tier] = sku[name as keyof typeof sku] ?? [];
  if (capacity !== undefined && tier !== undefined) return { name, tier, capacity };
  const [, family = '', cores = ''] = /^(GP(?:_S)?_Gen5)_(\d+)$/.exec(name) ?? [];
  return { name: family, tier: 'GeneralPurpose', family: 'Gen5', capacity: Number(cores) };
}

/** What an argument is called in Azure, '' where it has no value there; or a function of the argument that gives values by their names. */
export type Renaming = string | ((value: Data, args: Arguments) => Arguments);

const enabled =
  (name: string): Renaming =>
  (items) => ({ [name]: list(items).map((item) => ({ ...(item as Arguments), enabled: true })) });
const negated = (name: string) => (value: Data) => ({ [name]: value !== true });
const state = (name: string) => (value: Data) => ({ [name]: value === true ? 'Enabled' : 'Disabled' });

/** Arguments, or `type.argument` where a name has another meaning elsewhere, that Azure does not call the same. */
export const renamings: Readonly<Record<string, Renaming>> = {
  account_kind: 'kind',
  account_tier: (tier, args) => ({
    name: `${textOf(tier)}_${textOf(args['account_replication_type'] ?? '')}`,
  }),
  account_replication_type: '',
  shared_access_key_enabled: 'allowSharedKeyAccess',
  allow_nested_items_to_be_public: 'allowBlobPublicAccess',
  cross_tenant_replication_enabled: 'allowCrossTenantReplication',
  default_to_oauth_authentication: 'defaultToOAuthAuthentication',
  local_user_enabled: 'isLocalUserEnabled',
  min_tls_version: 'minimumTlsVersion',
  https_traffic_only_enabled: 'supportsHttpsTrafficOnly',
  public_network_access_enabled: state('publicNetworkAccess'),
  delete_retention_policy: (policy) => ({ policy: { enabled: true, ...firstOf(policy) } }),
  container_delete_retention_policy: (policy) => ({
    containerDeleteRetentionPolicy: { enabled: true, ...firstOf(policy) },
  }),
  container_access_type: (value) => ({ publicAccess: value === 'private' ? 'None' : value }),
  'azurerm_mssql_server.minimum_tls_version': 'minimalTlsVersion',
  azuread_authentication_only: 'azureADOnlyAuthentication',
  login_username: 'login',
  'azurerm_mssql_server.object_id': 'sid',
  'azurerm_mssql_database.sku_name': databaseSku,
  auto_pause_delay_in_minutes: 'autoPauseDelay',
  storage_account_type: 'requestedBackupStorageRedundancy',
  max_size_gb: (size) => ({ maxSizeBytes: Number(size) * 2 ** 30 }),
  'azurerm_mssql_server_extended_auditing_policy.enabled': state('state'),
  log_monitoring_enabled: 'isAzureMonitorTargetEnabled',
  'azurerm_log_analytics_workspace.sku': 'name',
  'azurerm_log_analytics_workspace.local_authentication_enabled': negated('disableLocalAuth'),
  'azurerm_application_insights.local_authentication_enabled': negated('DisableLocalAuth'),
  allow_resource_only_permissions: 'enableLogAccessUsingOnlyResourcePermissions',
  application_type: (kind) => ({ kind, Application_Type: kind }),
  'azurerm_application_insights.workspace_id': 'WorkspaceResourceId',
  log_analytics_workspace_id: 'workspaceId',
  enabled_log: enabled('logs'),
  enabled_metric: enabled('metrics'),
  short_name: 'groupShortName',
  'azurerm_monitor_metric_alert.frequency': 'evaluationFrequency',
  aggregation: 'timeAggregation',
  window_duration: 'windowSize',
  auto_mitigation_enabled: 'autoMitigate',
  time_aggregation_method: 'timeAggregation',
  'azurerm_application_insights_standard_web_test.name': (name) => ({ SyntheticMonitorId: name, Name: name }),
  'azurerm_application_insights_standard_web_test.tags': (tags, args) => ({
    tags: {
      ...(tags as Arguments),
      [`hidden-link:${textOf(args['application_insights_id'] ?? '')}`]: 'Resource',
    },
  }),
  application_insights_id: '',
  geo_locations: 'Id',
  'azurerm_application_insights_standard_web_test.url': 'RequestUrl',
  'azurerm_application_insights_standard_web_test.enabled': 'Enabled',
  'azurerm_application_insights_standard_web_test.frequency': 'Frequency',
  'azurerm_application_insights_standard_web_test.timeout': 'Timeout',
  http_verb: 'HttpVerb',
  retry_enabled: 'RetryEnabled',
  follow_redirects_enabled: 'FollowRedirects',
  parse_dependent_requests_enabled: 'ParseDependentRequests',
  expected_status_code: 'ExpectedHttpStatusCode',
  ssl_check_enabled: 'SSLCheck',
  ssl_cert_remaining_lifetime: 'SSLCertRemainingLifetimeCheck',
  address_space: 'addressPrefixes',
  address_prefixes: 'addressPrefix',
  default_outbound_access_enabled: 'defaultOutboundAccess',
  'azurerm_subnet.service_delegation': (items) => ({ serviceName: firstOf(items)['name'] ?? null }),
  network_security_group_id: 'id',
  'azurerm_private_endpoint.subnet_id': 'id',
  is_manual_connection: '',
  private_connection_resource_id: 'privateLinkServiceId',
  subresource_names: 'groupIds',
  private_dns_zone_ids: 'privateDnsZoneId',
  virtual_network_id: 'id',
  'azurerm_api_management.sku_name': (size) => {
    const [name = '', capacity = ''] = textOf(size).split('_');
    return { name, capacity: Number(capacity) };
  },
  'azurerm_api_management.subnet_id': 'subnetResourceId',
  revision: '',
  content_format: 'format',
  content_value: 'value',
  xml_content: 'value',
  api_management_logger_id: 'loggerId',
  always_log_errors: (value) => ({ alwaysLog: value === true ? 'allErrors' : null }),
  sampling_percentage: 'percentage',
  identity_ids: 'userAssignedIdentities',
  audience: 'audiences',
  lock_level: 'level',
  os_type: (system) => ({ reserved: system === 'Linux' }),
  'azurerm_service_plan.sku_name': (name) => ({ name, tier: name === 'FC1' ? 'FlexConsumption' : '' }),
  zone_balancing_enabled: 'zoneRedundant',
  start_date: (date) => ({ startDate: textOf(date).replace(/T00:00:00Z$/, '') }),
  'azuread_application.enabled': 'isEnabled',
  'azuread_application.identifier_uris': (uris) => ({ identifierUris: uris, uniqueName: lastOf(uris) }),
  authorized_client_id: 'appId',
  permission_ids: 'delegatedPermissionIds',
  'azuread_service_principal.client_id': 'appId',
  role_definition_id: 'roleDefinitionId',
  principal_id: 'principalId',
  principal_object_id: 'principalId',
  resource_object_id: 'resourceId',
};
