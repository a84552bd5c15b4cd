/** The resource types of Terraform's providers that the stack uses, and what they are in Azure. */

import { gateway, monitoring, network } from './arm-network-types.ts';
import { type Data, textOf } from './data.ts';
import { type ArmType, block, blocks, camelCase, firstOf, groupId, list, object, placed } from './places.ts';

const access = (value: Data) => ({
  'properties.publicNetworkAccess': value === true ? 'Enabled' : 'Disabled',
});
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
              deleteRetentionPolicy: { enabled: true, ...firstOf(policy) },
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
      azuread_administrator: block('properties.administrators', {
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

/** The name in Graph of what Entra's provider calls enabled. */
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
      api: block('api', { oauth2_permission_scope: blocks('oauth2PermissionScopes', enabledAs) }),
      app_role: blocks('appRoles', enabledAs),
      optional_claims: (value) => ({ 'optionalClaims.accessToken': list(firstOf(value)['access_token']) }),
      single_page_application: block('spa'),
    },
    exports: { client_id: 'appId' },
  },
  // In Graph a property of the application.
  azuread_application_pre_authorized: {
    type: 'part',
    id: ({ application_id: id }) =>
      textOf(id ?? '').replace(/^<(.*):id>$/, 'Microsoft.Graph/applications/$1'),
    places: {
      application_id: '',
      authorized_client_id: (appId, { permission_ids: delegatedPermissionIds = [] }) => ({
        'api.preAuthorizedApplications': [{ appId, delegatedPermissionIds }],
      }),
      permission_ids: '',
    },
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
    identity: block('identity', {
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
        'properties.timePeriod.startDate': textOf(firstOf(value)['start_date'] ?? '').replace(
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
